import { z } from "zod";
import { settingGroup } from "../kernel/config/index.ts";
import { yookassaFaults, yookassaSettings } from "./yookassa/settings.ts";

export const billingSettings = settingGroup(
  {
    USD_RUB_RATE: {
      group: "Billing",
      about: {
        en: "What a dollar costs in roubles, for reports on what providers' calls cost.",
        ru: "Курс доллара в рублях для отчётов о стоимости обращений к поставщикам.",
      },
      schema: z
        .string()
        .regex(/^\d{1,6}(\.\d{1,4})?$/, "must be a number such as 92.5")
        .transform(Number)
        .refine((rate) => rate > 0, "must be above zero"),
      fallback: 92.5,
    },
    ...yookassaSettings,
  },
  yookassaFaults,
);
