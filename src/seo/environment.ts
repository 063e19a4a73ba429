import { z } from "zod";
import { oneOf, settingGroup, wholeNumber } from "../kernel/config/index.ts";

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    // Intl throws for names that it does not know.
    return false;
  }
}

/** Names as the document of SEO Master has them. */
export const seoSettings = settingGroup({
  ADMIN_ID: {
    group: "SEO Master",
    about: {
      en: "The Telegram id of SEO Master's administrator, or several with commas: they see the administration and pay nothing.",
      ru: "Telegram-id администратора SEO Master или несколько через запятую: им открыта админка, и они не платят.",
    },
    schema: z
      .string()
      .regex(/^[1-9]\d{0,15}(?:,[1-9]\d{0,15})*$/, "must be a Telegram id, or several with commas")
      .transform((ids) => ids.split(",").map(Number)),
    example: "123456789",
  },
  SEO_SUPPORT: {
    group: "SEO Master",
    about: {
      en: "Where people of SEO Master's bot get help: a Telegram name such as @shop_support, or an https address. Without it the bot offers no support.",
      ru: "Куда пользователям бота SEO Master писать за помощью: имя в Telegram, например @shop_support, или адрес https. Без неё бот не предлагает поддержку.",
    },
    schema: z
      .string()
      .regex(/^(?:@[A-Za-z][A-Za-z0-9_]{3,31}|https:\/\/\S{3,200})$/, "must be a @name or an https address"),
    example: "@shop_support",
  },
  SEO_REVIEWS: {
    group: "SEO Master",
    about: {
      en: "Whether people may have sample reviews written (on). They are for the look of a page and are never marked up as customers' reviews; publishing them as such is against the law in many countries.",
      ru: "Можно ли заказывать образцы отзывов (on). Они нужны для вида страницы и никогда не размечаются как отзывы покупателей; выдавать их за настоящие во многих странах запрещено законом.",
    },
    schema: oneOf("on", "off"),
    fallback: "off",
  },
  TELEGRAM_BOT_TOKEN: {
    group: "SEO Master",
    about: {
      en: "The token of SEO Master's bot. At its start Molva keeps it, encrypted, as the credential telegram/seo-bot of its oldest workspace, unless a workspace has it already.",
      ru: "Токен бота SEO Master. При запуске Молва хранит его зашифрованным как учётные данные telegram/seo-bot самого старого пространства, если ни у одного его ещё нет.",
    },
    schema: z
      .string()
      .regex(/^\d{5,20}:[\w-]{20,100}$/, "must be a token of @BotFather, such as 123456:AAE…"),
    secret: true,
  },
  TELEGRAM_WEBHOOK_SECRET: {
    group: "SEO Master",
    about: {
      en: "The secret with which Telegram brings updates of TELEGRAM_BOT_TOKEN to /webhook. Without it nobody is served there, and the webhook is set to the bot's address below /api/v1.",
      ru: "Секрет, с которым Telegram приносит обновления бота TELEGRAM_BOT_TOKEN на /webhook. Без него там никого не обслуживают, а вебхук ставится на адрес бота под /api/v1.",
    },
    schema: z.string().regex(/^[\w-]{1,256}$/, "must be 1 to 256 letters, digits, _ and -"),
    secret: true,
  },
  HEALTH_CHECK_TOKEN: {
    group: "SEO Master",
    about: {
      en: "Who sends it as a bearer token to /api/health sees every check; others see the state and the version. Without it nobody sees the checks.",
      ru: "Кто присылает его на /api/health как Bearer-токен, видит каждую проверку; остальные — состояние и версию. Без него проверок не видит никто.",
    },
    schema: z.string().min(16, "must have at least 16 characters"),
    secret: true,
  },
  DEFAULT_TIMEZONE: {
    group: "SEO Master",
    about: {
      en: "Time zone of new projects, an IANA name.",
      ru: "Часовой пояс новых проектов, название IANA.",
    },
    schema: z.string().refine(isZone, "must be a time zone such as Europe/Moscow"),
    fallback: "Europe/Moscow",
  },
  FSM_TTL_SECONDS: {
    group: "SEO Master",
    about: {
      en: "For how long a dialog that was left can be resumed.",
      ru: "Сколько времени можно продолжить прерванный диалог.",
    },
    schema: wholeNumber(60, 2_592_000),
    fallback: 86_400,
  },
  FSM_INACTIVITY_TIMEOUT: {
    group: "SEO Master",
    about: {
      en: "After so many seconds of silence a dialog ends.",
      ru: "После скольких секунд молчания диалог заканчивается.",
    },
    schema: wholeNumber(1, 86_400),
    fallback: 1_800,
  },
  PREVIEW_TTL_SECONDS: {
    group: "SEO Master",
    about: {
      en: "For how long a text waits for a decision; then its tokens are returned.",
      ru: "Сколько готовый текст ждёт решения; потом токены возвращаются.",
    },
    schema: wholeNumber(60, 2_592_000),
    fallback: 86_400,
  },
  SEO_RANK_DEPTH: {
    group: "SEO Master",
    about: {
      en: "How many of Google's results are looked at when positions of articles are checked each week; ten cost DataForSEO's price of a page. 0 checks none.",
      ru: "Сколько результатов Google просматривается при еженедельной проверке позиций статей; каждые десять стоят как страница DataForSEO. 0 — не проверять.",
    },
    schema: wholeNumber(0, 200),
    fallback: 30,
  },
  MAX_REGENERATIONS_FREE: {
    group: "SEO Master",
    about: {
      en: "How often a text is written anew for nothing.",
      ru: "Сколько раз текст переписывают бесплатно.",
    },
    schema: wholeNumber(0, 100),
    fallback: 2,
  },
});
