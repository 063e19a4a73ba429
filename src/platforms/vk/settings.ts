import { root, type Setting } from "../../kernel/config/index.ts";

export const settings = {
  VK_API_ROOT: {
    group: "Providers",
    about: {
      en: "VK API server. The twin is used in demo.",
      ru: "Сервер VK API. В demo используется двойник.",
    },
    schema: root,
    fallback: "https://api.vk.ru",
  },
} as const satisfies Record<string, Setting>;
