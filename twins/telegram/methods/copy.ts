import { type Content, chatOf, checkPosting, checkPresence } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { Deps, Method, MethodCall } from "../call.ts";
import type { Chat, Message } from "../model.ts";
import { integer } from "../params.ts";
import { checkCaption, type Draft, post, readCaption, readOptions } from "../posting.ts";
import { authorName } from "../view.ts";

export const copyMessage: Method = (call, deps) => {
  const { message } = original(call, deps, "message to copy not found");
  const caption = call.params.fields.has("caption") && message.media ? readCaption(call.params) : undefined;
  const target = targetOf(call, deps, message);
  if (caption) checkCaption(caption);
  const [posted] = post(call, deps, target, [{ ...contentOf(message), ...caption }]);
  return { message_id: posted?.message_id };
};

export const forwardMessage: Method = (call, deps) => {
  const { chat, message } = original(call, deps, "message to forward not found");
  const target = targetOf(call, deps, message);
  const forwardOf = message.forwardOf ?? {
    at: message.at,
    chatId: chat.id,
    messageId: message.id,
    author: authorName(chat, message, deps.store),
  };
  return post(call, deps, target, [{ ...contentOf(message), forwardOf }])[0];
};

function original(
  { bot, params }: MethodCall,
  { store }: Deps,
  missing: string,
): { chat: Chat; message: Message } {
  const chat = chatOf(store, params, "from_chat_id");
  checkPresence(chat, bot);
  const message = store.messageIn(chat, integer(params, "message_id") ?? 0);
  if (!message) throw badRequest(missing);
  if (message.protected) throw badRequest("message can't be forwarded");
  return { chat, message };
}

function targetOf({ bot, params }: MethodCall, deps: Deps, { media }: Message) {
  const chat = chatOf(deps.store, params);
  const content: Content = (media && deps.store.file(media.fileUid)?.kind) ?? "text";
  checkPosting(chat, bot, content);
  return { chat, contents: [content], options: readOptions(params, chat, deps) };
}

function contentOf({ text, entities, media, captionAbove, linkPreview }: Message): Draft {
  return {
    text,
    entities,
    ...(media && { media }),
    ...(captionAbove && { captionAbove }),
    ...(linkPreview && { linkPreview }),
  };
}
