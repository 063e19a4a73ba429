import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { inOneChange } from "../../workspaces/index.ts";
import { type Accepted, acceptedSchema } from "../ingest/accept-post.ts";
import { unroutedText } from "../ingest/unrouted.ts";
import { type PostingDeps, postAsOperator } from "../posting/post-as-operator.ts";
import { channelWords, type NamedChannel } from "../read/channel-name.ts";
import { lockDraft, noDraft, requireVersion } from "./drafts.ts";

/**
 * Posts a draft once and removes it: the row stays locked until both are done, and a request that comes again gets the same answer. A
 * draft that no channel takes stays as it is, and nothing is stored of its post.
 */
export function sendDraft(
  deps: PostingDeps & { readonly sql: Sql },
  workspaceId: string,
  draftId: string,
  { version, actor }: { readonly version: number | undefined; readonly actor: string },
): Promise<Accepted> {
  return inOneChange(deps.sql, async (tx) => {
    const draft = await lockDraft(tx, workspaceId, draftId);
    if (!draft) throw noDraft();
    if (draft.answer) return acceptedSchema.parse(draft.answer);
    if (version !== undefined) requireVersion(draft.version, version);
    const { payload, tags, channel_ids, scheduled_for } = draft;
    const post = {
      ...{ payload, tags, channel_ids, source_ref: `draft:${draftId}` },
      scheduled_for: scheduled_for?.toISOString() ?? null,
    };
    const answer = await postAsOperator(tx, workspaceId, post, actor, deps);
    await requireTaken(tx, workspaceId, answer);
    const now = deps.clock.now();
    await tx`
      update delivery.drafts set sent_at = ${now}, answer = ${JSON.stringify(answer)}::text::jsonb, blobs = '{}'
      where workspace_id = ${workspaceId} and draft_id = ${draftId}`;
    return answer;
  });
}

async function requireTaken(tx: Transaction, workspaceId: string, answer: Accepted): Promise<void> {
  if ("dropped" in answer) return;
  if (answer.unrouted)
    throw problem("unprocessable", { detail: `${unroutedText(answer.unrouted)} The draft stays.` });
  if (answer.failed_permanent === 0 || answer.queued + answer.deduped + answer.skipped_inflight > 0) return;
  const refusals = await tx<{ channel: NamedChannel; message: string | null }[]>`
    select delivery.channel_facts(c) as channel, d.last_error ->> 'message' as message
    from delivery.deliveries d
    join delivery.channels c using (workspace_id, channel_id)
    where d.workspace_id = ${workspaceId} and d.message_id = ${answer.message_id} and d.status = 'failed_permanent'
    order by d.delivery_id desc limit ${Math.min(answer.failed_permanent, 100)}`;
  throw problem("unprocessable", {
    detail: "No channel can take it as it is. The draft stays: change it, or choose other channels.",
    errors: refusals.map(({ channel, message }) => ({
      pointer: "/payload",
      detail: `${channelWords(channel)}: ${message ?? "it cannot be sent"}`,
    })),
  });
}
