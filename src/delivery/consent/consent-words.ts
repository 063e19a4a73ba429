import type { ConsentEnd } from "./end-consent.ts";

export const languages = ["ru", "en"] as const;
export type Language = (typeof languages)[number];

interface Words {
  readonly title: string;
  readonly text: string;
}

type Sentences = Record<ConsentEnd["kind"], Words> & {
  readonly again: string;
  readonly toBot: string;
  readonly boards: string;
  readonly noBoards: string;
};

/** `{platform}`, `{reason}` and `{name}` are replaced by facts. */
export const sentences: Record<Language, Sentences> = {
  ru: {
    forged: { title: "Ошибка авторизации", text: "Ошибка авторизации. Попробуйте заново." },
    expired: {
      title: "Ссылка истекла",
      text: "Подключение {platform} отменено. Попробуйте снова: запросите новую ссылку, она действует 30 минут.",
    },
    used: {
      title: "Ссылка уже использована",
      text: "По этой ссылке доступ уже дан. Чтобы подключить ещё раз, запросите новую.",
    },
    denied: {
      title: "Доступ не дан",
      text: "Не удалось подключить {platform}: вы не дали доступ. Ничего не сохранено.",
    },
    failed: { title: "Не удалось подключить", text: "Не удалось подключить {platform}: {reason}." },
    unavailable: {
      title: "{platform} не отвечает",
      text: "Не удалось подключить {platform}: {reason}. Попробуйте через несколько минут.",
    },
    not_configured: {
      title: "{platform} не настроен",
      text: "Администратор сервера ещё не указал приложение {platform}: {reason}",
    },
    connected: {
      title: "{platform} подключён",
      text: "Доступ сохранён под именем «{name}». Эту страницу можно закрыть.",
    },
    handed_over: { title: "{platform} подключён", text: "Вернитесь в бот, чтобы выбрать, куда публиковать." },
    again: "Попробовать снова",
    toBot: "Вернуться в бот",
    boards: "Чтобы публиковать на доску, добавьте её каналом:",
    noBoards: "У аккаунта пока нет досок. Создайте доску, затем добавьте её каналом по ссылке.",
  },
  en: {
    forged: { title: "Authorisation failed", text: "Authorisation failed. Start again." },
    expired: {
      title: "The link has expired",
      text: "Connecting {platform} was called off. Start again: ask for a new link, it is good for 30 minutes.",
    },
    used: {
      title: "The link was used",
      text: "Access was given by this link already. Ask for a new one to connect again.",
    },
    denied: {
      title: "No access was given",
      text: "{platform} could not be connected: you did not give access. Nothing was stored.",
    },
    failed: { title: "Not connected", text: "{platform} could not be connected: {reason}." },
    unavailable: {
      title: "{platform} does not answer",
      text: "{platform} could not be connected: {reason}. Try again in a few minutes.",
    },
    not_configured: {
      title: "{platform} is not set up",
      text: "The server's administrator has not named an app of {platform} yet: {reason}",
    },
    connected: {
      title: "{platform} is connected",
      text: "Access is stored under the name “{name}”. You can close this page.",
    },
    handed_over: { title: "{platform} is connected", text: "Go back to the bot and choose where to post." },
    again: "Try again",
    toBot: "Back to the bot",
    boards: "To post on a board, add it as a channel:",
    noBoards: "The account has no boards yet. Make one, then add it as a channel by its link.",
  },
};

/** The first of our languages that the browser lists; Russian if it lists none of them. */
export function languageOf(accepted: string | undefined): Language {
  const named = (accepted ?? "").toLowerCase().match(/\b(?:ru|en)\b/)?.[0];
  return named === "en" ? "en" : "ru";
}

export function filled(text: string, facts: Readonly<Record<string, string>>): string {
  return (
    text
      .replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole)
      // A provider's sentence may already end with a full stop.
      .replace(/([.!?])\.(?=\s|$)/g, "$1")
  );
}
