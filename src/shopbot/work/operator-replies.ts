import type { Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { cut } from "../../kernel/words/index.ts";
import type { Bot } from "../engine/bot.ts";
import type { ReplyButton } from "../engine/render-reply.ts";
import { defileErrorTexts } from "../texts/index.ts";
import type { CompileReply } from "./compile-reply.ts";
import { keyOf } from "./finish-turn.ts";
import { newReply, type ReplyRow, type TurnRow } from "./rows.ts";
import { shownText, type Turn } from "./turn.ts";

interface OperatorDeps {
  readonly bot: Bot;
  readonly compile: CompileReply;
  readonly now: Date;
}

type OperatorAct =
  | { readonly kind: "answer"; readonly chatId: string }
  | { readonly kind: "give_back"; readonly chatId: string }
  | { readonly kind: "none" };

const giveBackPress = (chatId: string) => `op:return:${chatId}`;
/** Messages of a conversation shown to operators. */
const linesShown = 15;

/** The conversation so far, for the operators. */
export async function handoverRow(tx: Transaction, turn: Turn, deps: OperatorDeps): Promise<ReplyRow> {
  const words = defileErrorTexts[deps.bot.settings.language];
  const who = turn.body.sender.name ?? words.somebody;
  const lines = await tx<{ message_text: string; response_preview: string | null; links: string[] }[]>`
    select newest.message_text, newest.response_preview,
      array(select a ->> 'url' from jsonb_array_elements(i.body -> 'attachments') a where a ? 'url') as links
    from (
      select l.* from shopbot.bot_logs l
      where l.workspace_id = ${turn.workspace_id} and l.chat_id = ${turn.chat_id}
      order by l.ts desc, l.seq desc limit ${linesShown}
    ) newest
    left join shopbot.bot_inbox i
      on i.workspace_id = newest.workspace_id and i.provider = ${turn.provider} and i.chat_id = newest.chat_id
      and i.provider_message_id = newest.inbound_provider_message_id
    order by newest.ts, newest.seq`;
  const said = lines.flatMap(({ message_text, response_preview, links }) => [
    [`${who}: ${message_text}`, ...links].join("\n"),
    ...(response_preview ? [`${words.bot}: ${shortened(response_preview)}`] : []),
  ]);
  const last = [`${who}: ${shownText(turn.body, words)}`, ...linksOf(turn)].join("\n");
  const text = [
    words.callsOperator(who, turn.chat_id),
    "",
    ...fitting([...said, last]),
    "",
    words.howToAnswer,
  ].join("\n");
  return aboutCustomer("handover", text, turn, deps);
}

/** A reminder; a reply to it goes to the customer, as with the first message. */
export function reminderRow(
  call: {
    workspace_id: string;
    chat_id: string;
    user_name: string | null;
    called_at: Date;
    reminders: number;
  },
  deps: OperatorDeps,
): ReplyRow {
  const { operatorsChatId, settings } = deps.bot;
  if (operatorsChatId === null) throw new Error("the bot has no operators' chat");
  const words = defileErrorTexts[settings.language];
  const seconds = (deps.now.getTime() - call.called_at.getTime()) / 1000;
  const text = [
    words.stillWaits(call.user_name ?? words.somebody, call.chat_id, seconds),
    words.howToAnswer,
  ].join("\n");
  const back = [[{ text: words.giveBack, payload: giveBackPress(call.chat_id) }]];
  const inbound = `call:${call.chat_id}:${call.called_at.getTime()}:${call.reminders}`;
  const about = { workspace_id: call.workspace_id, trace_id: `call-${call.called_at.getTime()}` };
  return {
    ...rowOf("handover", operatorsChatId, inbound, text, about, deps, back),
    about_chat_id: call.chat_id,
  };
}

/** The operator's answer was not delivered; a reply to this message is another try. */
export function notDeliveredRow(
  failed: { workspace_id: string; chat_id: string; inbound: string; outbox_id: string; trace_id: string },
  why: string,
  deps: OperatorDeps,
): ReplyRow {
  const { operatorsChatId, settings } = deps.bot;
  if (operatorsChatId === null) throw new Error("the bot has no operators' chat");
  const text = defileErrorTexts[settings.language].notDelivered(why);
  const row = rowOf("notice", operatorsChatId, `failed:${failed.outbox_id}`, text, failed, deps);
  return { ...row, about_chat_id: failed.chat_id };
}

/** A further message of a customer who talks to an operator. */
export function relayRow(turn: Turn, deps: OperatorDeps): ReplyRow {
  const words = defileErrorTexts[deps.bot.settings.language];
  const who = turn.body.sender.name ?? words.somebody;
  const text = [`${who}: ${shownText(turn.body, words)}`, ...linksOf(turn)].join("\n");
  return aboutCustomer("relay", text, turn, deps);
}

/** A message or tap in the operators' chat; their talk among themselves is ignored. */
export function operatorTurn(
  turn: Turn,
  deps: OperatorDeps,
): { act: OperatorAct; row: TurnRow; replies: ReplyRow[] } {
  const { bot, now } = deps;
  const words = defileErrorTexts[bot.settings.language];
  const { act, replies } = operatorAct(turn, deps);
  return {
    act,
    replies,
    row: {
      ...keyOf(turn),
      id: uuidv7({ now: () => now }),
      action: "bot_operator_message",
      result: "ok",
      outcome: act.kind,
      // Only answers to customers are stored.
      message_text: act.kind === "none" ? "" : shownText(turn.body, words),
      matched_rule_id: null,
      rule_version: null,
      state_before: "operator",
      state_after: act.kind === "give_back" ? "default" : "operator",
      response_preview: null,
      meta: { trace_id: turn.trace_id, ...(act.kind !== "none" && { customer_chat_id: act.chatId }) },
    },
  };
}

function operatorAct(turn: Turn, deps: OperatorDeps): { act: OperatorAct; replies: ReplyRow[] } {
  const { settings } = deps.bot;
  const words = defileErrorTexts[settings.language];
  const { body } = turn;
  const chatId = body.press?.match(/^op:return:(.+)$/s)?.[1];
  if (chatId !== undefined) {
    const heard = rowOf("notice", turn.chat_id, turn.provider_message_id, words.givenBack, turn, deps);
    return {
      act: { kind: "give_back", chatId },
      replies: [{ ...heard, callback_id: turn.provider_message_id, notification: words.givenBack }],
    };
  }
  if (body.kind !== "message" || turn.about_chat_id === null) return { act: { kind: "none" }, replies: [] };
  if (body.text.trim() === "")
    return {
      act: { kind: "none" },
      replies: [rowOf("notice", turn.chat_id, turn.provider_message_id, words.onlyText, turn, deps)],
    };
  return {
    act: { kind: "answer", chatId: turn.about_chat_id },
    replies: [
      {
        ...rowOf("operator", turn.about_chat_id, `op:${turn.provider_message_id}`, body.text, turn, deps),
        author: body.sender.name ?? null,
      },
    ],
  };
}

/** Links to the customer's attachments. */
function linksOf({ body }: Turn): string[] {
  return body.attachments.flatMap(({ url }) => url ?? []);
}

export function returnedRow(chatId: string, turn: Turn, deps: OperatorDeps): ReplyRow {
  const text = deps.bot.settings.operators.returned_text;
  return rowOf("notice", chatId, `op:${turn.provider_message_id}`, text, turn, deps);
}

function aboutCustomer(kind: "handover" | "relay", text: string, turn: Turn, deps: OperatorDeps): ReplyRow {
  const { operatorsChatId, settings } = deps.bot;
  if (operatorsChatId === null) throw new Error("the bot has no operators' chat");
  const words = defileErrorTexts[settings.language];
  const back = [[{ text: words.giveBack, payload: giveBackPress(turn.chat_id) }]];
  // Message ids are unique only within a chat.
  const inbound = `${turn.chat_id}:${turn.provider_message_id}`;
  return {
    ...rowOf(kind, operatorsChatId, inbound, text, turn, deps, back),
    about_chat_id: turn.chat_id,
  };
}

/** Operators' texts are plain text, whatever markup the rules use. */
function rowOf(
  kind: ReplyRow["kind"],
  chatId: string,
  inbound: string,
  text: string,
  { workspace_id, trace_id }: Pick<Turn, "workspace_id" | "trace_id">,
  { compile, now }: OperatorDeps,
  buttons: readonly (readonly ReplyButton[])[] = [],
): ReplyRow {
  const made = compile({ text: cut(text, 4000), buttons, media: [] }, "None");
  if (!made.ok) throw new Error(`plain text cannot be sent: ${made.error}`);
  return newReply(
    { workspace_id, chat_id: chatId, inbound, kind, text, compiled: made.compiled, trace_id },
    now,
  );
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${cut(line, 119)}…` : line;
}

/** The newest lines that fit into a message. */
function fitting(lines: readonly string[]): string[] {
  const room = 3400;
  // A long message must not hide what was said before it.
  const earlier = 400;
  const kept: string[] = [];
  let used = 0;
  for (const line of lines.toReversed()) {
    const most = kept.length === 0 ? room - 1 : earlier;
    const short = line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
    used += short.length + 1;
    if (used > room) break;
    kept.unshift(short);
  }
  return kept;
}
