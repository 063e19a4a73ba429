import { problem } from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { type AdminDeps, type By, inOneChange } from "../../workspaces/index.ts";
import type { CompileReply } from "../work/compile-reply.ts";
import { loadBot } from "../work/load-bot.ts";
import { newReply, type ReplyRow } from "../work/rows.ts";
import { botProblem, noSuchChat } from "./bot-problems.ts";

interface TalkDeps extends AdminDeps {
  readonly compile: CompileReply;
}

/** An operator answers from the console or the command line and takes the chat over. */
export async function answerCustomer(
  { sql, clock, compile }: TalkDeps,
  workspaceId: string,
  chatId: string,
  text: string,
  by: By,
): Promise<{ outbox_id: string }> {
  const minutes = await returnMinutes({ sql, clock }, workspaceId);
  const now = clock.now();
  const words = rowOf(workspaceId, chatId, `console:${uuidv7(clock)}`, "operator", text, { compile, clock });
  const row = { ...words, author: by.operator };
  await inOneChange(sql, async (tx) => {
    const [given] = await tx<[{ taken: boolean }]>`
      select shopbot.give_to_operator(${workspaceId}, ${chatId}, ${minutes}, ${now}) as taken`;
    if (!given.taken) throw noSuchChat(chatId);
    await putReply(tx, row, now);
  });
  return { outbox_id: row.outbox_id };
}

/** Takes the chat over; the bot stays silent there. */
export async function takeChat(deps: AdminDeps, workspaceId: string, chatId: string): Promise<void> {
  const minutes = await returnMinutes(deps, workspaceId);
  const [given] = await deps.sql<[{ taken: boolean }]>`
    select shopbot.give_to_operator(${workspaceId}, ${chatId}, ${minutes}, ${deps.clock.now()}) as taken`;
  if (!given.taken) throw noSuchChat(chatId);
}

/** Returns the chat to the bot and tells the customer. False if the bot already had it. */
export async function returnChat(
  { sql, clock, compile }: TalkDeps,
  workspaceId: string,
  chatId: string,
): Promise<boolean> {
  const bot = await loadBot(sql, workspaceId);
  if (!bot) throw botProblem("bot_missing");
  const now = clock.now();
  const text = bot.settings.operators.returned_text;
  const row = rowOf(workspaceId, chatId, `console:${uuidv7(clock)}`, "notice", text, { compile, clock });
  return inOneChange(sql, async (tx) => {
    const [back] = await tx<[{ returned: boolean }]>`
      select shopbot.return_to_bot(${workspaceId}, ${chatId}, ${now}) as returned`;
    if (back.returned) await putReply(tx, row, now);
    return back.returned;
  });
}

async function putReply(tx: Transaction, row: ReplyRow, now: Date): Promise<void> {
  await tx`
    select shopbot.put_replies(${JSON.stringify([row])}::text::jsonb, ${now}), pg_notify('molva_shopbot', 'outbox')`;
}

async function returnMinutes({ sql }: AdminDeps, workspaceId: string): Promise<number> {
  const bot = await loadBot(sql, workspaceId);
  if (!bot) throw botProblem("bot_missing");
  return bot.settings.operators.return_minutes;
}

function rowOf(
  workspaceId: string,
  chatId: string,
  inbound: string,
  kind: "operator" | "notice",
  text: string,
  { compile, clock }: Pick<TalkDeps, "compile" | "clock">,
): ReplyRow {
  const made = compile({ text, buttons: [], media: [] }, "None");
  if (!made.ok) throw problem("invalid_request", { detail: `The text cannot be sent: ${made.error}` });
  const given = { workspace_id: workspaceId, chat_id: chatId, inbound, kind, text };
  return newReply({ ...given, compiled: made.compiled, trace_id: uuidv7(clock) }, clock.now());
}
