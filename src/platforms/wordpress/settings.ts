import { root, type Setting } from "../../kernel/config/index.ts";

export const settings = {
  WORDPRESS_TWIN_ROOT: {
    group: "Providers",
    about: {
      en: "Where the sites https://<name>.wordpress.test are, which the demo and tests use. Other sites are reached at their own addresses.",
      ru: "Где находятся сайты https://<имя>.wordpress.test для demo и тестов. Остальные сайты открываются по своим адресам.",
    },
    schema: root,
  },
} as const satisfies Record<string, Setting>;
