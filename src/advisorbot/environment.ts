import { z } from "zod";
import { root, settingGroup, word } from "../kernel/config/index.ts";

/** Names as the document of the advisor has them. */
export const advisorBotSettings = settingGroup({
  BACKEND_URL: {
    group: "Advisor bot",
    about: {
      en: "Where the bot finds the advisor; it sends BOT_BACKEND_TOKEN there.",
      ru: "Где бот находит советника; туда он передаёт BOT_BACKEND_TOKEN.",
    },
    schema: root,
    shownFallback: "this server",
    example: "https://advisor.example.com",
  },
  ADVISOR_PRO_STARS: {
    group: "Advisor bot",
    about: {
      en: "What 30 days of Pro cost in Telegram Stars, in the bot: once, or as a subscription. Pro is not sold without it.",
      ru: "Сколько стоят 30 дней Pro в звёздах Telegram в самом боте: разово или по подписке. Без неё Pro не продаётся.",
    },
    schema: z
      .string()
      .regex(/^[1-9]\d{0,4}$/, "must be a whole number from 1 to 10000")
      .transform(Number)
      .refine((stars) => stars <= 10_000, "must be a whole number from 1 to 10000"),
    example: "250",
  },
  ADVISOR_PRO_CONTACT: {
    group: "Advisor bot",
    about: {
      en: "Where the bot sends people who want Pro: an address or a name in Telegram.",
      ru: "Куда бот направляет тех, кто хочет Pro: адрес или имя в Telegram.",
    },
    schema: word,
    example: "@my_support",
  },
});
