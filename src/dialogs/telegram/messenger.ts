/** Telegram as the engine's messenger. */

import type { InlineKeyboardButton, KeyboardButton, MessageEntity } from "grammy/types";
import { createLossLog } from "../../content/index.ts";
import { cut } from "../../kernel/words/index.ts";
import { telegramEntities } from "../../platforms/index.ts";
import type { Formatted } from "../flow/text.ts";
import type { Messenger, Outgoing, OutgoingFile, Screen, ScreenButton, Shown } from "../messenger.ts";
import type { Answer, SentMessage, TelegramApi, Upload } from "./client.ts";
import { download } from "./download.ts";

/** Limits of the Bot API; lengths are UTF-16 units. */
const limits = { text: 4_096, caption: 1_024, toast: 200 } as const;
const afterFaultMs = 3_000;

export function createTelegramMessenger(telegram: TelegramApi): Messenger {
  const { call, upload } = telegram;
  /** Set when Telegram has refused coloured buttons and taken plain ones: some servers are older than colours. */
  let isPlain = false;

  return {
    longestText: limits.text,
    longestCaption: limits.caption,
    async send(chatId, screen) {
      const sent = await coloured(screen, (markup) =>
        screen.picture
          ? uploaded("sendPhoto", { chat_id: chatId, ...captionOf(screen), reply_markup: markup }, [
              { field: "photo", file: screen.picture, fileName: "photo" },
            ])
          : call((api) =>
              api.sendMessage(chatId, screen.text, { ...optionsOf(screen), reply_markup: markup }),
            ),
      );
      if (sent.kind === "ok") return { kind: "shown", messageId: String(sent.result.message_id) };
      // Without its picture it may still be shown.
      return screen.picture ? fileShownBy(sent) : shownBy(sent);
    },
    async edit(chatId, messageId, screen) {
      const edited = await coloured<unknown>(screen, (markup) => {
        const place = { chat_id: chatId, message_id: Number(messageId) };
        // An edit takes buttons under the message only.
        if (!("inline_keyboard" in markup)) throw new TypeError("a keyboard below the chat cannot be edited");
        if (!screen.picture)
          return call((api) =>
            api.editMessageText(chatId, Number(messageId), screen.text, {
              ...optionsOf(screen),
              reply_markup: markup,
            }),
          );
        const media = { type: "photo", media: nameOf(screen.picture, "photo"), ...captionOf(screen) };
        return upload("editMessageMedia", { ...place, media, reply_markup: markup }, [
          ...attached(screen.picture, "photo", "photo"),
        ]);
      });
      const same = edited.kind === "refused" && edited.description.includes("message is not modified");
      if (edited.kind === "ok" || same) return { kind: "shown", messageId };
      return edited.kind === "refused" && edited.code === 400 ? { kind: "gone" } : shownBy(edited);
    },
    async sendFile(chatId, outgoing) {
      const sent = await sendOutgoing(chatId, outgoing);
      return sent.kind === "ok"
        ? { kind: "shown", messageId: String(sent.result.message_id) }
        : fileShownBy(sent);
    },
    async invoice(chatId, { title, description, payload, label, amount, currency }) {
      // A forwarded copy opens the bot instead of selling this person's invoice to others.
      const other = { start_parameter: "pay", provider_token: "" };
      const prices = [{ label, amount }];
      const sent = await call((api) =>
        api.sendInvoice(chatId, title, description, payload, currency, prices, other),
      );
      if (sent.kind === "ok") return { kind: "shown", messageId: String(sent.result.message_id) };
      const shown = shownBy(sent);
      return shown.kind === "never" && sent.kind === "refused" && sent.code === 400
        ? { kind: "gone" }
        : shown;
    },
    // Optional calls: a refusal has no effect for the person.
    async retire(chatId, messageId) {
      await call((api) => api.editMessageReplyMarkup(chatId, Number(messageId)));
    },
    async remove(chatId, messageId) {
      await call((api) => api.deleteMessage(chatId, Number(messageId)));
    },
    async answer(pressId, text) {
      const toast = text === undefined ? {} : { text: cut(text, limits.toast) };
      await call((api) => api.answerCallbackQuery(pressId, toast));
    },
    async typing(chatId) {
      await call((api) => api.sendChatAction(chatId, "typing"));
    },
    async draft(chatId, id, words) {
      const entities = entitiesOf(words);
      const shown = await call((api) => api.sendMessageDraft(Number(chatId), id, words.text, { entities }));
      // After a 429 the next draft may succeed; any other refusal will repeat.
      return shown.kind !== "refused" || shown.code === 429;
    },
    download: (fileId, longest, signal) => download(fileId, { longest, signal, telegram }),
  };

  /** Sends buttons in colour, and plain if Telegram refuses colours. */
  async function coloured<Result>(
    screen: Screen,
    send: (markup: Markup) => Promise<Answer<Result>>,
  ): Promise<Answer<Result>> {
    const hasColours = [...screen.rows, ...(screen.keyboard ?? [])].flat().some(({ style }) => style);
    const answer = await send(markupOf(screen, !isPlain));
    const refused = answer.kind === "refused" && answer.code === 400 && aboutButtons.test(answer.description);
    if (!refused || !hasColours || isPlain) return answer;
    const plain = await send(markupOf(screen, false));
    if (plain.kind === "ok") isPlain = true;
    return plain;
  }

  function sendOutgoing(chatId: string, outgoing: Outgoing): Promise<Answer<SentMessage>> {
    if (outgoing.kind === "album") {
      const media = outgoing.photos.map(({ file, caption }, index) => ({
        ...{ type: "photo", media: nameOf(file, `photo${index}`) },
        ...captionOf(caption),
      }));
      const files = outgoing.photos.flatMap(({ file }, index) => attached(file, `photo${index}`, "photo"));
      return upload("sendMediaGroup", { chat_id: chatId, media }, files);
    }
    const fields = { chat_id: chatId, ...captionOf(outgoing.caption) };
    return outgoing.kind === "photo"
      ? uploaded("sendPhoto", fields, [{ field: "photo", file: outgoing.file, fileName: "photo" }])
      : uploaded("sendDocument", fields, [
          { field: "document", file: outgoing.file, fileName: outgoing.name },
        ]);
  }

  function uploaded(
    method: string,
    fields: Readonly<Record<string, unknown>>,
    files: readonly { readonly field: string; readonly file: OutgoingFile; readonly fileName: string }[],
  ): Promise<Answer<SentMessage>> {
    const named = Object.fromEntries(files.map(({ field, file }) => [field, nameOf(file, field)]));
    return upload(
      method,
      { ...fields, ...named },
      files.flatMap(({ field, file, fileName }) => attached(file, field, fileName)),
    );
  }
}

