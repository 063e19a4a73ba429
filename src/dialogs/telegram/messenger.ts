/** Telegram as the engine's messenger. */
import type { InlineKeyboardButton } from "grammy/types";
import type { Messenger, Screen, Shown } from "../messenger.ts";
import type { Answer, TelegramApi } from "./client.ts";

/** What the Bot API takes; lengths are UTF-16 units. */
const limits = { text: 4_096, toast: 200 } as const;
const afterFaultMs = 3_000;

export function createTelegramMessenger({ call }: TelegramApi): Messenger {
  return {
    async send(chatId, screen) {
      const parts = partsOf(screen.text);
      for (const part of parts.slice(0, -1)) {
        const sent = await call((api) => api.sendMessage(chatId, part));
        if (sent.kind !== "ok") return shownBy(sent);
      }
      const sent = await call((api) => api.sendMessage(chatId, parts.at(-1) ?? "", options(screen)));
      return sent.kind === "ok"
        ? { kind: "shown", messageId: String(sent.result.message_id) }
        : shownBy(sent);
    },
    async edit(chatId, messageId, screen) {
      if (screen.text.length > limits.text) return { kind: "gone" };
      const edited = await call((api) =>
        api.editMessageText(chatId, Number(messageId), screen.text, options(screen)),
      );
      const same = edited.kind === "refused" && edited.description.includes("message is not modified");
      if (edited.kind === "ok" || same) return { kind: "shown", messageId };
      return edited.kind === "refused" && edited.code === 400 ? { kind: "gone" } : shownBy(edited);
    },
    // What is nice to have: the person notices nothing when it is refused, too late or already so.
    async retire(chatId, messageId) {
      await call((api) => api.editMessageReplyMarkup(chatId, Number(messageId)));
    },
    async remove(chatId, messageId) {
      await call((api) => api.deleteMessage(chatId, Number(messageId)));
    },
    async answer(pressId, text) {
      const toast = text === undefined ? {} : { text: text.slice(0, limits.toast) };
      await call((api) => api.answerCallbackQuery(pressId, toast));
    },
    async typing(chatId) {
      await call((api) => api.sendChatAction(chatId, "typing"));
    },
  };
}

function shownBy(answer: Exclude<Answer<unknown>, { kind: "ok" }>): Shown {
  if (answer.kind === "unheard") return { kind: "later", afterMs: afterFaultMs };
  const { code, description, retryAfterMs } = answer;
  if (code === 429) return { kind: "later", afterMs: retryAfterMs ?? afterFaultMs };
  // A token that is revoked is replaced one day.
  if (code >= 500 || code === 401) return { kind: "later", afterMs: afterFaultMs };
  return { kind: "never", reason: description };
}

function options({ rows }: Screen) {
  const inline_keyboard = rows.map((row) =>
    row.map(
      ({ label, payload, url }): InlineKeyboardButton =>
        url !== undefined ? { text: label, url } : { text: label, callback_data: payload ?? "" },
    ),
  );
  return { reply_markup: { inline_keyboard }, link_preview_options: { is_disabled: true } };
}

/** At a line's or word's end where there is one, and never within a character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limits.text) {
    const head = rest.slice(0, limits.text);
    const gap = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(" "));
    const torn = /[\uD800-\uDBFF]$/.test(head) ? limits.text - 1 : limits.text;
    const at = gap > limits.text / 2 ? gap : torn;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...parts, rest];
}
