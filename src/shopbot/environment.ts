import { settingGroup, wholeNumber } from "../kernel/config/index.ts";

export const shopBotSettings = settingGroup({
  MOLVA_BOT_CONCURRENCY: {
    group: "Delivery",
    about: {
      en: "Replies of shop bots that one process sends at the same time.",
      ru: "Сколько ответов ботов магазина один процесс отправляет одновременно.",
    },
    schema: wholeNumber(1, 1000),
    fallback: 32,
  },
});
