import { type Content, checkPosting } from "./access.ts";
import { badRequest } from "./api-error.ts";
import type { Deps, MethodCall } from "./call.ts";
import { readKeyboard } from "./keyboard.ts";
import { limits } from "./limits.ts";
import type { Chat, Keyboard, Message } from "./model.ts";
import { flag, integer, json, type Params, text } from "./params.ts";
import { takeRates } from "./rates.ts";
import { codePoints, type FormattedText, formatText } from "./text/index.ts";
import { messageView } from "./view.ts";
import { messageFor } from "./wire.ts";

/** The content of one message of a call. */
export type Draft = Pick<Message, "text" | "entities"> &
  Partial<
    Pick<Message, "media" | "captionAbove" | "linkPreview" | "forwardOf" | "keyboard" | "albumId" | "stars">
  >;

/** What all sending methods read from their parameters. */
export interface SendOptions {
  readonly silent: boolean;
  readonly protected: boolean;
  readonly replyTo?: number;
  readonly topicId?: number;
  readonly keyboard?: Keyboard;
}

/** Posts the drafts of one call, all or none. */
export function post(
  call: MethodCall,
  deps: Deps,
  target: { readonly chat: Chat; readonly contents: readonly Content[]; readonly options: SendOptions },
  drafts: readonly Draft[],
): Record<string, unknown>[] {
  const { bot, params } = call;
  const { chat, contents, options } = target;
  for (const content of contents) checkPosting(chat, bot, content);
  takeRates(deps.rates, deps.context.options, {
    bot,
    chat,
    items: drafts.length,
    paid: flag(params, "allow_paid_broadcast"),
  });
  const at = deps.context.clock.now();
  return drafts.map((draft) => {
    const message: Message = {
      id: chat.nextMessageId++,
      at,
      author: { botId: bot.id },
      ...options,
      ...draft,
    };
    publishNew(chat, message, deps);
    call.created.push(String(message.id));
    return messageFor(bot, chat, message, deps.store);
  });
}

/** Puts a message into a chat and updates the page. */
export function publishNew(
  chat: Chat,
  message: Message,
  { store, context }: Pick<Deps, "store" | "context">,
): void {
  store.addMessage(chat, message);
  publish(chat, message, { store, context });
}

export function publish(
  chat: Chat,
  message: Message,
  { store, context }: Pick<Deps, "store" | "context">,
): void {
  context.bus.publish({
    type: "message",
    provider: "telegram",
    chatId: String(chat.id),
    message: messageView(chat, message, store),
  });
}

export function readOptions(params: Params, chat: Chat, deps: Deps): SendOptions {
  const keyboard = readKeyboard(json(params, "reply_markup"), chat.type);
  const replyTo = readReply(params, chat, deps);
  const topicId = readTopic(params, chat);
  return {
    silent: flag(params, "disable_notification"),
    protected: flag(params, "protect_content"),
    ...(keyboard && { keyboard }),
    ...(replyTo !== undefined && { replyTo }),
    ...(topicId !== undefined && { topicId }),
  };
}

function readTopic(params: Params, chat: Chat): number | undefined {
  const id = integer(params, "message_thread_id");
  if (id === undefined || chat.topics?.includes(id)) return id;
  throw badRequest("message thread not found");
}

function readReply(params: Params, chat: Chat, { store }: Deps): number | undefined {
  const given = json(params, "reply_parameters");
  const reply = typeof given === "object" && given !== null ? given : {};
  const id = "message_id" in reply ? Number(reply.message_id) : integer(params, "reply_to_message_id");
  if (id === undefined) return undefined;
  if (store.messageIn(chat, id)) return id;
  const lenient =
    ("allow_sending_without_reply" in reply && reply.allow_sending_without_reply === true) ||
    flag(params, "allow_sending_without_reply");
  if (!lenient) throw badRequest("message to be replied not found");
  return undefined;
}

/** The text of a text message, which must have some. */
export function readText(params: Params): FormattedText {
  const formatted = formatText({
    text: text(params, "text"),
    parseMode: text(params, "parse_mode"),
    entities: json(params, "entities"),
  });
  if (formatted.text === "") throw badRequest("message text is empty");
  return formatted;
}

/** A caption, from a call's own fields or from an album item's. */
export function readCaption(params: Params): FormattedText {
  return formatText({
    text: text(params, "caption"),
    parseMode: text(params, "parse_mode"),
    entities: json(params, "caption_entities"),
  });
}

/** Checked after the chat, as the provider does. */
export function checkText({ text: content }: FormattedText): void {
  if (codePoints(content) > limits.text) throw badRequest("message is too long");
}

export function checkCaption({ text: content }: FormattedText): void {
  if (codePoints(content) > limits.caption) throw badRequest("message caption is too long");
}
