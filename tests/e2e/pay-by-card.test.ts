import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  billing,
  type CardSale,
  type CardSales,
  paymentProviders,
  sellByCard,
} from "../../src/billing/index.ts";
import { refund } from "../../src/billing/sales/refund.ts";
import { aShop, type Heard } from "../../src/billing/testing/a-shop.ts";
import { aPerson, balanceOf, findingsIn } from "../../src/billing/testing/builders.ts";
import { cardPartsOf } from "../../src/billing/yookassa/parts.ts";
import { renewDue } from "../../src/billing/yookassa/renew.ts";
import { delivery, demo } from "../../src/delivery/index.ts";
import { http } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import type { Module } from "../../src/module/index.ts";
import { type Core, workspaces } from "../../src/workspaces/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The whole server beside the twin of YooKassa, and a person who pays on its page in a browser. */
let running: RunningSystem;
let browser: Browser;
let core: Core;
let cards: CardSales<{ work: string }>;
let userId: number;
const heard: Heard[] = [];
const { workspaceId } = demo;

const shop = aShop(heard);
const seller: Module = {
  name: "a_product",
  wire(given) {
    core = given;
    const sales = sellByCard(given, shop);
    if (!sales) throw new Error("nobody can pay by card here");
    cards = sales;
    return { tasks: [shop.outcomes] };
  },
};

beforeAll(async () => {
  running = await startSystem({ modules: [http, workspaces, delivery, billing, seller] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});
beforeEach(async () => {
  heard.length = 0;
  userId = await aPerson(running.database.sql, workspaceId);
  await cards.keepContact({ workspaceId, userId }, "anna@example.com");
});

/** Somebody taps the button and opens the page. */
async function checkout(code: string, recurring = false): Promise<Page> {
  const returnUrl = `${running.twinsUrl}/yookassa/shops/100500/`;
  const sale = await cards.begin({
    workspaceId,
    userId,
    code,
    recurring,
    returnUrl,
    given: { work: "article" },
  });
  const context = await browser.newContext({ locale: "ru-RU", viewport: { width: 390, height: 860 } });
  const page = await context.newPage();
  await page.goto(urlOf(sale));
  return page;
}

function urlOf(sale: CardSale): string {
  if (sale.kind !== "pay") throw new Error(JSON.stringify(sale));
  return sale.url;
}

const told = (kind: string) =>
  until(`the product hears: ${kind}`, () =>
    heard.find(({ outcome }) => outcome.kind === kind && outcome.user_id === userId),
  );
const balance = () => balanceOf(running.database.sql, workspaceId, userId);

describe("a person on YooKassa's page", () => {
  // covers cards: Only YooKassa's word credits
  it("pays by card, comes back to the shop and has the tokens", async () => {
    const page = await checkout("starter");
    await page.getByRole("heading", { name: /3\s000,00/ }).waitFor();
    await page.getByRole("button", { name: "Заплатить" }).click();
    await page.getByRole("heading", { name: "Оплачено" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    const { given, outcome } = await told("paid");
    expect([given.work, outcome.tokens, outcome.balance]).toEqual(["article", 3_500, 4_500]);
    await page.getByRole("link", { name: "Вернуться в магазин" }).click();
    await page.getByRole("cell", { name: "оплачен" }).first().waitFor();
    expect([await balance(), await findingsIn(running.database.sql, workspaceId)]).toEqual([4_500, []]);
    await page.context().close();
  });

  // covers cards: Refunds in parts
  it("gets a part of the money back from the owner in the cabinet, and as much of the tokens goes", async () => {
    const page = await checkout("starter");
    await page.getByRole("button", { name: "Заплатить" }).click();
    await page.getByRole("heading", { name: "Оплачено" }).waitFor();
    await told("paid");
    await page.getByRole("link", { name: "Вернуться в магазин" }).click();
    await page.getByRole("textbox", { name: "Сколько вернуть" }).first().fill("1000");
    await page.getByRole("button", { name: "Вернуть" }).first().click();
    await page.getByText(/возвращено 1\s000,00/).waitFor();
    const { outcome } = await told("refunded");
    expect([outcome.refunded, outcome.refunded_tokens, outcome.balance]).toEqual([1_000, 1_166, 3_334]);
    expect([await balance(), await findingsIn(running.database.sql, workspaceId)]).toEqual([3_334, []]);
    await page.context().close();
  });

  it("is declined for the reason that was chosen, and the product hears it", async () => {
    const page = await checkout("mini");
    await page.getByRole("combobox", { name: "Причина отказа" }).selectOption("insufficient_funds");
    await page.getByRole("button", { name: "Отклонить платёж" }).click();
    await page.getByRole("heading", { name: "Платёж не прошёл" }).waitFor();
    expect((await told("failed")).outcome.reason).toBe("insufficient_funds");
    expect(await balance()).toBe(1_000);
    await page.context().close();
  });

  it("leaves without paying, and is given up when the hour is over", async () => {
    const page = await checkout("mini");
    await page.getByRole("link", { name: "Уйти без оплаты" }).click();
    await page.getByRole("heading", { name: "Molva" }).waitFor();
    await fetch(`${running.twinsUrl}/_control/yookassa/options`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance_ms: 3_600_000 }),
    });
    expect((await told("failed")).outcome.reason).toBe("expired_on_confirmation");
    await page.context().close();
  });

  // covers cards: A period is charged for once
  it("subscribes, is charged for the next period without the page, and gets the money back", async () => {
    const page = await checkout("pro", true);
    await page.getByText("Магазин запомнит способ оплаты").waitFor();
    await page.getByRole("button", { name: "Заплатить" }).click();
    await page.getByRole("heading", { name: "Оплачено" }).waitFor();
    await told("paid");
    const { sql } = running.database;
    await sql`update billing.subscriptions set period_end = now() + interval '30 minutes' where user_id = ${userId}`;
    const parts = cardPartsOf(core);
    expect(parts && (await renewDue(parts.deps))).toEqual(["charged"]);
    const { outcome } = await told("renewed");
    expect(await balance()).toBe(15_400);
    const deps = { sql, clock: systemClock, providers: paymentProviders(core) };
    const by = { operator: "anna", reason: "asked for it" };
    const { balance: left } = await refund(deps, workspaceId, { paymentId: outcome.payment_id ?? 0 }, by);
    await told("refunded");
    await told("ended");
    expect([left, await findingsIn(sql, workspaceId)]).toEqual([8_200, []]);
    await page.context().close();
  });
});
