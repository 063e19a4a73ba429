import { lasting } from "../../kernel/words/index.ts";

/** Why a task did not end in a publication, or not yet: the code that is stored, and its words. */
export const reasons = {
  object_missing: { ru: "Объекта больше нет", en: "The object is gone" },
  object_archived: { ru: "Объект в архиве", en: "The object is archived" },
  chat_missing: { ru: "Чата больше нет", en: "The chat is gone" },
  account_missing: { ru: "Аккаунта больше нет", en: "The account is gone" },
  no_config: {
    ru: "Автопубликация объекта не настроена",
    en: "The object has no autopublish configuration",
  },
  autopublish_off: {
    ru: "Автопубликация объекта выключена",
    en: "Autopublishing is switched off for the object",
  },
  accounts_off: {
    ru: "Публикация через аккаунты для объекта выключена",
    en: "Publishing through accounts is switched off for the object",
  },
  not_in_config: {
    ru: "Аккаунта и чата больше нет в настройке объекта",
    en: "The object's configuration no longer has this account and chat",
  },
  account_not_connected: {
    ru: "Аккаунт не вошёл в Telegram",
    en: "The account is not signed in to Telegram",
  },
  account_inactive: { ru: "Аккаунт отключён", en: "The account is switched off" },
  chat_of_bot: {
    ru: "В этом чате публикует бот, а не аккаунты",
    en: "A bot publishes in this chat, not accounts",
  },
  chat_inactive: { ru: "Чат отключён", en: "The chat is switched off" },
  chat_not_joined: { ru: "Аккаунт ещё не вступил в чат", en: "The account has not joined the chat yet" },
  chat_not_linked: { ru: "Чат не связан с аккаунтом", en: "The chat is not linked with the account" },
  chat_not_writable: {
    ru: "Аккаунт не может писать в этот чат",
    en: "The account may not write in this chat",
  },
  duplicate: {
    ru: "Этот аккаунт уже публиковал объект в этом чате за последние 24 часа",
    en: "This account published the object in this chat within the last 24 hours",
  },
  no_text: { ru: "У объекта нет текста", en: "The object has no text" },
  text_refused: {
    ru: "Текст объекта нельзя отправить: {detail}",
    en: "The object's text cannot be sent: {detail}",
  },
  rate_limited: {
    ru: "Лимит отправки аккаунта: ждёт {wait}",
    en: "The account's send limit: {wait} to wait",
  },
  media_unavailable: { ru: "Фото сейчас недоступно: {detail}", en: "The photo cannot be had now: {detail}" },
  stuck: {
    ru: "Отправка не завершилась вовремя, задача возвращена",
    en: "Sending did not end in time; the task was taken back",
  },
  cancelled: { ru: "Отменено", en: "Cancelled" },
  flood_expired: {
    ru: "День прошёл, пока аккаунт ждал окончания ограничения",
    en: "The day passed while the account waited for the flood wait to end",
  },
  // What Telegram says; the codes are the driver's.
  flood_wait: {
    ru: "Telegram просит подождать {wait}: аккаунт отключён, включите его вручную после {until}",
    en: "Telegram asks to wait {wait}: the account is switched off, reactivate it by hand after {until}",
  },
  slow_mode: {
    ru: "В чате медленный режим: следующее сообщение через {wait}",
    en: "The chat is in slow mode: the next message in {wait}",
  },
  peer_flood: {
    ru: "Telegram ограничил аккаунт за рассылку: сутки не публикуйте, проверьте @SpamBot и включите аккаунт вручную",
    en: "Telegram restricts the account for spam: publish nothing for a day, ask @SpamBot, then reactivate it by hand",
  },
  account_banned: {
    ru: "Аккаунт удалён или заблокирован в Telegram",
    en: "The account is deleted or banned at Telegram",
  },
  account_frozen: {
    ru: "Telegram заморозил аккаунт: он может только читать",
    en: "Telegram has frozen the account: it may only read",
  },
  session_revoked: {
    ru: "Сессия аккаунта завершена: войдите снова",
    en: "The account's session is over: sign in again",
  },
  banned_in_chat: { ru: "Аккаунт заблокирован в чате", en: "The account is banned in the chat" },
  no_rights: { ru: "У аккаунта нет права писать в чат", en: "The account has no right to write in the chat" },
  join_required: { ru: "Сначала нужно вступить в чат", en: "The chat has to be joined first" },
  chat_unavailable: { ru: "Чат недоступен аккаунту", en: "The chat is out of the account's reach" },
  chat_unknown: {
    ru: "Аккаунт не знает такого чата: загрузите его чаты заново",
    en: "The account knows no such chat: load its chats again",
  },
  payment_required: {
    ru: "Чат берёт плату за сообщения",
    en: "The chat charges for messages",
  },
  content_refused: {
    ru: "Telegram не принял сообщение: {detail}",
    en: "Telegram refused the message: {detail}",
  },
  network: { ru: "Нет связи с Telegram: {detail}", en: "Telegram cannot be reached: {detail}" },
  telegram_error: { ru: "Ошибка Telegram: {detail}", en: "Telegram failed: {detail}" },
  outcome_unknown: {
    ru: "Ответ Telegram не пришёл: сообщение могло уйти. Повтор не создаст второго",
    en: "Telegram's answer did not come: the message may have gone. A repeat makes no second one",
  },
} as const satisfies Readonly<Record<string, { readonly ru: string; readonly en: string }>>;

export type Reason = keyof typeof reasons;

export type ReasonFacts = Readonly<Record<string, string | number>>;

export function isReason(code: string): code is Reason {
  return Object.hasOwn(reasons, code);
}

/** The words that are stored with a task or an account are Russian; `reasons` has the English ones under the same code. */
export function wordsOf(code: Reason, facts: ReasonFacts = {}, language: "ru" | "en" = "ru"): string {
  const { seconds } = facts;
  const told = typeof seconds === "number" ? { ...facts, wait: lasting(seconds, language) } : facts;
  return reasons[code][language].replace(/\{(\w+)\}/g, (_, name: string) => String(told[name] ?? "…"));
}
