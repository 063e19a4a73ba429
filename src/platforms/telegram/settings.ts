import { root, type Setting } from "../../kernel/config/index.ts";

export const settings = {
  TELEGRAM_API_ROOT: {
    group: "Providers",
    about: {
      en: "Telegram Bot API server; the twin is used in demo.",
      ru: "Сервер Telegram Bot API; в demo используется двойник.",
    },
    schema: root,
    fallback: "https://api.telegram.org",
  },
} as const satisfies Record<string, Setting>;
