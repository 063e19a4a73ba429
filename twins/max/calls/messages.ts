import { z } from "zod";
import { chatForBot, demandPermission, demandWrite, dialogForBot, memberOf } from "../access.ts";
import { attach } from "../content/attachments.ts";
import { type NewMessage, newMessage } from "../content/new-message.ts";
import { formatted } from "../content/text/index.ts";
import { refuse } from "../errors.ts";
import { limits, rates } from "../limits.ts";
import type { Body, Bot, Content, Linked, Message } from "../model.ts";
import { change, post, remove } from "../post.ts";
import { flag, int, read } from "../read.ts";
import type { Max } from "../twin.ts";
import { wireMessage } from "../wire.ts";
import type { ApiCall, Reply } from "./routes.ts";

/** `POST /messages` */
export async function sendMessage(max: Max, { bot, query, body }: ApiCall): Promise<Reply> {
  const { user_id, chat_id, disable_link_preview } = read(sendQuery, query);
  const request = read(newMessage, body);
  const place = placeFor(max, bot, chat_id, user_id);
  demandWrite(place);
  const link = request.link ? linkTo(max, bot, place.chat.chat_id, request.link) : undefined;
  const content = contentOf(request, await attach(max, request.attachments ?? []));
  demandContent(content, link);
  if (tooFast(max, place.chat.chat_id)) throw refuse.rate();

  const message = post(max, {
    chat: place.chat,
    sender: bot.user,
    content,
    link,
    notify: request.notify ?? true,
    linkPreview: !disable_link_preview,
  });
  return { body: { message: wireMessage(max, message) }, created: [message.body.mid] };
}

/** `PUT /messages` */
export async function editMessage(max: Max, { bot, query, body }: ApiCall): Promise<Reply> {
  const { message_id } = read(z.object({ message_id: z.string().min(1) }), query);
  const request = read(newMessage, body);
  const message = messageForBot(max, bot, message_id);
  if (message.sender.user_id !== bot.user.user_id) throw refuse.denied("Only own messages can be edited");
  demandWrite(chatForBot(max.store, bot, message.chat_id));
  const late = tooLateToEdit(max, message);
  if (late) return { body: { success: false, message: late } };
  await applyEdit(max, bot, message, request);
  return { body: { success: true } };
}

/** Replaces what the request names and keeps the rest: null keeps the attachments, an empty list removes them. */
export async function applyEdit(max: Max, bot: Bot, message: Message, request: NewMessage): Promise<void> {
  const { text, attachments } = request;
  const kept = message.body;
  const attached = attachments ? await attach(max, attachments) : kept.attachments;
  const content =
    text === undefined || text === null
      ? { text: kept.text, markup: kept.markup, attachments: attached }
      : contentOf(request, attached);
  const link = request.link ? linkTo(max, bot, message.chat_id, request.link) : message.link;
  demandContent(content, link);
  change(max, message, { content, link });
}

/** `DELETE /messages` */
export function deleteMessage(max: Max, { bot, query }: ApiCall): Reply {
  const { message_id } = read(z.object({ message_id: z.string().min(1) }), query);
  const message = messageForBot(max, bot, message_id);
  const { chat, member } = chatForBot(max.store, bot, message.chat_id);
  if (message.sender.user_id !== bot.user.user_id) {
    if (chat.type === "dialog") throw refuse.denied("Messages of the other side cannot be deleted");
    demandPermission(member, "delete");
  }
  remove(max, message);
  return { body: { success: true } };
}

/** `GET /messages`, newest first. */
export function listMessages(max: Max, { bot, query }: ApiCall): Reply {
  const { chat_id, message_ids, count, ...times } = read(listQuery, query);
  if (message_ids !== undefined) {
    const found = message_ids.split(",").flatMap((mid) => {
      const message = max.store.message(mid);
      return message && !message.deleted && canRead(max, bot, message) ? wireMessage(max, message) : [];
    });
    return { body: { messages: found } };
  }
  if (chat_id === undefined) throw refuse.payload("`chat_id` or `message_ids` is required");
  chatForBot(max.store, bot, chat_id);
  const { earliest, latest } = period(times);
  const found: Message[] = [];
  for (const message of max.store.messagesOf(chat_id).toReversed()) {
    if (found.length === count || message.timestamp < earliest) break;
    if (!message.deleted && message.timestamp <= latest) found.push(message);
  }
  return { body: { messages: found.map((message) => wireMessage(max, message)) } };
}

