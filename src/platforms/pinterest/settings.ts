import { root, type Setting, word } from "../../kernel/config/index.ts";

export const settings = {
  PINTEREST_API_ROOT: {
    group: "Providers",
    about: {
      en: "Pinterest API server. https://api-sandbox.pinterest.com for apps with Trial access. The twin is used in demo.",
      ru: "Сервер Pinterest API. Для приложений с доступом Trial: https://api-sandbox.pinterest.com. В demo используется двойник.",
    },
    schema: root,
    fallback: "https://api.pinterest.com",
  },
  PINTEREST_WEB_ROOT: {
    group: "Providers",
    about: {
      en: "Where people are asked to give access to their Pinterest account. The twin is used in demo.",
      ru: "Где людей просят дать доступ к их аккаунту Pinterest. В demo используется двойник.",
    },
    schema: root,
    fallback: "https://www.pinterest.com",
  },
  PINTEREST_APP_ID: {
    group: "Providers",
    about: {
      en: "Pinterest app ID. Without it and its secret nobody can connect Pinterest.",
      ru: "App ID приложения Pinterest. Без него и секрета подключить Pinterest нельзя.",
    },
    schema: word,
    example: "1234567",
  },
  PINTEREST_APP_SECRET: {
    group: "Providers",
    about: { en: "Pinterest app secret key.", ru: "App secret key приложения Pinterest." },
    schema: word,
    secret: true,
    example: "…",
  },
} as const satisfies Record<string, Setting>;
