import type { ButtonView, ChatView, MarkView, MediaView, MessageView } from "../shared/index.ts";
import type { Button } from "./content/keyboard.ts";
import type { Markup, MarkupType } from "./content/text/index.ts";
import type { Attachment, Body, Chat, Message, User } from "./model.ts";
import type { Store } from "./store.ts";

export function chatView(store: Store, chat: Chat): ChatView {
  const shown = store.messagesOf(chat.chat_id).filter(({ deleted }) => !deleted);
  const last = shown.at(-1);
  const isDialog = chat.type === "dialog";
  return {
    provider: "max",
    id: String(chat.chat_id),
    title: (isDialog ? dialogTitle(store, chat) : chat.title) ?? String(chat.chat_id),
    kind: chat.type === "chat" ? "group" : chat.type,
    ...(chat.link !== undefined && { username: chat.link }),
    writable: chat.type !== "channel" && chat.members.some(({ status }) => status === "active"),
    ...(last && { last: { text: summary(last.body) || summary(last.link?.body), at: last.timestamp } }),
    count: shown.length,
  };
}

export function messageView(store: Store, message: Message): MessageView {
  const { link, body } = message;
  const bare = body.text === "" && body.attachments.length === 0;
  // A message that only forwards shows what it forwards.
  const shown = bare && link?.type === "forward" ? link.body : body;
  const preview = message.linkPreview ? firstLink(shown) : undefined;
  const media = shown.attachments.flatMap((attachment) => mediaView(store, attachment));
  return {
    id: body.mid,
    at: message.timestamp,
    author: { name: nameOf(message.sender), bot: message.sender.is_bot, mine: !message.sender.is_bot },
    // Stickers, contacts and places have no picture here: their name is shown.
    text: shown.text || (media.length === 0 ? summary(shown) : ""),
    marks: shown.markup.map(markView),
    media,
    buttons: buttonsOf(body).map((row) => row.map(buttonView)),
    ...(link &&
      shown === body && {
        replyTo: { id: link.body.mid, author: nameOf(link.sender), text: summary(link.body) },
      }),
    ...(preview !== undefined && { linkPreview: { url: preview } }),
    edited: message.editedAt !== undefined,
    silent: !message.notify,
    protected: false,
    ...(store.chat(message.chat_id)?.type === "channel" && { views: 0 }),
  };
}

export function buttonsOf({ attachments }: Body): Button[][] {
  return attachments.flatMap((attachment) =>
    attachment.type === "inline_keyboard" ? attachment.buttons : [],
  );
}

const markTypes: Record<MarkupType, MarkView["type"]> = {
  strong: "bold",
  emphasized: "italic",
  strikethrough: "strike",
  underline: "underline",
  monospaced: "code",
  link: "link",
  heading: "heading",
  highlighted: "highlight",
  quote: "quote",
  user_mention: "mention",
};

function markView({ type, from, length, url }: Markup): MarkView {
  return { type: markTypes[type], offset: from, length, ...(url !== undefined && { url }) };
}

function mediaView(store: Store, attachment: Attachment): MediaView[] {
  const { type } = attachment;
  if (type !== "image" && type !== "video" && type !== "audio" && type !== "file") return [];
  const media = store.media(attachment.token, type);
  if (!media) return [];
  const { blob, width, height } = media;
  return [
    {
      kind: ({ image: "photo", video: "video", audio: "audio", file: "document" } as const)[type],
      url: blob.path,
      size: blob.size,
      ...(blob.fileName !== undefined && { name: blob.fileName }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    },
  ];
}

function buttonView(button: Button): ButtonView {
  const { text } = button;
  if (button.type === "link") return { text, kind: "link", url: button.url };
  return { text, kind: button.type === "callback" ? "callback" : "other" };
}

/** A shared link is shown as a preview, independent of the text. */
function firstLink({ text, markup, attachments }: Body): string | undefined {
  const shared = attachments.find((attachment) => attachment.type === "share");
  return (
    shared?.url ?? markup.find(({ type }) => type === "link")?.url ?? /https?:\/\/[^\s<>"]+/.exec(text)?.[0]
  );
}

const kindNames: Record<Attachment["type"], string> = {
  image: "Фото",
  video: "Видео",
  audio: "Аудио",
  file: "Файл",
  sticker: "Стикер",
  contact: "Контакт",
  location: "Геопозиция",
  share: "Ссылка",
  inline_keyboard: "",
};

function summary(body: Body | undefined): string {
  if (!body) return "";
  return body.text || body.attachments.map(({ type }) => kindNames[type]).find((name) => name !== "") || "";
}

function dialogTitle(store: Store, chat: Chat): string | undefined {
  const bot = chat.members.map(({ botId }) => store.botById(botId)).find((each) => each !== undefined);
  // On the page a person talks to bots, so a dialog has the bot's name.
  return bot?.user.first_name ?? (chat.user && nameOf(chat.user));
}

function nameOf({ first_name, last_name }: User): string {
  return last_name ? `${first_name} ${last_name}` : first_name;
}