/** `GET /messages/{mid}` */
export function getMessage(max: Max, { bot, params }: ApiCall): Reply {
  return { body: wireMessage(max, messageForBot(max, bot, params.mid ?? "")) };
}

const sendQuery = z.object({
  user_id: int.optional(),
  chat_id: int.optional(),
  disable_link_preview: flag.optional(),
});

const listQuery = z.object({
  chat_id: int.optional(),
  message_ids: z.string().optional(),
  from: int.optional(),
  to: int.optional(),
  after: int.optional(),
  before: int.optional(),
  count: int.pipe(z.number().min(1).max(limits.page.messages)).default(50),
});

/**
 * The provider's documents disagree on whether `from` is the older or the newer end; so, if both are given, they are
 * the two ends of a period in either order. Alone, `from` is its beginning and `to` its end.
 */
function period({
  from,
  to,
  after,
  before,
}: Pick<z.infer<typeof listQuery>, "from" | "to" | "after" | "before">) {
  const [older, newer] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to];
  return {
    earliest: Math.max(older ?? 0, after ?? 0),
    latest: Math.min(newer ?? Number.POSITIVE_INFINITY, before ?? Number.POSITIVE_INFINITY),
  };
}

function placeFor({ store }: Max, bot: Bot, chatId: number | undefined, userId: number | undefined) {
  if (chatId !== undefined && userId === undefined) return chatForBot(store, bot, chatId);
  if (userId !== undefined && chatId === undefined) return dialogForBot(store, bot, userId);
  throw refuse.payload("Exactly one of `chat_id` and `user_id` is required");
}

function messageForBot(max: Max, bot: Bot, mid: string): Message {
  const message = max.store.message(mid);
  if (!message || message.deleted || !canRead(max, bot, message)) throw refuse.notFound(`Message ${mid}`);
  return message;
}

function canRead({ store }: Max, bot: Bot, message: Message): boolean {
  const chat = store.chat(message.chat_id);
  return chat !== undefined && memberOf(chat, bot)?.status === "active";
}

function linkTo(max: Max, bot: Bot, chatId: number, { type, mid }: NonNullable<NewMessage["link"]>): Linked {
  const target = messageForBot(max, bot, mid);
  if (type === "reply" && target.chat_id !== chatId) throw refuse.notFound(`Message ${mid}`);
  const body = type === "forward" ? withoutKeyboard(target.body) : target.body;
  return { type, sender: target.sender, chat_id: target.chat_id, body: structuredClone(body) };
}

/** Buttons are lost in forwarding. */
function withoutKeyboard(body: Body): Body {
  return { ...body, attachments: body.attachments.filter(({ type }) => type !== "inline_keyboard") };
}

function contentOf({ text, format }: NewMessage, attachments: Content["attachments"]): Content {
  return { ...formatted(text ?? "", format ?? undefined), attachments };
}

function demandContent({ text, attachments }: Content, link: Linked | undefined): void {
  const empty = text.trim() === "" && attachments.length === 0 && link?.type !== "forward";
  if (empty) throw refuse.payload("Message must have text, attachments or a forwarded message");
}

function tooFast({ context, rates: counted }: Max, chatId: number): boolean {
  if (!context.options.rateLimits) return false;
  const rate = { key: `chat ${chatId}`, count: rates.messagesPerChat, perMs: rates.windowMs };
  return counted.take([rate]) !== undefined;
}

/** In a dialog a message without buttons can be edited for seven days only. */
function tooLateToEdit({ context, store }: Max, message: Message): string | undefined {
  const hasKeyboard = message.body.attachments.some(({ type }) => type === "inline_keyboard");
  if (store.chat(message.chat_id)?.type !== "dialog" || hasKeyboard) return undefined;
  const age = context.clock.now() - message.timestamp;
  return age > limits.editInDialogMs ? "Message is too old to be edited" : undefined;
}
