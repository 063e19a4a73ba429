import type { Sql } from "../../kernel/db/index.ts";
import type { SendError } from "../../platforms/index.ts";
import { type Reason, type ReasonFacts, wordsOf } from "../reasons/task-reasons.ts";
import type { TakenTask } from "./take-task.ts";

/** Results of a task. Each function returns false if the task no longer belongs to the caller. */
export interface Ending {
  readonly sql: Sql;
  readonly task: TakenTask;
  readonly now: Date;
}

export async function complete(
  { sql, task, now }: Ending,
  messageId: string,
  url: string | undefined,
  meta: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  return isOurs(sql`
    select accounts.complete_task(${task.workspace_id}, ${task.id}, ${task.claim_token}, ${messageId}, ${url ?? null},
      ${JSON.stringify(meta)}::text::jsonb, ${now}) as is_ours`);
}

export async function postpone(
  { sql, task, now }: Ending,
  until: Date,
  { code, words }: { readonly code: string; readonly words: string },
): Promise<boolean> {
  return isOurs(sql`
    select accounts.postpone_task(${task.workspace_id}, ${task.id}, ${task.claim_token}, ${until}, ${code}, ${words},
      ${now}) as is_ours`);
}

/** Without `error` Telegram was not asked, and no attempt is counted. */
export async function fail(
  { sql, task, now }: Ending,
  reason: Reason,
  facts: ReasonFacts = {},
  error?: SendError,
): Promise<boolean> {
  return isOurs(sql`
    select accounts.fail_task(${task.workspace_id}, ${task.id}, ${task.claim_token}, ${reason}, ${wordsOf(reason, facts)},
      ${error ? jsonOf(error) : null}::text::jsonb, ${now}) as is_ours`);
}

export interface Retry {
  readonly reason: Reason;
  readonly error: SendError;
  readonly at: Date;
  readonly maxAttempts: number;
}

export async function retry(
  { sql, task, now }: Ending,
  { reason, error, at, maxAttempts }: Retry,
): Promise<boolean> {
  const words = wordsOf(reason, { detail: error.message });
  const [row] = await sql<{ status: string | null }[]>`
    select accounts.retry_task(${task.workspace_id}, ${task.id}, ${task.claim_token}, ${reason}, ${words},
      ${jsonOf(error)}::text::jsonb, ${at}, ${maxAttempts}, ${now}) as status`;
  return row?.status != null;
}

export async function flood(
  { sql, task, now }: Ending,
  seconds: number,
  until: string,
  error: SendError,
): Promise<boolean> {
  return isOurs(sql`
    select accounts.flood_account(${task.workspace_id}, ${task.id}, ${task.claim_token}, ${seconds},
      ${wordsOf("flood_wait", { seconds, until })}, ${jsonOf(error)}::text::jsonb, ${now}) as is_ours`);
}

export async function slowDown({ sql, task, now }: Ending, seconds: number): Promise<boolean> {
  return isOurs(sql`
    select accounts.slow_chat(${task.workspace_id}, ${task.id}, ${task.claim_token}, ${seconds},
      ${wordsOf("slow_mode", { seconds })}, ${now}) as is_ours`);
}

/** Stops the account, or closes this chat for it. */
export async function stopAccountOrChat(
  { sql, task, now }: Ending,
  what: "account" | "chat",
  reason: Reason,
  error: SendError,
): Promise<boolean> {
  const { workspace_id, id, claim_token } = task;
  const words = wordsOf(reason, { detail: error.message });
  return what === "account"
    ? isOurs(sql`
        select accounts.stop_account(${workspace_id}, ${id}, ${claim_token}, ${reason}, ${words},
          ${jsonOf(error)}::text::jsonb, ${now}) as is_ours`)
    : isOurs(sql`
        select accounts.close_chat(${workspace_id}, ${id}, ${claim_token}, ${reason}, ${words},
          ${jsonOf(error)}::text::jsonb, ${now}) as is_ours`);
}

async function isOurs(
  asked: PromiseLike<readonly { readonly [column: string]: unknown }[]>,
): Promise<boolean> {
  const [row] = await asked;
  return row?.is_ours === true;
}

function jsonOf(error: SendError): string {
  return JSON.stringify(error);
}
