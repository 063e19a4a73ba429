import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { createTelegramBot, flowsOf, type TelegramBot, type Till } from "../../dialogs/index.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createKeyValue, type KeyValue } from "../../kernel/kv/index.ts";
import { silentLog as log } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { checkEverything } from "../books/compare-providers.ts";
import { setPackage } from "../catalogue/catalogue.ts";
import { providersOf } from "../providers/provider.ts";
import { paymentPage } from "../sales/payments.ts";
import { refund } from "../sales/refund.ts";
import { setRecurring, subscriptionOf } from "../sales/subscriptions.ts";
import { aShop } from "../testing/a-shop.ts";
import { aPerson, balanceOf, findingsIn } from "../testing/builders.ts";
import { readPayload, writePayload } from "./payload.ts";
import { starsProvider } from "./provider.ts";
import { type StarsSales, starsSales } from "./sell.ts";
import { starsTill } from "./till.ts";

const bot = { token: `3003:${"S".repeat(35)}`, username: "shop_bot", first_name: "Магазин" };
const by = { operator: "anna", reason: "попросил вернуть" };
const both = (text: string) => ({ ru: text, en: text });
const shop = aShop();
const http = createProviderClient();

/** A bot that sends the invoice of the package that a person names. */
const flow = flowsOf<StarsSales<{ work: string }>>()({
  name: "Shop",
  title: both("магазин"),
  data: z.object({}),
  empty: {},
  first: "shop",
  entries: { commands: { start: { to: "shop" } } },
  inactivity: "never",
  rivals: "yield",
  states: {
    shop: {
      ask: both("Что купить?"),
      noBack: true,
      buttons: { bye: { label: both("Ничего"), to: "@end" } },
      text: {
        to: "@stay",
        async take({ services, sql: tx, workspaceId: at, userId: who }, code) {
          const given = { work: `${code} ${crypto.randomUUID()}` };
          const order = {
            workspaceId: at,
            userId: Number(who),
            code,
            given,
            title: code,
            description: "Токены",
          };
          const begun = await services.invoice(tx, order);
          return begun.ok ? { say: [{ invoice: begun.invoice }] } : { notice: begun.code };
        },
      },
    },
  },
});

let database: TestDatabase;
let sql: Sql;
let twins: TestTwins;
let keyValue: KeyValue;
let workspaceId: string;
let userId: number;
let running: TelegramBot | undefined;
let people = 70_000;

beforeAll(async () => {
  database = await databaseWithJobs();
  sql = database.sql;
  twins = await startTestTwins();
  keyValue = await createKeyValue({ sql, redisUrl: undefined, log });
});
afterAll(async () => {
  await keyValue?.close();
  await twins?.close();
  await database?.drop();
  await http.close();
});

const api = () => ({ sql, http, apiRoot: `${twins.url}/telegram`, token: async () => bot.token });
const sales = () => starsSales(shop, "a-bot", { sql, clock, api: api() });
const till = (): Till => starsTill({ sql, clock, log, shop, telegram: starsProvider(api()) });
const providers = () => providersOf([starsProvider(api())]);

async function startBot(keeper: Till = till()): Promise<void> {
  await running?.stop();
  running = createTelegramBot(
    { name: "a-bot", flows: [flow], services: sales(), till: keeper },
    {
      ...{ sql, clock, log, http, keyValue, apiRoot: `${twins.url}/telegram` },
      ...{ webhooksAt: () => undefined, token: async () => bot.token },
    },
  );
  await running.start();
}

beforeEach(async () => {
  await running?.stop();
  running = undefined;
  await twins.control("POST", "/reset");
  await sql`delete from workspaces.credential_bindings where auth_ref = 'a-bot'`;
  await sql`delete from graphile_worker._private_jobs`;
  workspaceId = await aWorkspace(sql);
  await sql`
    insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
    values (${workspaceId}, 'a-bot', 'telegram', 'env:BOT')`;
  people += 1;
  userId = await aPerson(sql, workspaceId, { id: people });
  await twins.control("POST", "/telegram/bots", bot);
  await meet(userId);
  await startBot();
  return async () => {
    await running?.stop();
    running = undefined;
  };
});

const meet = (id: number) =>
  twins.control("POST", "/telegram/chats", {
    ...{ id, type: "private", first_name: `Ира ${id}`, members: [{ bot: bot.username }] },
  });
interface Seen {
  readonly id: string;
  readonly text: string;
  readonly buttons: readonly (readonly { text: string }[])[];
}
const messages = async (id = userId) =>
  (await twins.control<{ messages: Seen[] }>("GET", `/chats/telegram/${id}/messages?limit=100`)).messages;
