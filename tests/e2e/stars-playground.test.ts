import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoAdvisorBot } from "../../src/advisorbot/index.ts";
import { demo } from "../../src/delivery/index.ts";
import { createApiToken } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { bubble, openPlayground, say } from "../support/playground.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The whole system as `npm start` runs it, and a person who pays with Stars in a browser. */
let running: RunningSystem;
let browser: Browser;
let page: Page;
let personId: number;

beforeAll(async () => {
  running = await startSystem({ environment: { COOLDOWN_SEC: "0", ADVISOR_PRO_STARS: "199" } });
  browser = await launchBrowser();
  page = await openPlayground(browser, `${running.twinsUrl}/#start/telegram/${demoAdvisorBot.username}`);
  await bubble(page, "О ком вопрос?").waitFor();
  personId = Number(new URL(page.url()).hash.split("/").at(-1));
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

const press = (name: string) => page.getByRole("button", { name }).last().click();
/** The flow of Pro from its beginning: people tap what they see now, not what is about to be replaced. */
async function openPro(words: string): Promise<void> {
  await say(page, "/pro");
  const shown = page.locator(".bubble");
  await until("the newest screen is that of Pro", async () => {
    const texts = await shown.allTextContents();
    const asked = texts.findLastIndex((text) => text.includes("/pro"));
    return texts.slice(asked + 1).some((text) => text.includes(words)) || undefined;
  });
}
const control = (method: string, path: string, body: unknown) =>
  fetch(`${running.twinsUrl}/_control/telegram${path}`, {
    ...{ method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
const plan = async () => {
  const [row] = await running.database.sql`
    select plan, plan_until from advisor.users where telegram_user_id = ${personId}`;
  return row?.plan;
};
const payments = () => running.database.sql<{ id: number; status: string }[]>`
  select id, status from billing.payments where user_id = ${personId} order by id`;

// covers payments: The advisor's Pro; F33 Telegram Stars
it("a person buys Pro for Stars, subscribes, is renewed by the clock, cancels, and gets a payment back", async () => {
  await openPro("Разово: закончится сам");
  await press("30 дней за 199");
  await bubble(page, "Счёт выше").waitFor();
  await press("Pay ⭐️199");
  await bubble(page, "Спасибо! Pro подключён").waitFor();
  expect(await plan()).toBe("pro");

  // A month lasts seconds, so that the renewal comes during the test.
  await control("PATCH", "/stars", { period_seconds: 4 });
  await openPro("Разово: закончится сам");
  await press("Подписка за 199 в месяц");
  await press("Оплатить 199");
  await bubble(page, "Pro продлён до").waitFor({ timeout: 30_000 });
  await control("PATCH", "/stars", { period_seconds: 2_592_000 });
  await openPro("Подписка Pro действует");
  await press("Отменить подписку");
  await press("Да, отменить");
  await bubble(page, "Подписка отменена. Pro останется до").waitFor();

  const { token } = await createApiToken(running.database.sql, {
    ...{ name: "cashier", scopes: ["read", "people", "admin"], workspaceId: demo.workspaceId },
    ...{ createdBy: null, expiresAt: null, clock: systemClock },
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (const { id } of await payments()) {
    const answer = await fetch(`${running.system.url()}/api/v1/billing/payments/${id}/refund`, {
      ...{ method: "POST", headers, body: JSON.stringify({ reason: "попросил вернуть" }) },
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { payment: { status: "refunded" } }]);
  }
  await bubble(page, "Платёж возвращён, Pro закончился").waitFor();
  await until("Pro is over", async () => (await plan()) === "free" || undefined);
  const check = await fetch(`${running.system.url()}/api/v1/billing/check`, { headers });
  expect(await check.json()).toMatchObject({ right: true });
});
