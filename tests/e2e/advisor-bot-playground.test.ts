import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAdvisorBot } from "../../src/advisorbot/index.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { bubble, openPlayground, say } from "../support/playground.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";

/** The whole system as `npm start` runs it, and a person who talks to the demo's advisor in a browser. */
let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  running = await startSystem({ environment: { COOLDOWN_SEC: "0" } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await running.stop();
});

const open = (hash = `#start/telegram/${demoAdvisorBot.username}`, width?: number) =>
  openPlayground(browser, `${running.twinsUrl}/${hash}`, width);
const press = (page: Page, name: string) => page.getByRole("button", { name }).last().click();

describe("a person at the twins' page", () => {
  it("finds the advisor among the bots and is asked who it is about", async () => {
    const page = await open("");
    await page.getByRole("button", { name: "Начать диалог с ботом" }).click();
    await page.getByRole("link", { name: demoAdvisorBot.title }).click();
    await bubble(page, "О ком вопрос?").waitFor();
    expect(await page.getByRole("heading", { name: demoAdvisorBot.title }).count()).toBe(1);
    expect(new URL(page.url()).hash).toMatch(/^#telegram\//);
    await page.context().close();
  });

  // covers advisor: Telegram bot
  it("agrees, asks, is answered by the service of the same process, and goes on", async () => {
    const page = await open();
    await bubble(page, "О ком вопрос?").waitFor();
    await press(page, "Собака");
    await bubble(page, "Прежде чем начать").waitFor();
    await press(page, "Согласен");
    await press(page, "Срочно: что-то не так");
    await press(page, "Пропустить");
    await bubble(page, "Ваш вопрос").waitFor();
    await say(page, "Собака без сознания, что делать?");
    await bubble(page, "Это срочно: позвоните в клинику").waitFor();
    await bubble(page, "Осталось вопросов сегодня: 2.").waitFor();
    await say(page, "А если она очнулась?");
    await bubble(page, "Осталось вопросов сегодня: 1.").waitFor();
    await page.context().close();
  });

  it("sends a photo and reads that photos need Pro, on a phone without anything running off the screen", async () => {
    const page = await open(undefined, 390);
    await bubble(page, "О ком вопрос?").waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles(join(projectRoot, "console", "public", "demo", "lake.jpg"));
    await page.getByRole("button", { name: "Отправить" }).click();
    await press(page, "Согласен");
    await bubble(page, "Это доступно на Pro").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    await press(page, "Открыть Pro");
    await bubble(page, "Pro на 30 дней").waitFor();
    await bubble(page, "После оплаты просто продолжайте здесь").waitFor();
    await page.context().close();
  });
});
