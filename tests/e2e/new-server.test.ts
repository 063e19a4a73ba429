import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../src/cli/main.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createSystem, type System } from "../../src/main.ts";
import { configFrom } from "../../src/modules.ts";
import { launchBrowser } from "../support/browser.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** What the first administrator of a server sees: no twins, no demo data. */
let database: TestDatabase;
let system: System;
let browser: Browser;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  environment = {
    MOLVA_ENV: "development",
    MOLVA_HOME: tempFolder("new-server"),
    MOLVA_PORT: "0",
    DATABASE_URL: database.url,
  };
  const config = configFrom(environment);
  system = await createSystem({
    config,
    environment,
    databaseUrl: database.url,
    roles: ["api"],
    log: silentLog,
  });
  await system.start();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
  await database?.drop();
});

/** The link that a command prints. */
async function linkOf(path: string, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const out = (text: string) => lines.push(text);
  await run(args, { environment, out, err: out, isTerminal: false });
  // The settings do not know which free port was taken.
  return `${system.url()}${path}#${lines.join("").split("#")[1]}`;
}
const signInLink = () => linkOf("/signin", "signin");

it("shows a workspace, the way to the first post, and no playground", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  await page.goto(await signInLink());
  await page.getByRole("heading", { name: "The first post" }).waitFor();
  await page.getByText("The workspace “Молва” exists").waitFor();
  await page.getByRole("link", { name: "Open the endpoints" }).waitFor();
  await page.getByRole("link", { name: "Write a post" }).waitFor();
  await page.getByRole("link", { name: "Connect a channel" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/channels/new");
  expect(await page.getByRole("link", { name: "Playground" }).count()).toBe(0);
  await page.goto(`${system.url()}/playground`);
  expect(await page.locator("main").textContent()).not.toContain("{");
  await context.close();
});

it("lets an invited person choose name and password, and shows them what their role opens", async () => {
  await signInLink();
  const link = await linkOf("/invitation", "operator", "invite", "anna@example.org", "--role", "viewer");
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "ru-RU" });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText("Вас пригласили в «Молва»: наблюдатель").waitFor();
  // The secret is out of the address at once.
  expect(page.url()).toBe(`${system.url()}/invitation`);
  await page.getByLabel("Как вас зовут").fill("Анна");
  for (const name of ["password", "repeat"])
    await page.locator(`input[name=${name}]`).fill("verbal-marmalade-42");
  await page.getByRole("button", { name: "Принять" }).click();
  await page.getByRole("heading", { name: "Обзор" }).waitFor();
  await page.getByRole("heading", { name: "Первый пост" }).waitFor();
  const navigation = page.getByRole("navigation").first();
  expect(await navigation.getByRole("link", { name: "Учётная запись" }).count()).toBe(1);
  expect(await navigation.getByRole("link", { name: "Токены API" }).count()).toBe(0);
  await page.goto(link);
  await page.getByText("Это приглашение уже не действует").waitFor();
  await context.close();
});

it("asks who has a login already to sign in on the page of the invitation, and then to accept", async () => {
  const link = await linkOf(
    "/invitation",
    "operator",
    "invite",
    "anna@example.org",
    "--role",
    "administrator",
  );
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "ru-RU" });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText("Логин anna@example.org уже есть.").waitFor();
  await page.locator("input[name=password]").fill("verbal-marmalade-42");
  await page.getByRole("button", { name: "Войти" }).click();
  await page.getByRole("button", { name: "Принять" }).click();
  await page.getByText("Готово: приглашение принято.").waitFor();
  await page.getByRole("button", { name: "Открыть консоль" }).click();
  await page.getByRole("link", { name: "Токены API" }).first().waitFor();
  await context.close();
});
