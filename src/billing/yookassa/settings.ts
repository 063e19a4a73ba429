import { z } from "zod";
import { oneOf, root, type Settings, wholeNumber } from "../../kernel/config/index.ts";
import { networksIn, yookassaNetworks } from "./networks.ts";

const group = "YooKassa";

export const yookassaSettings = {
  YOOKASSA_SHOP_ID: {
    group,
    about: {
      en: "Number of your shop at YooKassa, for payments by card. Without it nobody can pay by card, except at the twin while it runs.",
      ru: "Номер вашего магазина в ЮKassa для оплаты картой. Без него оплата картой недоступна, кроме как у двойника, пока он запущен.",
    },
    schema: z.string().regex(/^\d{1,20}$/, "must be the shop's number"),
    example: "100500",
  },
  YOOKASSA_SECRET_KEY: {
    group,
    about: {
      en: "Secret key of that shop, live_… or test_…; required with YOOKASSA_SHOP_ID.",
      ru: "Секретный ключ этого магазина, live_… или test_…; нужен вместе с YOOKASSA_SHOP_ID.",
    },
    schema: z.string().regex(/^(live|test)_\S+$/, "must begin with live_ or test_"),
    secret: true,
  },
  YOOKASSA_API_ROOT: {
    group,
    about: {
      en: "YooKassa's API; the twin is used while it runs and no shop is set.",
      ru: "API ЮKassa; пока запущен двойник и магазин не задан, используется двойник.",
    },
    schema: root,
    fallback: "https://api.yookassa.ru/v3",
  },
  YOOKASSA_NETWORKS: {
    group,
    about: {
      en: "Networks that notifications are taken from, separated by commas. Behind a proxy, set MOLVA_TRUST_PROXY too: otherwise all come from the proxy.",
      ru: "Сети, откуда принимаются уведомления, через запятую. За прокси задайте и MOLVA_TRUST_PROXY: иначе все они приходят от прокси.",
    },
    schema: z.string().transform((text, context): readonly string[] => {
      const networks = networksIn(text);
      if (networks) return networks;
      context.addIssue("must be addresses and networks such as 185.71.76.0/27, separated by commas");
      return z.NEVER;
    }),
    fallback: yookassaNetworks,
    shownFallback: "those that YooKassa names",
    example: yookassaNetworks.join(","),
  },
  YOOKASSA_RECEIPTS: {
    group,
    about: {
      en: "Whether receipts under 54-FZ are made by YooKassa (on), or elsewhere (off). With on, buyers are asked once for an e-mail or a phone.",
      ru: "Формирует ли чеки по 54-ФЗ ЮKassa (on) или кто-то другой (off). При on у покупателя один раз спрашивают почту или телефон.",
    },
    schema: oneOf("on", "off"),
    fallback: "on",
  },
  YOOKASSA_VAT_CODE: {
    group,
    about: {
      en: "VAT in receipts: 1 none, 2 0 %, 3 10 %, 4 20 %, 5 10/110, 6 20/120, 7 5 %, 8 7 %, 9 5/105, 10 7/107, 11 22 %, 12 22/122.",
      ru: "НДС в чеках: 1 без НДС, 2 0 %, 3 10 %, 4 20 %, 5 10/110, 6 20/120, 7 5 %, 8 7 %, 9 5/105, 10 7/107, 11 22 %, 12 22/122.",
    },
    schema: wholeNumber(1, 12),
    fallback: 1,
  },
  YOOKASSA_TAX_SYSTEM: {
    group,
    about: {
      en: "Tax system in receipts, 1 to 6, if your shop has several.",
      ru: "Система налогообложения в чеках, от 1 до 6, если у магазина их несколько.",
    },
    schema: wholeNumber(1, 6),
  },
  YOOKASSA_PAYMENT_SUBJECT: {
    group,
    about: {
      en: "What is sold, as receipts name it: service, commodity, intellectual_activity, …",
      ru: "Предмет расчёта в чеках: service, commodity, intellectual_activity, …",
    },
    schema: z.string().regex(/^[a-z_]{1,40}$/, "must be a word of YooKassa such as service"),
    fallback: "service",
  },
  YOOKASSA_PAYMENT_MODE: {
    group,
    about: {
      en: "How it is paid, as receipts name it: full_payment, full_prepayment, advance, …",
      ru: "Способ расчёта в чеках: full_payment, full_prepayment, advance, …",
    },
    schema: z.string().regex(/^[a-z_]{1,40}$/, "must be a word of YooKassa such as full_payment"),
    fallback: "full_payment",
  },
  YOOKASSA_LANGUAGE: {
    group,
    about: {
      en: "Language of what stands on the payment page and in receipts: ru or en.",
      ru: "Язык того, что написано на странице оплаты и в чеках: ru или en.",
    },
    schema: oneOf("ru", "en"),
    fallback: "ru",
  },
} as const satisfies Settings;

export function yookassaFaults(given: {
  readonly YOOKASSA_SHOP_ID: string | undefined;
  readonly YOOKASSA_SECRET_KEY: string | undefined;
}): readonly string[] {
  return (given.YOOKASSA_SHOP_ID === undefined) === (given.YOOKASSA_SECRET_KEY === undefined)
    ? []
    : ["YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY belong together: set both or neither"];
}
