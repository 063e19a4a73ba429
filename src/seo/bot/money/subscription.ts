/** What a person is subscribed to: looking, cancelling, resuming, changing. */
import { z } from "zod";
import { type Subscription, setRecurring, subscriptionOf } from "../../../billing/index.ts";
import { grid, type ScreenKey } from "../../../dialogs/index.ts";
import { inactivity } from "../limits.ts";
import { action, type BotVisit, flow, screen, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { nameOf, offerOf, offersOf, priceOf } from "./packages.ts";
import { product } from "./selling.ts";

const mineOf = (visit: BotVisit) => subscriptionOf(visit.sql, { ...whoseOf(visit), product });

export const subscription = screen("subscription", {
  to: ["subscription:cancel", "subscription:resume", "subscription:change", "tariffs", "dashboard"],
  async show(_, visit) {
    const { money, common } = texts[visit.language];
    const say = money.subscription;
    const mine = await mineOf(visit);
    const ways: readonly ScreenKey[] = [
      { label: money.tariffs.back, to: "tariffs" },
      { label: common.mainMenu, to: "dashboard" },
    ];
    if (!mine)
      return {
        text: `${say.title}\n\n${say.none}`,
        buttons: [[{ label: say.choose, to: "tariffs", style: "primary" }], ways],
      };
    const { status, tokens, amount, currency, period_end } = mine;
    const date = money.day(period_end);
    const isOn = status === "active" || status === "paused";
    return {
      text: [
        say.title,
        "",
        say.plan(nameOf(mine.package), tokens),
        say.states[status],
        status === "active"
          ? say.nextCharge(date, priceOf(amount, currency, visit.language))
          : say.until(date),
      ].join("\n"),
      buttons: [
        [{ label: say.change, to: "subscription:change" }],
        isOn
          ? [{ label: say.cancel, to: "subscription:cancel", style: "danger" }]
          : [{ label: say.resume, to: "subscription:resume", style: "success" }],
        ways,
      ],
    };
  },
});

const isRunning = (mine: Subscription | undefined): mine is Subscription =>
  mine?.status === "active" || mine?.status === "paused";

export const askToCancel = screen("subscription:cancel", {
  to: ["subscription:cancel:yes", "subscription"],
  async show(_, visit) {
    const { money } = texts[visit.language];
    const say = money.subscription;
    const mine = await mineOf(visit);
    if (!isRunning(mine)) return undefined;
    return {
      text: say.sure(nameOf(mine.package), mine.tokens, money.day(mine.period_end)),
      buttons: [
        [{ label: say.yes, to: "subscription:cancel:yes", style: "danger" }],
        [{ label: say.keep, to: "subscription" }],
      ],
    };
  },
});

export const cancel = action("subscription:cancel:yes", {
  to: ["flow:SubscriptionChange"],
  act: async (_, visit) =>
    isRunning(await mineOf(visit)) ? { data: { on: false, next: "subscription" } } : undefined,
});

export const resume = action("subscription:resume", {
  to: ["flow:SubscriptionChange"],
  act: async (_, visit) =>
    (await mineOf(visit))?.status === "cancelled" ? { data: { on: true, next: "subscription" } } : undefined,
});

export const change = screen("subscription:change", {
  to: ["subscription:change:{@code}", "subscription"],
  async show(_, visit) {
    const { money, common } = texts[visit.language];
    const mine = await mineOf(visit);
    if (!mine) return undefined;
    const others = (await offersOf(visit)).filter(
      ({ recurring, code }) => recurring && code !== mine.package,
    );
    const keys = others.map(({ code, prices: { RUB = 0 } }) => ({
      label: money.tariffs.button(nameOf(code), money.rub(RUB)),
      to: `subscription:change:${code}`,
    }));
    return {
      text: money.subscription.changeTo,
      buttons: [...grid(keys, 2), [{ label: common.back, to: "subscription" }]],
    };
  },
});

export const askToChange = screen("subscription:change:{@code}", {
  to: ["subscription:change:{@code}:yes", "subscription"],
  async show({ code }, visit) {
    const { money } = texts[visit.language];
    const say = money.subscription;
    const mine = await mineOf(visit);
    const offer = await offerOf(visit, code);
    if (!mine || !offer?.recurring || code === mine.package) return undefined;
    const { RUB = 0, XTR = 0 } = offer.prices;
    const price = `${money.rub(RUB)} / ${money.stars(XTR)}`;
    return {
      text: say.changeSure(nameOf(mine.package), nameOf(code), offer.tokens, price),
      buttons: [
        [{ label: say.changeYes, to: `subscription:change:${code}:yes`, style: "success" }],
        [{ label: say.keep, to: "subscription" }],
      ],
    };
  },
});

/** Two subscriptions at once would both be charged: the former is stopped before the new one is offered. */
export const changePlan = action("subscription:change:{@code}:yes", {
  to: ["flow:SubscriptionChange", "tariff:{@code}"],
  async act({ code }, visit) {
    const mine = await mineOf(visit);
    const offer = await offerOf(visit, code);
    if (!mine || !offer?.recurring || code === mine.package) return undefined;
    if (!isRunning(mine)) return { to: `tariff:${code}` };
    return { to: "flow:SubscriptionChange", data: { on: false, next: `tariff:${code}` } };
  },
});

/** The provider does it first; its answer takes a moment. */
export const subscriptionChange = flow({
  name: "SubscriptionChange",
  title: both((t) => t.money.subscription.flow),
  data: z.object({ on: z.boolean(), next: z.string() }),
  empty: { on: false, next: "subscription" },
  first: "changing",
  rivals: "yield",
  inactivity,
  states: {
    changing: {
      ask: both((t) => t.money.subscription.changing),
      to: ["screen:subscription", "screen:tariff:{@code}"],
      async work({ data: { on, next }, services, language, ...work }) {
        const say = texts[language].money.subscription;
        const whose = whoseOf(work);
        const { sql, clock, selling } = services;
        const mine = await subscriptionOf(sql, { ...whose, product });
        if (!mine) return { to: "screen:subscription" };
        const { providers } = selling;
        const answer = await setRecurring({ sql, clock, providers }, whose.workspaceId, mine, on);
        if (answer.kind !== "done") return { to: "screen:subscription", notice: say.failed };
        return { to: `screen:${next}` };
      },
      failed: { to: "screen:subscription", text: both((t) => t.money.subscription.failed) },
    },
  },
});
