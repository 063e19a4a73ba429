import { lasting } from "../../kernel/words/index.ts";

/** Why a task was not published, or not yet: the stored code and its text. */
export const reasons = {
  object_missing: { ru: "Объекта больше нет", en: "The object no longer exists" },
  object_archived: { ru: "Объект в архиве", en: "The object is archived" },
  chat_missing: { ru: "Чата больше нет", en: "The chat no longer exists" },
  account_missing: { ru: "Аккаунта больше нет", en: "The account no longer exists" },
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
    en: "This account and chat are no longer in the object's configuration",
  },
  account_not_connected: {
    ru: "Аккаунт не вошёл в Telegram",
    en: "The account is not signed in to Telegram",
  },
  account_inactive: { ru: "Аккаунт отключён", en: "The account is switched off" },
  chat_of_bot: {
    ru: "В этом чате публикует бот, а не аккаунты",
    en: "A bot publishes to this chat, not accounts",
  },
  chat_inactive: { ru: "Чат отключён", en: "The chat is switched off" },
  chat_not_joined: { ru: "Аккаунт ещё не вступил в чат", en: "The account has not joined the chat yet" },
  chat_not_linked: { ru: "Чат не связан с аккаунтом", en: "The chat is not linked to the account" },
  chat_not_writable: {
    ru: "Аккаунт не может писать в этот чат",
    en: "The account cannot write to this chat",
  },
  duplicate: {
    ru: "Этот аккаунт уже публиковал объект в этом чате за последние 24 часа",
    en: "This account already published the object in this chat within the last 24 hours",
  },
  no_text: { ru: "У объекта нет текста", en: "The object has no text" },
  text_refused: {
    ru: "Текст объекта нельзя отправить: {detail}",
    en: "The object's text cannot be sent: {detail}",
  },
  rate_limited: {
    ru: "Лимит отправки аккаунта: ждать {wait}",
    en: "The account's send limit: {wait} to wait",
  },
  media_unavailable: {
    ru: "Фото сейчас недоступно: {detail}",
    en: "The photo is not available right now: {detail}",
  },
  stuck: {
    ru: "Отправка не завершилась вовремя, задача возвращена",
    en: "Sending did not finish in time; the task was put back",
  },
  cancelled: { ru: "Отменено", en: "Cancelled" },
  flood_expired: {
    ru: "День прошёл, пока аккаунт ждал окончания ограничения",
    en: "The day passed while the account waited for the flood wait to end",
  },
  // Refusals of Telegram, by the driver's codes.
  flood_wait: {
    ru: "Telegram просит подождать {wait}: аккаунт отключён, включите его вручную после {until}",
    en: "Telegram asks for a wait of {wait}: the account is switched off, switch it on again after {until}",
  },
  slow_mode: {
    ru: "В чате медленный режим: следующее сообщение через {wait}",
    en: "The chat is in slow mode: the next message in {wait}",
  },
  peer_flood: {
    ru: "Telegram ограничил аккаунт за рассылку: сутки не публикуйте, проверьте @SpamBot и включите аккаунт вручную",
    en: "Telegram has restricted the account for spam: publish nothing for a day, check @SpamBot, then switch it on again",
  },
  account_banned: {
    ru: "Аккаунт удалён или заблокирован в Telegram",
    en: "The account was deleted or banned by Telegram",
  },
  account_frozen: {
    ru: "Telegram заморозил аккаунт: он может только читать",
    en: "Telegram has frozen the account: it is read-only",
  },
  session_revoked: {
    ru: "Сессия аккаунта завершена: войдите снова",
    en: "The account's session has ended: sign in again",
  },
  banned_in_chat: { ru: "Аккаунт заблокирован в чате", en: "The account is banned in the chat" },
  no_rights: {
    ru: "У аккаунта нет права писать в чат",
    en: "The account is not allowed to write in the chat",
  },
  join_required: { ru: "Сначала нужно вступить в чат", en: "The account has to join the chat first" },
  chat_unavailable: { ru: "Чат недоступен аккаунту", en: "The account cannot access the chat" },
  chat_unknown: {
    ru: "Аккаунт не знает такого чата: загрузите его чаты заново",
    en: "The account does not know this chat: reload its chats",
  },
  payment_required: {
    ru: "Чат берёт плату за сообщения",
    en: "The chat charges for messages",
  },
  content_refused: {
    ru: "Telegram не принял сообщение: {detail}",
    en: "Telegram refused the message: {detail}",
  },
  network: { ru: "Нет связи с Telegram: {detail}", en: "Telegram is unreachable: {detail}" },
  telegram_error: { ru: "Ошибка Telegram: {detail}", en: "Telegram error: {detail}" },
  outcome_unknown: {
    ru: "Ответ Telegram не пришёл: сообщение могло уйти. Повтор не создаст второго",
    en: "No answer from Telegram: the message may have been sent. A retry will not send it twice",
  },
} as const satisfies Readonly<Record<string, { readonly ru: string; readonly en: string }>>;

export type Reason = keyof typeof reasons;

/** `seconds` also fills `{wait}`. */
export type ReasonFacts = Readonly<Record<string, string | number>>;

export function isReason(code: string): code is Reason {
  return Object.hasOwn(reasons, code);
}

/** Texts stored with a task or an account are Russian. */
export function wordsOf(code: Reason, facts: ReasonFacts = {}, language: "ru" | "en" = "ru"): string {
  const { seconds } = facts;
  const told = typeof seconds === "number" ? { ...facts, wait: lasting(seconds, language) } : facts;
  return reasons[code][language].replace(/\{(\w+)\}/g, (_, name: string) => String(told[name] ?? "…"));
}
