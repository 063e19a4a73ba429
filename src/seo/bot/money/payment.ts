/** Paying by a link: by card, or for a subscription in Stars. Where the receipt goes is asked once. */
import { z } from "zod";
import { tokenOffers } from "../../../billing/index.ts";
import type { StepResult, Work } from "../../../dialogs/index.ts";
import { type BotServices, flow, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { nameOf, priceOf } from "./packages.ts";
import { notPaid, toppedUp } from "./sold.ts";

const paymentData = z.object({
  code: z.string(),
  by: z.enum(["stars", "card"]),
  recurring: z.boolean(),
  contact: z.string(),
  tokens: z.int(),
  amount: z.number(),
  url: z.string(),
});
type PaymentData = z.infer<typeof paymentData>;
type Name = "ordering" | "contact" | "paying";
type Result = StepResult<PaymentData, Name>;
type PaymentWork = Work<PaymentData, BotServices>;

/** As long as a payment page of YooKassa works. */
const pageMinutes = 60;

const currencyOf = ({ by }: PaymentData) => (by === "stars" ? "XTR" : "RUB");
/** The package's screen that the person came from. */
const placeOf = ({ code, recurring, by }: PaymentData, isRenewing: boolean) =>
  `screen:tariff:${code}${isRenewing && !recurring && by === "card" ? ":once" : ""}` as const;

export const payment = flow({
  name: "Payment",
  title: both((t) => t.money.payment.title),
  data: paymentData,
  empty: { code: "", by: "stars", recurring: false, contact: "", tokens: 0, amount: 0, url: "" },
  first: "ordering",
  rivals: (_, state) => (state === "contact" ? "replace" : "yield"),
  inactivity: { minutes: pageMinutes, text: both((t) => t.money.payment.expired) },
  events: {
    [toppedUp]: { to: "screen:dashboard", take: () => ({}) },
    [notPaid]: {
      to: "screen:tariff:{@code}",
      take: ({ data }) => ({ to: `screen:tariff:${data.code}` }),
    },
  },
  states: {
    ordering: {
      ask: both((t) => t.money.payment.ordering),
      to: ["contact", "paying", "screen:tariff:{@code}", "screen:tariff:{@code}:once", "screen:tariffs"],
      work: (work) => (work.data.by === "stars" ? orderByStars(work) : orderByCard(work)),
      failed: { to: "screen:tariffs", text: both((t) => t.money.payment.failed) },
    },
    contact: {
      ask: both((t) => t.money.payment.contact),
      text: { to: "ordering", take: (_, typed) => ({ data: { contact: typed.trim().slice(0, 300) } }) },
    },
    paying: {
      ask: (data, language) => {
        const { payment: say, offer } = texts[language].money;
        const price = priceOf(data.amount, currencyOf(data), language);
        return `${say.pay(offer.title(nameOf(data.code), data.tokens), price)}\n\n${say.payHow}`;
      },
      noBack: true,
      noCancel: true,
      links: [
        {
          label: (data: PaymentData, language: "ru" | "en") =>
            texts[language].money.payment.button(priceOf(data.amount, currencyOf(data), language)),
          url: ({ url }: PaymentData) => url,
          style: "primary",
        },
      ],
      buttons: {
        back: {
          label: both((t) => t.common.back),
          to: "screen:tariff:{@code}",
          press: ({ data }) => ({ to: `screen:tariff:${data.code}` }),
        },
        menu: { label: both((t) => t.common.mainMenu), to: "screen:dashboard" },
      },
    },
  },
});

async function offerIn({ services, workspaceId, data }: PaymentWork) {
  return (await tokenOffers(services.sql, workspaceId)).find(({ code }) => code === data.code);
}

async function orderByStars(work: PaymentWork): Promise<Result> {
  const { services, language, data } = work;
  const say = texts[language].money.offer;
  const offer = await offerIn(work);
  if (!offer) return { to: "screen:tariffs", notice: say.refused.not_sold };
  const { tokens, prices } = offer;
  const made = await services.selling.stars.subscriptionLink({
    ...{ ...whoseOf(work), code: data.code, given: {} },
    ...{ title: say.title(nameOf(data.code), tokens).slice(0, 32), description: say.description(tokens) },
  });
  if (made.ok) return { to: "paying", data: { url: made.url, tokens, amount: prices.XTR ?? 0 } };
  return { to: placeOf(data, true), notice: say.refused[made.code] };
}

async function orderByCard(work: PaymentWork): Promise<Result> {
  const { services, language, data } = work;
  const { offer: say, payment: words } = texts[language].money;
  const { cards, returnUrl } = services.selling;
  const offer = await offerIn(work);
  if (!cards || !offer) return { to: "screen:tariffs", notice: say.refused.not_sold };
  if (data.contact !== "" && !(await cards.keepContact(whoseOf(work), data.contact)))
    return { to: "contact", data: { contact: "" }, notice: words.notContact };
  const { code, recurring } = data;
  const sale = await cards.begin({
    ...{ ...whoseOf(work), code, recurring, given: {} },
    returnUrl: await returnUrl(whoseOf(work)),
  });
  const place = placeOf(data, offer.recurring);
  switch (sale.kind) {
    case "pay":
      return { to: "paying", data: { url: sale.url, tokens: offer.tokens, amount: offer.prices.RUB ?? 0 } };
    case "contact_needed":
      return { to: "contact", data: { contact: "" } };
    case "paid":
      return { to: place, notice: say.refused.already_paid };
    case "later":
      return { to: place, notice: say.refused.provider_unheard };
    case "refused":
      return { to: place, notice: say.refused[sale.code] };
  }
}