const say = (text: string) => twins.control("POST", `/telegram/chats/${userId}/say`, { text });
/** The last invoice with a working button. */
const invoice = () =>
  until("there is an invoice", async () =>
    (await messages()).findLast(({ buttons }) => buttons.flat().some(({ text }) => text.startsWith("Pay"))),
  );
const payInvoice = ({ id }: Seen, copies = 1) =>
  twins.control<{ charge_id: string }>("POST", `/telegram/chats/${userId}/press`, {
    ...{ message_id: id, row: 0, column: 0, copies },
  });
const balance = () => balanceOf(sql, workspaceId, userId);
const reaches = (tokens: number) =>
  until(`the balance is ${tokens}`, async () => (await balance()) === tokens || undefined);
const findings = () => findingsIn(sql, workspaceId, clock.now());
const told = async () => {
  const jobs = await sql<{ payload: { outcome: { kind: string } } }[]>`
    select payload from graphile_worker._private_jobs order by id`;
  return jobs.map(({ payload }) => payload.outcome.kind);
};
const stars = () =>
  twins.control<{ payments: { chargeId: string }[]; subscriptions: { state: string }[] }>(
    "GET",
    "/telegram/stars",
  );
const starsOf = (count: number) => twins.control("PUT", `/telegram/people/${userId}/stars`, { stars: count });
const mine = () => subscriptionOf(sql, { workspaceId, userId, product: "a_product" });
async function bought(code = "starter") {
  await say("/start");
  await say(code);
  return payInvoice(await invoice());
}
const payments = async () => (await paymentPage(sql, workspaceId, {})).items;

describe("a purchase", () => {
  // covers payments: F33 Telegram Stars; F05 Packages
  it("goes from the invoice in the chat through the bot's consent to tokens, once for each charge", async () => {
    await say("/start");
    await say("starter");
    const shown = await invoice();
    expect(shown.text).toContain("starter");
    await payInvoice(shown, 3);
    await reaches(4_500);
    expect(await payments()).toMatchObject([
      { status: "completed", amount: 195, currency: "XTR", tokens: 3_500 },
    ]);
    expect([await findings(), await told()]).toEqual([[], ["paid"]]);
    // The dialog goes on unchanged.
    await say("mini");
    await until("another invoice", async () => (await invoice()).text.includes("mini") || undefined);
  });

  it("is refused before money moves: a foreign payload, another person, an old price, too many purchases", async () => {
    const send = (payload: string, amount = 195) =>
      fetch(`${twins.url}/telegram/bot${bot.token}/sendInvoice`, {
        ...{ method: "POST", headers: { "content-type": "application/json" } },
        body: JSON.stringify({
          ...{ chat_id: userId, title: "Счёт", description: "Счёт", payload, currency: "XTR" },
          prices: [{ label: "x", amount }],
        }),
      });
    const refused = async () =>
      payInvoice(await invoice()).then(
        () => "paid",
        (error: Error) => error.message,
      );
    await send("hello");
    expect(await refused()).toContain("больше не действует");
    const begun = await sql.begin((tx) =>
      sales().invoice(tx, {
        ...{ workspaceId, userId, code: "starter", given: { work: "x" }, title: "Счёт", description: "Счёт" },
      }),
    );
    const payload = readPayload(begun.ok ? begun.invoice.payload : "");
    if (!payload) throw new Error("no payload");
    const written = (who: number) =>
      writePayload({ id: payload.saleId, user_id: who, package: "starter", recurring: false });
    await send(written(userId + 1));
    expect(await refused()).toContain("другому человеку");
    await send(written(userId), 100);
    expect(await refused()).toContain("Сумма не совпадает");
    const starter = { tokens: 3_500, bonus: 500, price_rub: 3_000, subscription_days: null, enabled: true };
    await setPackage({ sql, clock }, workspaceId, "starter", { ...starter, price_stars: 210 }, by);
    await send(written(userId));
    expect(await refused()).toContain("Цена изменилась");
    await setPackage({ sql, clock }, workspaceId, "starter", { ...starter, price_stars: 195 }, by);
    await sql`
      insert into billing.payments (workspace_id, user_id, sale_id, provider, product, tokens_amount, amount, currency, status, completed_at)
      select ${workspaceId}, ${userId}, ${payload.saleId + 0}, 'manual', 'a_product', 0, 1, 'XTR', 'failed', now() from generate_series(1, 5)`;
    await send(written(userId));
    expect(await refused()).toContain("Слишком частые покупки");
    expect([(await stars()).payments, await balance()]).toEqual([[], 1_000]);
  });

  it("that a process died over is credited by the next, once", async () => {
    let deaths = 0;
    await startBot({
      ...till(),
      paid: async () => {
        deaths += 1;
        throw new Error("killed between the payment and its credit");
      },
    });
    await bought();
    await until("it died", async () => deaths > 0 || undefined);
    expect(await balance()).toBe(1_000);
    await startBot();
    await reaches(4_500);
    expect([(await payments()).length, await findings()]).toEqual([1, []]);
  });
});

