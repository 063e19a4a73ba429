import { z } from "zod";
import { parsedUrl } from "../../shared/parsed-url.ts";
import { chatFor, demandWrite, memberOf } from "../access.ts";
import type { AuthorisedCall, Deps, Reply } from "../call.ts";
import { limits } from "../limits.ts";
import { type Account, type Chat, type Content, entityTypes, type Message } from "../model.ts";
import { demandNoPeerFlood, demandPace } from "../pace.ts";
import { post } from "../post.ts";
import { long, peer, read } from "../read.ts";
import { bad, RpcError } from "../rpc-error.ts";
import { demandThawed } from "../session.ts";
import { wireMessage } from "../wire.ts";

const entity = z.strictObject({
  type: z.enum(entityTypes),
  offset: z.int().min(0),
  length: z.int().min(1),
  url: z.string().optional(),
  language: z.string().optional(),
  user: z.strictObject({ id: z.int() }).optional(),
  custom_emoji_id: z.string().optional(),
});
const words = { text: z.string(), entities: z.array(entity).default([]), randomId: long };
const textParams = z.strictObject({ peer, ...words });
const photoParams = z.strictObject({ peer, fileId: z.string(), ...words });
const item = z.strictObject({ fileId: z.string(), ...words });
const albumParams = z.strictObject({ peer, items: z.array(item) });

type Item = z.infer<typeof item> | (Omit<z.infer<typeof item>, "fileId"> & { fileId?: undefined });

export function sendText({ account, params }: AuthorisedCall, deps: Deps): Reply {
  const { peer, ...item } = read(textParams, params);
  if (item.text.trim() === "") throw bad("MESSAGE_EMPTY");
  if ([...item.text].length > limits.text) throw bad("MESSAGE_TOO_LONG");
  return send({ account, peer, content: "plain", items: [item] }, deps);
}

export function sendPhoto({ account, params }: AuthorisedCall, deps: Deps): Reply {
  const { peer, ...item } = read(photoParams, params);
  return send({ account, peer, content: "photos", items: [item] }, deps);
}

export function sendMultiMedia({ account, params }: AuthorisedCall, deps: Deps): Reply {
  const { peer, items } = read(albumParams, params);
  if (items.length > limits.album.max) throw bad("MULTI_MEDIA_TOO_LONG");
  if (items.length < limits.album.min) throw bad("MEDIA_EMPTY");
  return send({ account, peer, content: "photos", items }, deps);
}

interface Order {
  readonly account: Account;
  readonly peer: z.infer<typeof peer>;
  readonly content: Content;
  readonly items: readonly Item[];
}

/** The checks in Telegram's order; a message appears only if all are passed. */
function send({ account, peer, content, items }: Order, deps: Deps): Reply {
  const { store, context } = deps;
  demandThawed(account);
  for (const item of items) demandContent(account, item, deps);
  const chat = chatFor(account, peer, deps);
  if (items.some(({ randomId }) => account.sent[randomId])) throw new RpcError(500, "RANDOM_ID_DUPLICATE");
  if (new Set(items.map(({ randomId }) => randomId)).size < items.length) throw bad("RANDOM_ID_INVALID");
  demandPace(account, "send", deps);
  demandNoPeerFlood(account, chat, deps);
  demandWrite(account, chat, content, deps);

  const at = context.clock.now();
  const album = items.length > 1 ? { albumId: String(store.newId()) } : {};
  const messages = items.map(
    ({ text, entities, fileId }): Message => ({
      id: chat.nextMessageId++,
      at,
      userId: account.userId,
      text,
      entities: entities.map(({ type, offset, length, url, language }) => ({
        type,
        offset,
        length,
        ...(url !== undefined && { url }),
        ...(language !== undefined && { language }),
      })),
      ...(fileId !== undefined && { fileId }),
      ...album,
    }),
  );
  remember(account, chat, items, messages);
  post(chat, messages, deps);
  return {
    body: { messages: messages.map(wireMessage) },
    created: messages.map(({ id }) => String(id)),
  };
}

function demandContent(account: Account, { text, entities, fileId }: Item, { store }: Deps): void {
  if (fileId !== undefined) {
    const file = store.file(fileId);
    if (!file || file.userId !== account.userId) throw bad("MEDIA_EMPTY");
    const longest = account.premium ? limits.premiumCaption : limits.caption;
    if ([...text].length > longest) throw bad("MEDIA_CAPTION_TOO_LONG");
  }
  if (entities.length > limits.entities) throw bad("ENTITIES_TOO_LONG");
  for (const { offset, length, type, url } of entities) {
    if (offset + length > text.length) throw bad("ENTITY_BOUNDS_INVALID");
    if (type === "text_link" && !parsedUrl(url ?? "")) throw bad("ENTITY_TEXTURL_INVALID");
  }
}

function remember(account: Account, chat: Chat, items: readonly Item[], messages: readonly Message[]): void {
  const member = memberOf(chat, account);
  items.forEach(({ randomId }, index) => {
    const message = messages[index];
    if (!message) return;
    account.sent[randomId] = { chatId: chat.id, messageId: message.id, at: message.at };
    if (member) member.lastSentAt = message.at;
  });
  const marks = Object.keys(account.sent);
  if (marks.length > limits.sentMarks) {
    for (const old of marks.slice(0, marks.length - limits.sentMarks)) delete account.sent[old];
  }
}
