import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { demoShop } from "../../src/shopbot/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { bubble, openPlayground, say } from "../support/playground.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The whole system as `npm start` runs it, and a person who talks to the demo's shop bot in a browser. */
let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  running = await startSystem();
  browser = await launchBrowser();
  await until("MAX sends the shop bot's updates", async () => {
    const [bot] = await running.database.sql`select subscribed_at from shopbot.bots`;
    return bot?.subscribed_at ?? undefined;
  });
});
afterAll(async () => {
  await browser.close();
  await running.stop();
});

const open = (hash = "", width?: number) => openPlayground(browser, `${running.twinsUrl}/${hash}`, width);

describe("a person at the twins' page", () => {
  it("finds the shop bot among the bots, starts a dialogue and is greeted with buttons", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Начать диалог с ботом" }).click();
    await page.getByRole("link", { name: demoShop.title }).click();
    await bubble(page, "О чём ваш вопрос?").waitFor();
    expect(await page.getByRole("heading", { name: demoShop.title }).count()).toBe(1);
    expect(new URL(page.url()).hash).toMatch(/^#max\//);
    await page.context().close();
  });

  // covers shopbot: The playground
  it("writes, taps buttons and goes through a return from beginning to end", async () => {
    const page = await open(`#start/max/${demoShop.username}`);
    await bubble(page, "О чём ваш вопрос?").waitFor();
    await page.getByRole("button", { name: "Возврат", exact: true }).click();
    await page.getByRole("status").filter({ hasText: "Минутку" }).waitFor();
    await bubble(page, "номер заказа").waitFor();
    await say(page, "не помню");
    await bubble(page, "Не нашёл в сообщении номера заказа").waitFor();
    await say(page, "заказ 48151");
    await bubble(page, "Записал заказ 48151").waitFor();
    await page.getByRole("button", { name: "Не подошёл" }).last().click();
    await bubble(page, "Возврат по заказу 48151, причина: Не подошёл").waitFor();
    await page.context().close();
  });

  // covers shopbot: The playground
  it("sends a photo and reads what the bot can do with it", async () => {
    const page = await open(`#start/max/${demoShop.username}`);
    await bubble(page, "О чём ваш вопрос?").waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles(join(projectRoot, "console", "public", "demo", "lake.jpg"));
    await page.getByRole("button", { name: "Отправить" }).click();
    await page.locator(".post[data-mine=true] img").waitFor();
    await bubble(page, "понимаю только текст").waitFor();
    await page.context().close();
  });

  it("taps a button that no longer leads anywhere and is told so", async () => {
    const page = await open(`#start/max/${demoShop.username}`);
    await bubble(page, "О чём ваш вопрос?").waitFor();
    await say(page, "возврат");
    await say(page, "48151");
    await bubble(page, "Записал заказ").waitFor();
    await say(page, "отмена");
    await bubble(page, "на этом остановимся").waitFor();
    await page.getByRole("button", { name: "Брак или поломка" }).click();
    await page.getByRole("status").filter({ hasText: "Эта кнопка больше не действует" }).waitFor();
    await page.context().close();
  });

  // covers shopbot: The playground
  it("is answered by an operator who replies in the operators' group, and goes back to the bot", async () => {
    const customer = await open(`#start/max/${demoShop.username}`);
    await bubble(customer, "О чём ваш вопрос?").waitFor();
    await say(customer, "позовите оператора, вопрос про подарок");
    await bubble(customer, "Зову сотрудника").waitFor();

    const operator = await open(`#max/${demoShop.operators.chatId}`);
    const notice = operator.locator(".post", { hasText: "ждёт сотрудника" }).last();
    await notice.waitFor();
    await notice.hover();
    await notice.getByRole("button", { name: "Ответить" }).click();
    await say(operator, "Добрый день! Упакуем бесплатно.");
    await bubble(customer, "Упакуем бесплатно").waitFor();

    await customer.getByRole("button", { name: "Вернуться к боту" }).click();
    await bubble(customer, "с вами снова бот").waitFor();
    await say(customer, "доставка");
    await bubble(customer, "Курьером по Москве").waitFor();
    for (const page of [customer, operator]) await page.context().close();
  });

  // covers shopbot: The playground
  it("does all that on a phone without anything running off the screen", async () => {
    const page = await open(`#start/max/${demoShop.username}`, 390);
    await bubble(page, "О чём ваш вопрос?").waitFor();
    await page.getByRole("button", { name: "Доставка" }).click();
    await bubble(page, "Курьером по Москве").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    await page.context().close();
  });

  it("is told when a link leads to no bot", async () => {
    const page = await open("#start/max/nobody");
    await page.getByText("Диалог не начался").waitFor();
    await page.context().close();
  });
});
