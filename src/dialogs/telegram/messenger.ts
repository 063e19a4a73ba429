/** Telegram as the engine's messenger, by way of grammY. */
import { Api, GrammyError, HttpError } from "grammy";
import type { InlineKeyboardButton } from "grammy/types";
import type { Messenger, Screen, Shown } from "../messenger.ts";

export interface TelegramSettings {
  readonly token: string;
  /** Without a trailing slash. */
  readonly apiRoot: string;
  readonly requestTimeoutSeconds?: number;
}

/** What the Bot API takes; lengths are UTF-16 units. */
const limits = { text: 4_096, toast: 200 } as const;
const afterFaultMs = 3_000;

export function telegramApi({ token, apiRoot, requestTimeoutSeconds = 30 }: TelegramSettings): Api {
  return new Api(token, { apiRoot, timeoutSeconds: requestTimeoutSeconds });
}

export function createTelegramMessenger(api: Api): Messenger {
  return {
    async send(chatId, screen) {
      return attempt(async () => {
        const parts = partsOf(screen.text);
        for (const part of parts.slice(0, -1)) await api.sendMessage(chatId, part);
        const { message_id } = await api.sendMessage(chatId, parts.at(-1) ?? "", options(screen));
        return { kind: "shown", messageId: String(message_id) };
      });
    },
    async edit(chatId, messageId, screen) {
      if (screen.text.length > limits.text) return { kind: "gone" };
      const shown: Shown = { kind: "shown", messageId };
      return attempt(async () => {
        try {
          await api.editMessageText(chatId, Number(messageId), screen.text, options(screen));
          return shown;
        } catch (error) {
          if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
          return error.description.includes("message is not modified") ? shown : { kind: "gone" };
        }
      });
    },
    retire: (chatId, messageId) => lightly(() => api.editMessageReplyMarkup(chatId, Number(messageId))),
    remove: (chatId, messageId) => lightly(() => api.deleteMessage(chatId, Number(messageId))),
    answer: (pressId, text) =>
      lightly(() =>
        api.answerCallbackQuery(pressId, text === undefined ? {} : { text: text.slice(0, limits.toast) }),
      ),
    typing: (chatId) => lightly(() => api.sendChatAction(chatId, "typing")),
  };
}

async function attempt(call: () => Promise<Shown>): Promise<Shown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof HttpError) return { kind: "later", afterMs: afterFaultMs };
    if (!(error instanceof GrammyError)) throw error;
    if (error.error_code === 429)
      return { kind: "later", afterMs: (error.parameters.retry_after ?? 1) * 1_000 };
    if (error.error_code >= 500 || error.error_code === 401) return { kind: "later", afterMs: afterFaultMs };
    return { kind: "never", reason: error.description };
  }
}

/** What is nice to have: the person notices nothing when it is refused, too late or already so. */
async function lightly(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof GrammyError || error instanceof HttpError)) throw error;
  }
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
