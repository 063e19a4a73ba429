import { z } from "zod";
import { oneOf, settingGroup } from "../kernel/config/index.ts";

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
  SEO_REVIEWS: {
    group: "SEO Master",
    about: {
      en: "Whether people may have sample reviews written (on). They are for the look of a page and are never marked up as customers' reviews; publishing them as such is against the law in many countries.",
      ru: "Можно ли заказывать образцы отзывов (on). Они нужны для вида страницы и никогда не размечаются как отзывы покупателей; выдавать их за настоящие во многих странах запрещено законом.",
    },
    schema: oneOf("on", "off"),
    fallback: "off",
  },
});
