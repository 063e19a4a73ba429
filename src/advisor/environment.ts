import { z } from "zod";
import { oneOf, settingGroup, takesPublishedSecrets, wholeNumber, word } from "../kernel/config/index.ts";
import { isPublished } from "../kernel/crypto/index.ts";

/** Names as the document of the advisor has them. */
export const advisorSettings = settingGroup(
  {
    APP_ENV: {
      group: "Advisor",
      about: {
        en: "prod: the advisor refuses plain HTTP from outside, as it does when MOLVA_PUBLIC_URL is https; dev: it does not.",
        ru: "prod: советник не принимает обычный HTTP снаружи, как и при MOLVA_PUBLIC_URL с https; dev: принимает.",
      },
      schema: oneOf("prod", "dev"),
      fallback: "dev",
    },
    APP_VERSION: {
      group: "Advisor",
      about: {
        en: "The version that GET /v1/health tells.",
        ru: "Версия, которую называет GET /v1/health.",
      },
      schema: word,
      shownFallback: "the version of Molva",
      example: "0.1.0",
    },
    BOT_BACKEND_TOKEN: {
      group: "Advisor",
      about: {
        en: "What clients of the advisor send as Authorization: Bearer; without it /v1 answers nobody, except in the demo on loopback, where molva-demo-advisor-token opens it and which is the only place that takes this token.",
        ru: "Что клиенты советника передают в Authorization: Bearer; без него /v1 никому не отвечает, кроме демонстрации на loopback: там, и только там, подходит molva-demo-advisor-token.",
      },
      schema: z.string().regex(/^\S{16,}$/, "must have at least 16 characters and no spaces"),
      secret: true,
    },
    DEFAULT_FREE_TTL_SEC: {
      group: "Advisor",
      about: {
        en: "How long a talk on the Free plan is remembered after its last question.",
        ru: "Сколько секунд после последнего вопроса помнится разговор на тарифе Free.",
      },
      schema: wholeNumber(60, 86_400),
      fallback: 3600,
    },
    PRO_SESSION_TTL_SEC: {
      group: "Advisor",
      about: {
        en: "The same on the Pro plan.",
        ru: "То же на тарифе Pro.",
      },
      schema: wholeNumber(60, 31_536_000),
      fallback: 2_592_000,
    },
    SESSION_MAX_TURNS: {
      group: "Advisor",
      about: {
        en: "Questions with answers of a talk that the model is shown.",
        ru: "Сколько последних вопросов с ответами видит модель.",
      },
      schema: wholeNumber(0, 50),
      fallback: 6,
    },
    FREE_DAILY_LIMIT: {
      group: "Advisor",
      about: {
        en: "Questions a day (UTC) on the Free plan.",
        ru: "Вопросов в день (UTC) на тарифе Free.",
      },
      schema: wholeNumber(0, 100_000),
      fallback: 3,
    },
    COOLDOWN_SEC: {
      group: "Advisor",
      about: {
        en: "The least time between two questions on the Free plan.",
        ru: "Наименьшее время между вопросами на тарифе Free, в секундах.",
      },
      schema: wholeNumber(0, 86_400),
      fallback: 25,
    },
    PRO_RESEARCH_LIMIT: {
      group: "Advisor",
      about: {
        en: "Pieces of research a month on the Pro plan.",
        ru: "Глубоких разборов в месяц на тарифе Pro.",
      },
      schema: wholeNumber(0, 100_000),
      fallback: 2,
    },
    PRO_VISION_IMAGE_LIMIT_MONTH: {
      group: "Advisor",
      about: {
        en: "Photos a month on the Pro plan.",
        ru: "Фотографий в месяц на тарифе Pro.",
      },
      schema: wholeNumber(0, 100_000),
      fallback: 30,
    },
  },
  ({ BOT_BACKEND_TOKEN: token }, config) =>
    token && isPublished(token) && !takesPublishedSecrets(config)
      ? [
          "BOT_BACKEND_TOKEN is the demo's, which anybody can read in Molva's documents: set one of your own, such as `openssl rand -hex 32` makes",
        ]
      : [],
);
