import { messageIdsOf } from "../../src/delivery/corrections/message-ids.ts";
import type { Harness } from "./harness.ts";
import { correctionIn } from "./networks.ts";

/** A message that a chat shows at the end. */
export interface ShownMessage {
  readonly id: string;
  readonly text: string;
}

/** What readers of each chat see at the end. */
export type Shown = ReadonlyMap<string, readonly ShownMessage[]>;

interface Corrected {
  readonly delivery_id: string;
  readonly chat: string;
  readonly provider_message_id: string | null;
  readonly provider_meta: unknown;
  readonly withdrawn: boolean;
  /** The newest that was tried at all. */
  readonly kind: "edit" | "remove" | null;
  readonly status: string | null;
  readonly text: string | null;
  readonly message_ids: readonly string[] | null;
}

export interface CorrectionBalance {
  readonly corrections: number;
  readonly corrected: number;
  readonly withdrawn: number;
  readonly violations: readonly string[];
}

/** Twins keep only this many messages. */
const remembered = 500;

/** Compares the corrections with what readers see: the newest text, or nothing if a post was removed. */
export async function balanceCorrections(harness: Harness, shown: Shown): Promise<CorrectionBalance> {
  const { sql, workspaceId } = harness;
  const violations = [...(await faultsInCorrections(harness))];
  const rows = await sql<Corrected[]>`
    select d.delivery_id, c.title as chat, d.provider_message_id, d.provider_meta, d.withdrawn_at is not null as withdrawn,
      t.kind, t.status, t.rendered_text as text, t.provider_message_ids as message_ids
    from delivery.deliveries d
    join delivery.channels c using (workspace_id, channel_id)
    left join lateral (
      select x.kind, x.status, x.rendered_text, x.provider_message_ids from delivery.corrections x
      where x.workspace_id = d.workspace_id and x.delivery_id = d.delivery_id and x.attempt > 0
      order by x.number desc limit 1
    ) t on true
    where d.workspace_id = ${workspaceId} and d.status = 'sent'
      and exists (select from delivery.corrections x where x.workspace_id = d.workspace_id and x.delivery_id = d.delivery_id)`;
  for (const row of rows) {
    const chat = shown.get(row.chat) ?? [];
    const ids = row.message_ids ?? messageIdsOf(row.provider_message_id, row.provider_meta);
    const seen = chat.filter(({ id }) => ids.includes(id));
    if (row.withdrawn && seen.length > 0)
      violations.push(`delivery ${row.delivery_id} was taken back and is still there`);
    const isChanged = !row.withdrawn && row.kind === "edit" && row.status === "done";
    if (!isChanged || (seen.length === 0 && chat.length >= remembered)) continue;
    if (!seen[0]?.text.includes(correctionIn(row.text ?? "")))
      violations.push(
        `delivery ${row.delivery_id} was corrected to "${row.text}" and reads "${seen[0]?.text ?? "nothing"}"`,
      );
  }
  const [counts] = await sql<[Omit<CorrectionBalance, "violations">]>`
    select count(*)::int as corrections,
      count(*) filter (where kind = 'edit' and status = 'done')::int as corrected,
      count(*) filter (where kind = 'remove' and status = 'done')::int as withdrawn
    from delivery.corrections where workspace_id = ${workspaceId}`;
  return { ...counts, violations };
}

/**
 * Violations that must never be in the tables, each as a condition on a correction `x` and the sums of its events `e`.
 */
const faults = {
  "has not ended": "x.ended_at is null",
  "ended and still holds a lease": "x.claim_token is not null or x.sending_started_at is not null",
  "was tried more often than allowed": "x.attempt > 5",
  "was made without an event": "coalesce(e.beginnings, 0) <> 1",
  "has attempts without a beginning": "x.attempt <> coalesce(e.attempts, 0)",
  "has an attempt without exactly one end": "x.attempt <> coalesce(e.ends, 0)",
  "was superseded by nothing newer": `x.status = 'superseded' and not exists (
    select from delivery.corrections n where n.workspace_id = x.workspace_id and n.delivery_id = x.delivery_id and n.number > x.number)`,
  "took a post back that does not say so": `x.kind = 'remove' and x.status = 'done' and not exists (
    select from delivery.deliveries d where d.workspace_id = x.workspace_id and d.delivery_id = x.delivery_id and d.withdrawn_at is not null)`,
} as const;

async function faultsInCorrections({ sql, workspaceId }: Harness): Promise<string[]> {
  const sentences: string[] = [];
  for (const [fault, condition] of Object.entries(faults)) {
    // A newer one that supersedes one which waits names itself; that is no end of an attempt. One whose post was not sent in
    // the end fails without an attempt, long after it began.
    const found = await sql.unsafe<{ correction_id: string }[]>(
      `with e as (
         select meta ->> 'correction_id' as correction_id,
           count(*) filter (where action = 'correction_queued'
             or action = 'correction_failed' and attempt = 0 and error ->> 'code' <> 'not_sent') as beginnings,
           count(*) filter (where action = 'correction_attempt') as attempts,
           count(*) filter (where attempt > 0 and (action in ('corrected', 'withdrawn', 'correction_retry', 'correction_failed')
                              or action = 'correction_superseded' and not meta ? 'by')) as ends
         from workspaces.events where workspace_id = $1 and meta ? 'correction_id' group by 1
       )
       select x.correction_id from delivery.corrections x left join e on e.correction_id = x.correction_id::text
       where x.workspace_id = $1 and (${condition}) limit 20`,
      [workspaceId],
    );
    for (const { correction_id } of found) sentences.push(`correction ${correction_id} ${fault}`);
  }
  return sentences;
}
