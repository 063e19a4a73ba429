import { z } from "zod";
import { settingGroup } from "../kernel/config/index.ts";

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
});
