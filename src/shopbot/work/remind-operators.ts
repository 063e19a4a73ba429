import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Bot } from "../engine/bot.ts";
import { reply } from "../engine/render-reply.ts";
import { beginning } from "../model/context.ts";
import type { CompileReply } from "./compile-reply.ts";
import { loadBot } from "./load-bot.ts";
import { reminderRow } from "./operator-replies.ts";
import { newReply, type ReplyRow } from "./rows.ts";

interface ReminderDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly compile: CompileReply;
}

interface SilentCall {
  readonly workspace_id: string;
  readonly chat_id: string;
  readonly user_name: string | null;
  readonly called_at: Date;
  readonly reminders: number;
  readonly ended: boolean;
}

const callsAtOnce = 50;

/** Tells customers that nobody has answered yet, and reminds the operators' group. */
export async function remindOperators({
  sql,
  clock,
  compile,
}: ReminderDeps): Promise<{ readonly isCalled: boolean; readonly reminded: number }> {
  // Calls are rare; this avoids a transaction every few seconds.
  const [called] = await sql`select from shopbot.bot_chats where called_at is not null limit 1`;
  if (!called) return { isCalled: false, reminded: 0 };
  return sql.begin(async (tx) => {
    const now = clock.now();
    const calls = await tx<SilentCall[]>`select * from shopbot.take_silent_calls(${callsAtOnce}, ${now})`;
    const replies: ReplyRow[] = [];
    for (const call of calls) {
      const bot = await loadBot(tx, call.workspace_id);
      if (bot) replies.push(...told(call, bot, compile, now));
    }
    if (replies.length > 0) await put(tx, replies, now);
    return { isCalled: true, reminded: calls.length };
  });
}

function told(call: SilentCall, bot: Bot, compile: CompileReply, now: Date): ReplyRow[] {
  const { unanswered_text, nobody_came_text } = bot.settings.operators;
  const reminder = reminderRow(call, { bot, compile, now });
  if (call.ended) return [toCustomer(nobody_came_text, call, bot, compile, now)];
  // The customer is told once; operators are reminded repeatedly.
  return call.reminders === 1 ? [toCustomer(unanswered_text, call, bot, compile, now), reminder] : [reminder];
}

function toCustomer(
  template: string,
  call: SilentCall,
  bot: Bot,
  compile: CompileReply,
  now: Date,
): ReplyRow {
  const sender = call.user_name === null ? {} : { name: call.user_name };
  const message = { kind: "message" as const, text: "", attachments: [], sender };
  const { reply: words } = reply(template, {}, { bot, context: beginning.context, message });
  const made = compile(words, bot.settings.parse_mode);
  const plain = made.ok ? made : compile({ ...words, buttons: [], media: [] }, "None");
  if (!plain.ok) throw new Error(`a notice cannot be sent: ${plain.error}`);
  return newReply(
    {
      workspace_id: call.workspace_id,
      chat_id: call.chat_id,
      inbound: `call:${call.called_at.getTime()}:${call.ended ? "ended" : call.reminders}`,
      kind: "notice",
      text: plain.compiled.plainText,
      compiled: plain.compiled,
      trace_id: `call-${call.called_at.getTime()}`,
    },
    now,
  );
}

async function put(tx: Transaction, replies: readonly ReplyRow[], now: Date): Promise<void> {
  await tx`
    select shopbot.put_replies(${JSON.stringify(replies)}::text::jsonb, ${now}), pg_notify('molva_shopbot', 'outbox')`;
}
