import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type AdapterAnswer, answerSchema, keptAnswer } from "./answer.ts";

export interface CallName {
  readonly workspaceId: string;
  readonly key: string;
}

export interface NewCall extends CallName {
  readonly channelId: string;
  /** Of what is to be sent; null for a delivery. */
  readonly bodyHash: string | null;
}

/** A call that is the caller's to send. */
export interface BegunCall {
  /** An earlier try may have arrived. */
  readonly doubtful: boolean;
  readonly progress: readonly (string | null)[];
  /** When the first try began. */
  readonly startedAt: Date;
}

interface Beginning {
  readonly verdict: "begun" | "doubtful" | "ended" | "running" | "other_body";
  readonly answer: unknown;
  readonly progress: readonly (string | null)[];
  readonly started_at: Date;
}

/**
 * Sends at most once for a key: a repeat is given the first answer, a second request while the first one runs is refused.
 */
export async function callOnce(
  call: NewCall,
  { sql, clock, leaseSeconds }: { sql: Sql; clock: Clock; leaseSeconds: number },
  send: (begun: BegunCall) => Promise<AdapterAnswer>,
): Promise<AdapterAnswer> {
  const { workspaceId, key, channelId, bodyHash } = call;
  const [beginning] = await sql<[Beginning]>`
    select verdict, answer, progress, started_at from delivery.begin_adapter_call(
      ${workspaceId}, ${key}, ${channelId}, ${bodyHash}, make_interval(secs => ${leaseSeconds}), ${clock.now()})`;
  const { verdict, progress, started_at: startedAt } = beginning;
  if (verdict === "ended") return answerSchema.parse(beginning.answer);
  if (verdict === "running")
    throw problem("conflict", { detail: "A request with this key is being sent; ask again in a while." });
  if (verdict === "other_body")
    throw problem("conflict", { detail: "The idempotency key was used for another post." });
  const answer = await send({ doubtful: verdict === "doubtful", progress, startedAt });
  const kept = JSON.parse(JSON.stringify(keptAnswer(answer)));
  await sql`select delivery.end_adapter_call(${workspaceId}, ${key}, ${sql.json(kept)})`;
  return answer;
}

export async function saveCallProgress(
  sql: Sql,
  { workspaceId, key }: CallName,
  index: number,
  providerMessageId: string,
): Promise<void> {
  await sql`select delivery.save_adapter_progress(${workspaceId}, ${key}, ${index}, ${providerMessageId})`;
}
