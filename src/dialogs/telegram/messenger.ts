/** Telegram as the engine's messenger. */

import type { InlineKeyboardButton, MessageEntity } from "grammy/types";
import { createLossLog } from "../../content/index.ts";
import { cut } from "../../kernel/words/index.ts";
import { telegramEntities } from "../../platforms/index.ts";
import type { Formatted } from "../flow/text.ts";
import type { Messenger, Screen, Shown } from "../messenger.ts";
import type { Answer, TelegramApi } from "./client.ts";
import { download } from "./download.ts";

/** Limits of the Bot API; lengths are UTF-16 units. */
const limits = { text: 4_096, toast: 200 } as const;
const afterFaultMs = 3_000;

export function createTelegramMessenger(telegram: TelegramApi): Messenger {
  const { call } = telegram;
  return {
    longestText: limits.text,
    async send(chatId, screen) {
      const sent = await call((api) => api.sendMessage(chatId, screen.text, optionsOf(screen)));
      return sent.kind === "ok"
        ? { kind: "shown", messageId: String(sent.result.message_id) }
        : shownBy(sent);
    },
    async edit(chatId, messageId, screen) {
      const edited = await call((api) =>
        api.editMessageText(chatId, Number(messageId), screen.text, optionsOf(screen)),
      );
      const same = edited.kind === "refused" && edited.description.includes("message is not modified");
      if (edited.kind === "ok" || same) return { kind: "shown", messageId };
      return edited.kind === "refused" && edited.code === 400 ? { kind: "gone" } : shownBy(edited);
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
}

function shownBy(answer: Exclude<Answer<unknown>, { kind: "ok" }>): Shown {
  if (answer.kind === "unheard") return { kind: "later", afterMs: afterFaultMs };
  const { code, description, retryAfterMs } = answer;
  if (code === 429) return { kind: "later", afterMs: retryAfterMs ?? afterFaultMs };
  // A revoked token will be replaced.
  if (code >= 500 || code === 401) return { kind: "later", afterMs: afterFaultMs };
  return { kind: "never", reason: description };
}

function optionsOf({ rows, ...words }: Screen) {
  const inline_keyboard = rows.map((row) =>
    row.map(
      ({ label, payload, url }): InlineKeyboardButton =>
        url !== undefined ? { text: label, url } : { text: label, callback_data: payload ?? "" },
    ),
  );
  return {
    entities: entitiesOf(words),
    reply_markup: { inline_keyboard },
    link_preview_options: { is_disabled: true },
  };
}

function entitiesOf(words: Formatted): MessageEntity[] {
  // grammY's type is that of Telegram's answers, where a mention has a whole user; a request takes an id.
  return telegramEntities(words, createLossLog()) as MessageEntity[];
}
