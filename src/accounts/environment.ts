import { z } from "zod";
import { settingGroup, wholeNumber } from "../kernel/config/index.ts";

export const accountSettings = settingGroup(
  {
    MOLVA_TELEGRAM_API_ID: {
      group: "Providers",
      about: {
        en: "Number of your application at my.telegram.org, by which people's own accounts reach Telegram. Without it they reach the twin while it runs.",
        ru: "Номер вашего приложения на my.telegram.org, через которое аккаунты людей выходят в Telegram. Без него они работают с двойником, пока он запущен.",
      },
      schema: wholeNumber(1, 2_147_483_647),
      example: "1234567",
    },
    MOLVA_TELEGRAM_API_HASH: {
      group: "Providers",
      about: {
        en: "Hash of that application; required with MOLVA_TELEGRAM_API_ID.",
        ru: "Хеш этого приложения; нужен вместе с MOLVA_TELEGRAM_API_ID.",
      },
      schema: z.string().regex(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal digits"),
      secret: true,
    },
  },
  ({ MOLVA_TELEGRAM_API_ID, MOLVA_TELEGRAM_API_HASH }) =>
    (MOLVA_TELEGRAM_API_ID === undefined) !== (MOLVA_TELEGRAM_API_HASH === undefined)
      ? ["MOLVA_TELEGRAM_API_ID and MOLVA_TELEGRAM_API_HASH belong together: set both or neither"]
      : [],
);
