import { listPrices, type Offer, subscriptionOf, tokensFor } from "../../../billing/index.ts";
import { grid } from "../../../dialogs/index.ts";
import { readOutlook, usualCost } from "../../estimates/outlook.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { nameOf, offerOf, offersOf } from "./packages.ts";
import { product } from "./selling.ts";

export const tariffs = screen("tariffs", {
  to: ["tariff:{@code}", "subscription", "profile", "dashboard"],
  async show(_, visit) {
    const { money, common } = texts[visit.language];
    const say = money.tariffs;
    const { sql } = inStep(visit);
    const offers = await offersOf(visit);
    const prices = await listPrices(sql, visit.workspaceId);
    const { balance } = await readOutlook(sql, whoseOf(visit));
    const price = (operation: string) => tokensFor(prices, operation, 1);
    const renewing = offers.filter(({ recurring }) => recurring).map(({ code }) => nameOf(code));
    const lines = [
      say.title,
      "",
      money.profile.balance(balance),
      ...(balance < 0 ? [money.profile.debt(balance)] : []),
      "",
      ...(offers.length === 0 ? [say.none] : [say.packages, ...offers.map(lineOf)]),
      "",
      say.prices,
      ...say.priceLines({
        ...usualCost,
        keyword: price("keyword_generation"),
        description: price("description"),
        audit: price("audit"),
        competitors: price("competitor_analysis"),
      }),
      ...(renewing.length > 0 ? ["", say.subscriptions(renewing.join(", "))] : []),
      ...(offers.length > 0 ? ["", say.next] : []),
    ];
    const keys = offers.map(({ code, prices: { RUB = 0 } }) => ({
      label: say.button(nameOf(code), money.rub(RUB)),
      to: `tariff:${code}`,
    }));
    return {
      text: lines.join("\n"),
      buttons: [
        ...grid(keys, 2),
        [{ label: say.mine, to: "subscription" }],
        [
          { label: common.toProfile, to: "profile" },
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };

    function lineOf({ code, tokens, prices: { RUB = 0, XTR = 0 } }: Offer): string {
      return say.line(nameOf(code), tokens, money.rub(RUB), money.stars(XTR));
    }
  },
});

/** From this price on paying by card is noticeably cheaper than buying Stars. */
const dearRub = 15_000;

async function showOffer(code: string, visit: BotVisit, recurring: boolean) {
  const { money, common } = texts[visit.language];
  const say = money.offer;
  const offer = await offerOf(visit, code);
  if (!offer || (recurring && !offer.recurring)) return undefined;
  const { tokens, bonus, periodDays, prices } = offer;
  const { RUB = 0, XTR = 0 } = prices;
  const { articleCost } = await readOutlook(inStep(visit).sql, whoseOf(visit));
  const byCard = visit.services.selling.cards !== undefined;
  const place = recurring || !offer.recurring ? `tariff:${code}` : `tariff:${code}:once`;
  return {
    text: [
      say.title(nameOf(code), tokens),
      ...(bonus > 0 ? [say.bonus(tokens - bonus, bonus)] : []),
      say.price(money.rub(RUB), money.stars(XTR)),
      say.enough(Math.floor(tokens / articleCost)),
      recurring ? say.recurring(periodDays ?? 30) : say.once,
      ...(byCard && RUB >= dearRub ? [say.cheaper] : []),
      "",
      say.next,
    ].join("\n"),
    buttons: [
      [{ label: say.stars, to: `${place}:stars`, style: "primary" as const }],
      byCard ? [{ label: say.card, to: `${place}:yookassa` }] : [],
      recurring ? [{ label: say.justOnce, to: `tariff:${code}:once` }] : [],
      [
        { label: say.back, to: place === `tariff:${code}` ? "tariffs" : `tariff:${code}` },
        { label: common.mainMenu, to: "dashboard" },
      ],
    ],
  };
}

const offerTo = [
  ...["tariff:{@code}:stars", "tariff:{@code}:yookassa", "tariff:{@code}:once", "tariff:{@code}"],
  ...["tariff:{@code}:once:stars", "tariff:{@code}:once:yookassa", "tariffs", "dashboard"],
];

/** A package with a period is offered as a subscription first. */
export const offer = screen("tariff:{@code}", {
  to: offerTo,
  async show({ code }, visit) {
    const known = await offerOf(visit, code);
    return known && showOffer(code, visit, known.recurring);
  },
});

export const offerOnce = screen("tariff:{@code}:once", {
  to: offerTo,
  show: ({ code }, visit) => showOffer(code, visit, false),
});

const payTo = ["tariff:{@code}", "tariff:{@code}:once", "flow:Payment"];

export const byStars = action("tariff:{@code}:stars", {
  to: payTo,
  async act({ code }, visit) {
    const known = await offerOf(visit, code);
    if (!known) return undefined;
    if (!known.recurring) return invoiced(known, `tariff:${code}`, visit);
    return (await subscribed(code, visit)) ?? paying({ code, by: "stars", recurring: true });
  },
});

export const onceByStars = action("tariff:{@code}:once:stars", {
  to: payTo,
  async act({ code }, visit) {
    const known = await offerOf(visit, code);
    return known && invoiced(known, `tariff:${code}:once`, visit);
  },
});

export const byCard = action("tariff:{@code}:yookassa", {
  to: payTo,
  async act({ code }, visit) {
    const known = await offerOf(visit, code);
    if (!known || !visit.services.selling.cards) return undefined;
    if (!known.recurring) return paying({ code, by: "card", recurring: false });
    return (await subscribed(code, visit)) ?? paying({ code, by: "card", recurring: true });
  },
});

export const onceByCard = action("tariff:{@code}:once:yookassa", {
  to: payTo,
  async act({ code }, visit) {
    const known = await offerOf(visit, code);
    return known && visit.services.selling.cards && paying({ code, by: "card", recurring: false });
  },
});

const paying = (data: { code: string; by: "stars" | "card"; recurring: boolean }) => ({
  to: "flow:Payment",
  data,
});

/** Nobody is charged twice for the same. */
async function subscribed(code: string, visit: BotVisit) {
  const present = await subscriptionOf(visit.sql, { ...whoseOf(visit), product });
  if (present?.status !== "active") return undefined;
  return { to: `tariff:${code}`, notice: texts[visit.language].money.offer.refused.already_subscribed };
}

/** The invoice comes into the chat, with the package below it. */
async function invoiced({ code, tokens }: Offer, to: string, visit: BotVisit) {
  const say = texts[visit.language].money.offer;
  const begun = await visit.services.selling.stars.invoice(visit.sql, {
    ...{ ...whoseOf(visit), code, given: {} },
    ...{ title: say.title(nameOf(code), tokens).slice(0, 32), description: say.description(tokens) },
  });
  return begun.ok
    ? { to, say: [{ invoice: begun.invoice }], notice: say.invoiced }
    : { to, notice: say.refused[begun.code] };
}