describe("a subscription", () => {
  async function subscribed(periodSeconds = 2_592_000): Promise<void> {
    await twins.control("PATCH", "/telegram/stars", { period_seconds: periodSeconds });
    const made = await sales().subscriptionLink({
      ...{
        workspaceId,
        userId,
        code: "pro",
        given: { work: "x" },
        title: "Pro",
        description: "7 200 токенов",
      },
    });
    if (!made.ok) throw new Error(made.code);
    await twins.control("POST", `/telegram/chats/${userId}/pay`, { link: made.url });
    await reaches(8_200);
  }
  const deps = () => ({ sql, clock, providers: providers() });
  const setTo = async (on: boolean) => {
    const subscription = await mine();
    if (!subscription) throw new Error("no subscription");
    return setRecurring(deps(), workspaceId, subscription, on);
  };

  it("is renewed by Telegram's clock, cancelled and resumed by the bot, and not charged after it was cancelled", async () => {
    await subscribed(2);
    await reaches(15_400);
    expect(await setTo(false)).toEqual({ kind: "done" });
    expect((await stars()).subscriptions).toMatchObject([{ state: "canceled" }]);
    await twins.control("PATCH", "/telegram/stars", { period_seconds: 2_592_000 });
    expect(await setTo(false)).toEqual({ kind: "done" });
    const { length: charges } = (await stars()).payments;
    await until("all charges are credited", async () => (await payments()).length === charges || undefined);
    expect(await balance()).toBe(1_000 + charges * 7_200);
    expect([await findings(), (await told()).filter((kind) => kind === "cancelled")]).toEqual([
      [],
      ["cancelled"],
    ]);
  });

  it("can be resumed within what is paid for", async () => {
    await subscribed();
    await setTo(false);
    expect(await mine()).toMatchObject({ status: "cancelled" });
    expect(await setTo(true)).toEqual({ kind: "done" });
    expect(await mine()).toMatchObject({ status: "active" });
    expect((await stars()).subscriptions).toMatchObject([{ state: "active" }]);
  });

  // covers payments: E19 Stars are short
  it("is paused when Stars are short and goes on when there are enough; the product hears of both", async () => {
    await subscribed(3);
    await starsOf(0);
    await until("it is paused", async () => (await mine())?.status === "paused" || undefined);
    expect(await told()).toContain("paused");
    const before = (await payments()).length;
    await starsOf(10_000);
    await until("it goes on", async () => (await payments()).length > before || undefined);
    await twins.control("PATCH", "/telegram/stars", { period_seconds: 2_592_000 });
    await until("it is active", async () => (await mine())?.status === "active" || undefined);
  });

  // covers payments: Subscriptions; Refunds
  it("whose payment was refunded with the bot's token elsewhere ends here and is stopped at Telegram", async () => {
    await subscribed();
    const [{ charge_id: charge } = { charge_id: null }] = await payments();
    await fetch(`${twins.url}/telegram/bot${bot.token}/refundStarPayment`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ user_id: userId, telegram_payment_charge_id: charge }),
    });
    await until(
      "it is stopped",
      async () => (await stars()).subscriptions[0]?.state === "canceled" || undefined,
    );
    expect([await mine(), await balance(), await findings()]).toEqual([undefined, 1_000, []]);
    expect((await told()).slice(-2)).toEqual(["refunded", "ended"]);
  });

  it("is stopped before an operator's refund: while Telegram is silent nothing goes back", async () => {
    await subscribed();
    const [payment] = await payments();
    const paymentId = payment?.id ?? 0;
    const fault = { method: "editUserStarSubscription", fault: { kind: "status", status: 500 }, times: 1 };
    await twins.control("POST", "/faults", { provider: "telegram", ...fault });
    await expect(refund(deps(), workspaceId, { paymentId }, by)).rejects.toMatchObject({
      code: "provider_unheard",
    });
    expect([await balance(), (await mine())?.status]).toEqual([8_200, "active"]);
    await refund(deps(), workspaceId, { paymentId }, by);
    expect([await balance(), await mine()]).toEqual([1_000, undefined]);
    expect((await stars()).subscriptions).toMatchObject([{ state: "canceled" }]);
  });

  it("that the person ends or resumes in Telegram is so here", async () => {
    await subscribed();
    const change = (canceled: boolean) =>
      twins.control("POST", `/telegram/chats/${userId}/subscription`, { canceled });
    await change(true);
    await until("it is cancelled", async () => (await mine())?.status === "cancelled" || undefined);
    await change(false);
    await until("it is active", async () => (await mine())?.status === "active" || undefined);
  });
});

