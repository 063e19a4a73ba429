import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";

let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startSystem({ jobs: false }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

it("a person goes anywhere by a few letters", async () => {
  const page = await openConsole(browser, running, "/");
  await page.getByRole("heading", { name: "Обзор", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Найти или перейти" }).fill("токен");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Токены API", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/tokens");
  await page.context().close();
});

it("a person finds a channel by a part of its name", async () => {
  const page = await openConsole(browser, running, "/");
  await page.getByRole("button", { name: "Найти или перейти" }).click();
  await page.getByRole("combobox", { name: "Найти или перейти" }).fill("футб");
  await page.getByRole("option", { name: "Футбол" }).first().click();
  await page.getByRole("heading", { name: "Футбол", level: 1 }).waitFor();
  await page.context().close();
});

it("a viewer is not shown what only administrators may open, and gets no page there", async () => {
  const page = await openConsole(browser, running, "/tokens", { role: "viewer" });
  await page.getByRole("heading", { name: "Такой страницы нет" }).waitFor();
  expect(await page.getByRole("link", { name: "Токены API" }).count()).toBe(0);
  await page.context().close();
});

it("the first page needs less than 200 kB of compressed script", async () => {
  const page = await openConsole(browser, running, "/");
  await page.getByRole("heading", { name: "Последний час" }).waitFor();
  const scripts: { name: string; encodedBodySize: number }[] = await page.evaluate(
    "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map((entry) => entry.toJSON())",
  );
  expect(scripts.length).toBeGreaterThan(2);
  expect(scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThan(200_000);
  await page.context().close();
});

it.each([
  ["light", false, 1280],
  ["dark", true, 1280],
  ["on a phone", false, 360],
])("the overview is accessible: %s", async (_name, dark, width) => {
  const page = await openConsole(browser, running, "/", { dark, width });
  await page.getByRole("heading", { name: "Последний час" }).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.context().close();
});
