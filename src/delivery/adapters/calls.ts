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
  /** Hash of the content to send; null for a delivery. */
  readonly bodyHash: string | null;
}

/** A call that this caller has to send. */
export interface BegunCall {
  /** Whether an earlier attempt may have arrived. */
  readonly doubtful: boolean;
  readonly progress: readonly (string | null)[];
  /** When the first attempt began. */
  readonly startedAt: Date;
}

interface Beginning {
  readonly verdict: "begun" | "doubtful" | "ended" | "running" | "other_body";
  readonly answer: unknown;
  readonly progress: readonly (string | null)[];
  readonly started_at: Date;
}

/** Sends at most once per key: a repeat gets the first answer, a second request during the first one is refused. */
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