/** A refusal that plain buttons may avoid. */
const aboutButtons = /button|style|markup|keyboard/i;

type Markup =
  | { readonly inline_keyboard: InlineKeyboardButton[][] }
  | { readonly remove_keyboard: true }
  | { readonly keyboard: KeyboardButton[][]; readonly resize_keyboard: true; readonly is_persistent: true };

function nameOf(file: OutgoingFile, field: string): string {
  return "url" in file ? file.url : `attach://${field}`;
}

function attached(file: OutgoingFile, name: string, fileName: string): Upload[] {
  return "url" in file ? [] : [{ name, fileName, bytes: file.bytes }];
}

function captionOf(words: Formatted) {
  return words.text === "" ? {} : { caption: words.text, caption_entities: entitiesOf(words) };
}

/** Telegram refuses this file, or the whole chat. */
function fileShownBy(answer: Exclude<Answer<unknown>, { kind: "ok" }>): Shown {
  const shown = shownBy(answer);
  const isFile = answer.kind === "refused" && (answer.code === 400 || answer.code === 413);
  return shown.kind === "never" && isFile ? { kind: "gone" } : shown;
}

function shownBy(answer: Exclude<Answer<unknown>, { kind: "ok" }>): Shown {
  if (answer.kind === "unheard") return { kind: "later", afterMs: afterFaultMs };
  const { code, description, retryAfterMs } = answer;
  if (code === 429) return { kind: "later", afterMs: retryAfterMs ?? afterFaultMs };
  // A revoked token will be replaced.
  if (code >= 500 || code === 401) return { kind: "later", afterMs: afterFaultMs };
  return { kind: "never", reason: description };
}

function optionsOf(words: Formatted) {
  return { entities: entitiesOf(words), link_preview_options: { is_disabled: true } };
}

function markupOf({ rows, keyboard }: Screen, inColour: boolean): Markup {
  const look = (style: ScreenButton["style"]) => (inColour && style ? { style } : {});
  if (keyboard?.length === 0) return { remove_keyboard: true };
  if (keyboard)
    return {
      keyboard: keyboard.map((row) => row.map(({ label, style }) => ({ text: label, ...look(style) }))),
      resize_keyboard: true,
      is_persistent: true,
    };
  return {
    inline_keyboard: rows.map((row) =>
      row.map(({ label, payload, url, copy, style }): InlineKeyboardButton => {
        const face = { text: label, ...look(style) };
        if (url !== undefined) return { ...face, url };
        if (copy !== undefined) return { ...face, copy_text: { text: copy } };
        return { ...face, callback_data: payload ?? "" };
      }),
    ),
  };
}

function entitiesOf(words: Formatted): MessageEntity[] {
  // grammY's type is that of Telegram's answers, where a mention has a whole user; a request takes an id.
  return telegramEntities(words, createLossLog()) as MessageEntity[];
}
