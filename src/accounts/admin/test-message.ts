import { randomBytes } from "node:crypto";
import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Outcome, SendError } from "../../platforms/index.ts";
import { type AdminDeps, idOf } from "../../workspaces/index.ts";
import { accountIdColumns } from "../id-columns.ts";
import { isReason, wordsOf } from "../reasons/task-reasons.ts";
import { ru } from "../texts/ru.ts";
import type { UseAccount } from "../use-account.ts";
import type { Governor } from "../work/governor-contract.ts";
import { workTimes } from "../work/work-times.ts";
import { requireAccount, type Who } from "./access.ts";
import { accountsProblem, whyInactive } from "./problems.ts";

export const testMessage = z.strictObject({
  chat_id: idOf(accountIdColumns.chat).describe("One of the account's chats"),
  text: z.string().trim().min(1).max(1000).optional().describe("Plain text; default: a fixed sentence"),
});
type TestMessage = z.output<typeof testMessage>;

export const sentTest = z.object({ message_id: z.string(), url: z.string().nullable() });
type SentTest = z.output<typeof sentTest>;

export interface TestDeps extends AdminDeps {
  readonly use: UseAccount;
  readonly governor: Governor;
}

/** A test message respects only these answers of the governor; its pace is for automatic publishing. */
const heeded = new Set(["breaker_open", "flood_wait", "slow_mode"]);

/** Sends one message at once: bypasses the queue, not the limiter. */
export async function sendTest(
  deps: TestDeps,
  workspaceId: string,
  accountId: string,
  { chat_id, text = ru.test }: TestMessage,
  who: Who,
): Promise<SentTest> {
  const { sql, clock, use, governor } = deps;
  const account = await requireAccount(sql, workspaceId, accountId, who);
  if (!account.is_active) throw accountsProblem("account_inactive", { detail: whyInactive(account) });
  const chatId = await chatOf(sql, workspaceId, accountId, chat_id);
  const key = { workspaceId, accountId };
  const answer = await governor.mayGo(key, chat_id, text);
  if (!answer.go && heeded.has(answer.reason.code))
    throw tooEarly(answer.reason.en, answer.until, clock.now());
  await passLimiter(deps, workspaceId, accountId);
  const post = { chatId, text: { text, marks: [] }, photos: [], randomIds: [anyRandomId()] };
  const outcome = await use(key, (client) => client.send(post));
  await governor.noticed(key, chat_id, outcome, text);
  if (outcome.kind === "sent") return { message_id: outcome.providerMessageId, url: outcome.url ?? null };
  await stopIfTold(deps, workspaceId, accountId, outcome.error);
  throw accountsProblem("account_refused", { detail: saidOf(outcome) });
}

async function chatOf(sql: Sql, workspaceId: string, accountId: string, chatId: string): Promise<string> {
  const [chat] = await sql<{ telegram_chat_id: string | null; linked: boolean }[]>`
    select c.telegram_chat_id::text, l.chat_id is not null or c.owner_account_id is not distinct from ${accountId}::uuid as linked
    from accounts.chats c
    left join accounts.account_chats l
      on l.workspace_id = c.workspace_id and l.chat_id = c.id and l.account_id = ${accountId}
    where c.workspace_id = ${workspaceId} and c.id = ${chatId}`;
  if (!chat?.linked || chat.telegram_chat_id === null)
    throw problem("not_found", { detail: `The account has no chat ${chatId}.` });
  return chat.telegram_chat_id;
}

async function passLimiter({ sql, clock }: AdminDeps, workspaceId: string, accountId: string): Promise<void> {
  const now = clock.now();
  const [row] = await sql<[{ wait: number | null }]>`
    select accounts.pass_limiter(${workspaceId}, ${accountId}, null, ${now}) as wait`;
  if (row.wait === null) return;
  const until = new Date(now.getTime() + row.wait * 1000);
  throw tooEarly(wordsOf("rate_limited", { seconds: row.wait }, "en"), until, now);
}

function tooEarly(detail: string, until: Date, now: Date) {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return accountsProblem("account_rate_limited", { detail, headers: { "retry-after": String(seconds) } });
}

/** A refusal of the whole account stops its queue too. */
async function stopIfTold(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  accountId: string,
  error: SendError,
): Promise<void> {
  const { code, scope, retryAfterMs } = error;
  if (scope !== "platform" || code === "network" || code === "telegram_error") return;
  const seconds = code === "flood_wait" ? floodSeconds(retryAfterMs) : null;
  const until = seconds === null ? "" : new Date(clock.now().getTime() + seconds * 1000).toISOString();
  const words = isReason(code) ? wordsOf(code, { seconds: seconds ?? "", until }) : error.message;
  await sql`
    select accounts.stop_without_task(${workspaceId}, ${accountId}, ${code}, ${words}, ${seconds},
      ${JSON.stringify({ code, scope, category: error.category, message: error.message })}::text::jsonb,
      '{"test": true}', ${clock.now()})`;
}

function floodSeconds(retryAfterMs: number | undefined): number {
  return retryAfterMs === undefined ? workTimes.unknownFloodSeconds : Math.ceil(retryAfterMs / 1000);
}

function saidOf(outcome: Exclude<Outcome, { kind: "sent" }>): string {
  return outcome.kind === "unknown"
    ? `No answer from Telegram, so the message may or may not have arrived: ${outcome.error.message}`
    : outcome.error.message;
}

function anyRandomId(): string {
  return randomBytes(8).readBigInt64BE().toString();
}
