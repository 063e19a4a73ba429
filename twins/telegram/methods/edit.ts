import { chatOf, checkPresence, hasRight } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { Deps, Method, MethodCall } from "../call.ts";
import { readKeyboard } from "../keyboard.ts";
import { type Chat, isBotAuthor, type Message } from "../model.ts";
import { flag, integer, json, text } from "../params.ts";
import { checkCaption, checkText, publish, readCaption, readText } from "../posting.ts";
import { messageFor } from "../wire.ts";
import { readInputMedia } from "./input-media.ts";
import { fileOf, lookOf } from "./send-media.ts";
import { readLinkPreview } from "./send-message.ts";

type Content = Pick<Message, "text" | "entities" | "media" | "captionAbove" | "keyboard" | "linkPreview">;

export const editMessageText: Method = (call, deps) => {
  const formatted = readText(call.params);
  const linkPreview = readLinkPreview(call.params);
  const { chat, message } = editable(call, deps);
  if (message.media) throw badRequest("there is no text in the message to edit");
  checkText(formatted);
  return replace(call, deps, chat, message, { ...formatted, ...(linkPreview && { linkPreview }) });
};

export const editMessageCaption: Method = (call, deps) => {
  const caption = readCaption(call.params);
  const { chat, message } = editable(call, deps);
  if (!message.media) throw badRequest("there is no caption in the message to edit");
  checkCaption(caption);
  return replace(call, deps, chat, message, {
    ...caption,
    media: message.media,
    ...(flag(call.params, "show_caption_above_media") && { captionAbove: true }),
  });
};

export const editMessageMedia: Method = async (call, deps) => {
  const given = json(call.params, "media");
  const item = readInputMedia(
    given,
    ["photo", "video", "animation", "audio", "document"],
    "editMessageMedia",
  );
  const caption = readCaption(item.fields);
  const { chat, message } = editable(call, deps);
  checkCaption(caption);
  const before = message.media && deps.store.file(message.media.fileUid)?.kind;
  if (message.albumId !== undefined && companyOf(item.kind) !== companyOf(before))
    throw badRequest("can't use the media of the specified type in the album");
  const file = await fileOf(call, deps, item.kind, item.fields, item.media);
  return replace(call, deps, chat, message, { ...caption, ...lookOf(item.fields, file) });
};

export const editMessageReplyMarkup: Method = (call, deps) => {
  const { chat, message } = editable(call, deps);
  const { text, entities, media, captionAbove, linkPreview } = message;
  return replace(call, deps, chat, message, {
    text,
    entities,
    ...(media && { media }),
    ...(captionAbove && { captionAbove }),
    ...(linkPreview && { linkPreview }),
  });
};

/** An album has one group of kinds: photos with videos, sounds, or files. */
function companyOf(kind: string | undefined): string | undefined {
  return kind === "video" ? "photo" : kind;
}

function editable({ bot, params }: MethodCall, { store }: Deps): { chat: Chat; message: Message } {
  if (text(params, "inline_message_id") !== "") throw badRequest("MESSAGE_ID_INVALID");
  const chat = chatOf(store, params);
  const member = checkPresence(chat, bot);
  const id = integer(params, "message_id");
  if (id === undefined) throw badRequest("message identifier is not specified");
  const message = store.messageIn(chat, id);
  if (!message) throw badRequest("message to edit not found");
  const own = isBotAuthor(message.author) && message.author.botId === bot.id;
  const editor = chat.type === "channel" && hasRight(member, "can_edit_messages");
  if ((!own && !editor) || message.forwardOf) throw badRequest("message can't be edited");
  return { chat, message };
}

/** Replaces the message's content; its keyboard is removed unless the call has one, as the provider does. */
function replace(
  { bot, params }: MethodCall,
  deps: Deps,
  chat: Chat,
  message: Message,
  content: Omit<Content, "keyboard">,
): Record<string, unknown> {
  const keyboard = readKeyboard(json(params, "reply_markup"), chat.type);
  if (keyboard && !keyboard.inline) throw badRequest("inline keyboard expected");
  const next: Content = { ...content, ...(keyboard && { keyboard }) };
  if (fingerprint(next) === fingerprint(message)) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  }
  for (const field of ["media", "captionAbove", "keyboard", "linkPreview"] as const) delete message[field];
  Object.assign(message, next, { editedAt: deps.context.clock.now() });
  deps.store.changed();
  publish(chat, message, deps);
  return messageFor(bot, chat, message, deps.store);
}

function fingerprint({ text, entities, media, captionAbove, keyboard, linkPreview }: Content): string {
  const inline = keyboard?.inline ? keyboard.rows : null;
  return JSON.stringify([text, entities, media ?? null, captionAbove ?? false, inline, linkPreview ?? null]);
}
