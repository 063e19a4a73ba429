import { problem } from "../../http/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { PlatformName } from "../../platforms/index.ts";
import { type Carried, type CarryDeps, carryToOutcome, storedError } from "../dispatch/carry.ts";
import { type CarryingDeps, waitForTurn } from "../dispatch/carry-deps.ts";
import { Interrupted } from "../dispatch/interrupted.ts";
import type { Turn } from "../dispatch/queue.ts";
import type { StartedDelivery } from "../dispatch/started-delivery.ts";
import { compileFor } from "../ingest/compile-for-channel.ts";
import { type AdapterAnswer, answerOf } from "./answer.ts";
import { type PostToSend, payloadOf } from "./body.ts";
import { type BegunCall, callOnce, saveCallProgress } from "./calls.ts";
import { blockError, readChannel, type SendingChannel } from "./channel.ts";

export interface PostInHand {
  readonly workspaceId: string;
  readonly platform: PlatformName;
  readonly post: PostToSend;
  /** The caller, for the audit trail. */
  readonly operator: string;
}

/** The longest time a request waits for the channel's pace; beyond it the answer says when to try again. */
const longestWaitMs = 20_000;

/**
 * Sends a post to one channel at once, without a delivery: `sendText` and `sendMedia` of the specification. The channel's
 * pause, window and pace apply, and the attempt is in the audit trail before the network is used.
 */
export async function sendPost(
  { workspaceId, platform, post, operator }: PostInHand,
  deps: CarryingDeps,
  carrying: CarryDeps,
  leaving: AbortSignal,
): Promise<AdapterAnswer> {
  const { sql, clock } = deps;
  const { channel_id: channelId } = post.channel;
  const channel = await readChannel(deps, workspaceId, channelId);
  if (channel?.platform !== platform)
    throw problem("not_found", { detail: `This workspace has no ${platform} channel ${channelId}.` });

  const payload = payloadOf(post);
  const { idempotency_key, trace_id } = post.meta;
  const ownKey = idempotency_key ?? uuidv7(clock);
  const call = {
    ...{ workspaceId, channelId, key: `post:${ownKey}` },
    bodyHash: sha256Hex(JSON.stringify(payload)),
  };
  const note = (action: string, carried?: Carried) =>
    noteSend(deps, call, action, carried, {
      ...{ idempotency_key: ownKey, via: "adapter", operator },
      ...(trace_id && { trace_id }),
    });
  const turn = () => waitForTurn(() => askForTurn(deps, call), clock, leaving);

  return callOnce(call, { ...deps, leaseSeconds: deps.sendingLeaseSeconds }, async (begun) => {
    const refusal = blockError(channel, clock.now());
    if (refusal) return answerOf({ outcome: { kind: "failed", error: refusal } });
    const carried = await carryToOutcome(asStarted(channel, payload, call, begun), {
      ...carrying,
      render: async () => compileFor(payload, channel, deps.platforms),
      saveProgress: (_delivery, index, id) => saveCallProgress(sql, call, index, id),
      departure: async () => {
        await turn();
        await note("send_attempt");
        return () => undefined;
      },
      turn,
    });
    await note(endingOf(carried), carried);
    return answerOf(carried);
  });
}

interface Call {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly key: string;
}

/** The post in the form of a started delivery. */
function asStarted(
  channel: SendingChannel,
  payload: unknown,
  { workspaceId, channelId, key }: Call,
  { doubtful, progress, startedAt }: BegunCall,
): StartedDelivery {
  return {
    ...channel,
    workspace_id: workspaceId,
    delivery_id: nobodysDelivery,
    claim_token: key,
    channel_id: channelId,
    payload,
    rendered_text: null,
    render_meta: { series_progress: { provider_message_ids: progress } },
    last_error: doubtful ? inDoubt : null,
    created_at: startedAt,
    departs_at: startedAt,
    gap_ms: null,
    wait_until: null,
  };
}

const nobodysDelivery = "00000000-0000-0000-0000-000000000000";

const inDoubt = {
  category: "TRANSIENT",
  scope: "delivery",
  code: "outcome_unknown",
  message: "An earlier request with this key may have arrived.",
} as const;

async function askForTurn({ sql, clock }: CarryingDeps, call: Call): Promise<Turn | undefined> {
  const [turn] = await sql<Turn[]>`
    select * from delivery.channel_turn(${call.workspaceId}, ${call.channelId}, delivery.start_lead(), ${clock.now()})`;
  const waitMs = turn ? turn.at.getTime() - clock.now().getTime() : 0;
  if (waitMs > longestWaitMs) throw new Interrupted("the channel's pace does not let it out yet", waitMs);
  return turn;
}

function endingOf({ outcome }: Carried): string {
  if (outcome.kind === "sent") return "sent";
  if (outcome.kind === "unknown") return "outcome_unknown";
  if (outcome.error.code === "validation_failed") return "validation_failed";
  return outcome.error.category === "PERMANENT" ? "failed_permanent" : "send_attempt";
}

async function noteSend(
  { sql, clock }: CarryingDeps,
  { workspaceId, channelId }: Call,
  action: string,
  carried: Carried | undefined,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  const outcome = carried?.outcome;
  const error = outcome && outcome.kind !== "sent" ? sql.json({ ...storedError(outcome.error) }) : null;
  const meta = {
    ...about,
    ...(outcome?.kind === "sent" && { provider_message_id: outcome.providerMessageId }),
    ...(carried?.reconciled && { reconciled: carried.reconciled }),
  };
  await sql`
    select delivery.note_adapter_send(
      ${workspaceId}, ${channelId}, ${action}, ${error}, ${carried?.payload_ref ?? null}, ${sql.json(meta)}, ${clock.now()})`;
}
