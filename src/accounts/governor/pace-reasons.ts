import { counted as countedIn, lasting } from "../../kernel/words/index.ts";

/** Why a message waits. Placeholders are in braces. */
export const holdReasons = {
  flood_wait: {
    ru: "Telegram попросил аккаунт подождать до {until}",
    en: "Telegram asked the account to wait until {until}",
  },
  breaker_open: {
    ru: "Аккаунт отдыхает до {until}: Telegram предупреждал его, последнее предупреждение — {warning}",
    en: "The account rests until {until} after warnings from Telegram, the last one: {warning}",
  },
  breaker_trial: {
    ru: "После отдыха аккаунт пробует понемногу: следующее сообщение в {until}",
    en: "The account is resuming carefully after a rest: the next message at {until}",
  },
  slow_mode: {
    ru: "В чате медленный режим: следующее сообщение в {until}",
    en: "The chat is in slow mode: the next message at {until}",
  },
  daily_ceiling: {
    ru: "На сегодня хватит: отправлено {sent}, безопасный предел аккаунта — {ceiling}",
    en: "Done for today: {sent} sent, the account's safe limit is {ceiling}",
  },
  gap: {
    ru: "Слишком скоро после прошлого сообщения: пауза аккаунта — {gap}",
    en: "Too soon after the last message: the account's gap is {gap}",
  },
  similar_text: {
    ru: "Почти такой же текст за сутки уже ушёл в {copies} (с учётом других аккаунтов), безопасно — {most}",
    en: "A nearly identical text already went to {copies} within a day (other accounts included); {most} is the safe limit",
  },
} as const satisfies Texts;

export const paceReasons = {
  off: {
    ru: "Защита выключена: аккаунт публикует в полную силу своего режима",
    en: "Protection is off: the account publishes at the full speed of its mode",
  },
  flood_wait: holdReasons.flood_wait,
  breaker_open: holdReasons.breaker_open,
  breaker_trial: {
    ru: "Аккаунт возвращается после отдыха: ещё {trials}, между ними {gap}",
    en: "The account is coming back after a rest: {trials} more, {gap} apart",
  },
  warm_up: {
    ru: "Аккаунт разогревается: сегодня до {messages}, один текст — до {copies} в сутки. {full}",
    en: "The account is warming up: up to {messages} today, one text to {copies} a day. {full}",
  },
  seasoned: {
    ru: "Владелец назвал аккаунт опытным: без разогрева, в темпе режима и дневного лимита, пока Telegram не предупредит. За внезапную рассылку Telegram ограничивает и блокирует аккаунты",
    en: "The owner marked the account as seasoned: no warm-up, full pace of its mode and daily limit until Telegram warns it. Telegram restricts and bans accounts that suddenly send a lot",
  },
  slowed_down: {
    ru: "Аккаунт замедлен после предупреждения ({warning}) и понемногу ускоряется",
    en: "The account was slowed down after a warning ({warning}) and is recovering",
  },
  limit_known: {
    ru: "Аккаунт держится чуть ниже нагрузки, на которой Telegram его предупреждал: {limit} в день",
    en: "The account stays slightly below the load that made Telegram warn it: {limit} a day",
  },
  copies_limit_known: {
    ru: "Одинаковые тексты аккаунт повторяет реже: Telegram предупреждал на {limit} за сутки",
    en: "The account repeats the same text less often: Telegram warned it at {limit} within a day",
  },
  full_pace: {
    ru: "Ничто не сдерживает: аккаунт может публиковать до своего дневного лимита",
    en: "Nothing holds it back: the account may send up to its daily limit",
  },
} as const satisfies Texts;

/** When the warm-up ends. */
export const fullPace: Words = {
  ru: "В полную силу ({most} в день) — не раньше {day}, если публиковать каждый день и Telegram не предупредит",
  en: "Full pace ({most} a day) on {day} at the earliest, if it posts every day and Telegram does not warn it",
};
export const growing: Words = {
  ru: "Предел растёт с каждым днём работы без предупреждений Telegram",
  en: "The limit grows with every day of posting without a warning from Telegram",
};

/** Warnings, as parts of the sentences above. */
export const warningNames = {
  flood_wait: { ru: "ожидание {wait}", en: "a wait of {wait}" },
  peer_flood: { ru: "ограничение за рассылку", en: "a restriction for spam" },
  slow_mode: { ru: "медленный режим чата, {wait}", en: "slow mode in a chat, {wait}" },
  write_forbidden: { ru: "чат запретил писать", en: "a chat forbade writing" },
  account_frozen: { ru: "заморозка аккаунта", en: "the account being frozen" },
} as const satisfies Texts;

export type ReasonCode = keyof typeof holdReasons;
export type PaceReasonCode = keyof typeof paceReasons;

type Texts = Readonly<Record<string, Words>>;

export interface Words {
  readonly ru: string;
  readonly en: string;
}

export interface Reason extends Words {
  readonly code: string;
  /** When it ends, if known. */
  readonly until?: Date;
}

/** Plural forms; `few` is used in Russian only. */
const countedWords = {
  messages: {
    ru: { one: "сообщения", few: "сообщений", many: "сообщений" },
    en: { one: "message", few: "messages", many: "messages" },
  },
  moreMessages: {
    ru: { one: "сообщение", few: "сообщения", many: "сообщений" },
    en: { one: "message", few: "messages", many: "messages" },
  },
  /** "to so many chats" */
  chats: {
    ru: { one: "чата", few: "чатов", many: "чатов" },
    en: { one: "chat", few: "chats", many: "chats" },
  },
  intoChats: {
    ru: { one: "чат", few: "чата", many: "чатов" },
    en: { one: "chat", few: "chats", many: "chats" },
  },
} as const;

/** `14 messages`, in the grammatical case of the sentences above. */
export function counted(what: keyof typeof countedWords, count: number): Words {
  const inLanguage = (language: "ru" | "en") => {
    const words = countedWords[what][language];
    return countedIn(count, { ...words, other: words.many }, language);
  };
  return { ru: inLanguage("ru"), en: inLanguage("en") };
}

/** `12 minutes`. */
export function span(seconds: number): Words {
  return { ru: lasting(seconds, "ru"), en: lasting(seconds, "en") };
}

/** `30 November`, in the account's time zone. */
export function dayName(at: number, timezone: string): Words {
  const named = (language: string) =>
    new Intl.DateTimeFormat(language, { timeZone: timezone, day: "numeric", month: "long" }).format(at);
  return { ru: named("ru-RU"), en: named("en-GB") };
}

/** Fills the placeholders; a value may be given in both languages. */
export function fill(words: Words, facts: Readonly<Record<string, string | number | Words>>): Words {
  const inLanguage = (language: "ru" | "en") =>
    words[language].replace(/\{(\w+)\}/g, (_, name: string) => {
      const fact = facts[name];
      return typeof fact === "object" ? fact[language] : String(fact ?? "…");
    });
  return { ru: inLanguage("ru"), en: inLanguage("en") };
}