describe("money that goes back", () => {
  const deps = () => ({ sql, clock, providers: providers() });

  it("takes the tokens along after they were spent, once, with a reason in the audit trail", async () => {
    await bought();
    await reaches(4_500);
    await sql`select billing.charge_balance(${workspaceId}, ${userId}, 4000)`;
    const [payment] = await payments();
    const paymentId = payment?.id ?? 0;
    await expect(refund(deps(), workspaceId, { paymentId, amount: 100 }, by)).rejects.toMatchObject({
      ...{ code: "provider_refused" },
    });
    expect(await refund(deps(), workspaceId, { paymentId }, by)).toMatchObject({
      ...{ payment: { status: "refunded", refunded: 195, refunded_tokens: 3_500 }, balance: -3_000 },
    });
    await expect(refund(deps(), workspaceId, { paymentId }, by)).rejects.toMatchObject({
      code: "payment_not_refundable",
    });
    await until("Telegram's own news is heard", async () => (await told()).includes("refunded") || undefined);
    expect([await balance(), await findings()]).toEqual([-3_000, []]);
    const audit = await sql`
      select meta from workspaces.events where workspace_id = ${workspaceId} and meta ->> 'object' = 'billing_refund'`;
    expect(audit[0]?.meta).toMatchObject({
      operator: "anna",
      reason: by.reason,
      amount: 195,
      currency: "XTR",
    });
  });

  it("whose news come before those of the payment leaves no tokens behind", async () => {
    const begun = await sql.begin((tx) =>
      sales().invoice(tx, {
        ...{ workspaceId, userId, code: "starter", given: { work: "x" }, title: "Счёт", description: "Счёт" },
      }),
    );
    const payload = begun.ok ? begun.invoice.payload : "";
    const charge = { userId, amount: 195, currency: "XTR", payload, chargeId: "early" };
    await till().refunded(workspaceId, { kind: "refunded", ...charge });
    await till().paid(workspaceId, { kind: "paid", ...charge });
    expect([await balance(), await findings()]).toEqual([1_000, []]);
    expect(await payments()).toMatchObject([{ status: "refunded", refunded: 195 }]);
  });
});

it("the check finds a charge that Telegram has and nobody recorded, and one that was refunded elsewhere", async () => {
  const later = () => new Date(clock.now().getTime() + 3_600_000);
  const check = async () => {
    const { findings } = await checkEverything(sql, providers(), workspaceId, later());
    return findings.map(({ finding }) => finding);
  };
  await bought();
  await reaches(4_500);
  expect(await check()).toEqual([]);
  const heard: string[] = [];
  await startBot({
    ...till(),
    paid: async () => void heard.push("paid"),
    refunded: async () => void heard.push("refunded"),
  });
  await say("mini");
  const mini = await until("an invoice of mini", async () => {
    const shown = await invoice();
    return shown.text.includes("mini") ? shown : undefined;
  });
  await payInvoice(mini);
  const [first] = (await stars()).payments;
  await fetch(`${twins.url}/telegram/bot${bot.token}/refundStarPayment`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ user_id: userId, telegram_payment_charge_id: first?.chargeId }),
  });
  await until("both were heard of", async () => heard.length === 2 || undefined);
  expect((await check()).toSorted()).toEqual(["payment_not_recorded", "refund_differs"]);
});

it("a person who blocks the bot is known to have done so until they come back", async () => {
  await say("/start");
  const blocked = async () => {
    const [row] = await sql`select blocked_at from dialogs.dialogues where chat_id = ${String(userId)}`;
    return row?.blocked_at ?? null;
  };
  await until("the bot has answered", async () => (await messages()).length > 1 || undefined);
  await twins.control("PATCH", `/telegram/chats/${userId}`, { block: true });
  await until("it is known", async () => (await blocked()) !== null || undefined);
  await twins.control("PATCH", `/telegram/chats/${userId}`, { block: false });
  await until("they are back", async () => (await blocked()) === null || undefined);
});
