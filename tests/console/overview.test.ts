import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

const garden = "-1002000000018";
const kicked = {
  kind: "status",
  status: 403,
  description: "Forbidden: bot was kicked from the channel chat",
} as const;

let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startSystem({ jobs: false }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

/** Where this day has some hours left. */
const zone = new Date().getUTCHours() < 20 ? "UTC" : "Asia/Tokyo";

const gardenRow = async () => {
  const [row] = await running.database.sql`select * from delivery.channels where target_id = ${garden}`;
  return row;
};

it("an owner sees in the morning what did not arrive and why, mends it, and the posts go out", async () => {
  await running.fault({ provider: "telegram", chat: garden, method: "sendMessage" }, kicked);
  const { message_id } = await running.post({ payload: { text: "Пора подрезать яблони" }, tags: ["дом"] });
  await running.settled(message_id);

  const page = await openConsole(browser, running, "/");
  const attention = page.getByRole("region", { name: "Требует внимания" });
  await attention
    .getByText(/1 доставка не дошло|1 доставка/)
    .first()
    .waitFor();
  await attention.getByText("Бот не может писать в канал. Проверьте права бота").first().waitFor();
  const posts = page.getByRole("region", { name: "Последние посты" });
  await posts
    .getByText(/доставлено \d+ из \d+/)
    .first()
    .waitFor();

  // The bot is back in the channel.
  await attention.getByRole("button", { name: "Отправить ещё раз" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Причина" }).fill("бота вернули");
  await dialog.getByText("Будет отправлено снова: 1 доставка").waitFor();
  await dialog.getByRole("button", { name: "Отправить снова" }).click();
  await until("the post is in the channel", async () => {
    const messages = await running.messages("telegram", garden);
    return messages.length === 1;
  });
  await page.context().close();
});

it("what was seen does not come again, until that is taken back", async () => {
  const broken = { kind: "status", status: 400, description: "Bad Request: can't parse entities" } as const;
  await running.fault({ provider: "telegram", chat: garden, method: "sendMessage" }, broken);
  const { message_id } = await running.post({ payload: { text: "Пора сеять" }, tags: ["дом"] });
  await running.settled(message_id);
  const page = await openConsole(browser, running, "/");
  await page.getByRole("button", { name: "Всё просмотрено" }).click();
  await page.getByRole("heading", { name: "Всё идёт как надо" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Всё идёт как надо" }).waitFor();
  await page.getByRole("region", { name: "Последние посты" }).waitFor();
  await page.evaluate("localStorage.removeItem('molva.seen')");
  await page.reload();
  await page.getByRole("button", { name: "Всё просмотрено" }).click();
  await page.getByRole("button", { name: "Вернуть" }).click();
  await page.getByRole("heading", { name: "Требует внимания" }).waitFor();
  await page.context().close();
});

it("a paused channel says so as soon as it is paused, and goes on at a tap; a viewer has no button", async () => {
  const page = await openConsole(browser, running, "/");
  const viewer = await openConsole(browser, running, "/", { role: "viewer" });
  await page.getByRole("heading", { name: "Последние посты" }).waitFor();
  const channel = await gardenRow();
  const paused = await page.evaluate(
    `fetch("/api/v1/channels/${channel?.channel_id}/pause?workspace_id=${channel?.workspace_id}", {
       method: "POST", headers: { "content-type": "application/json" },
       body: JSON.stringify({ seconds: 3600, reason: "переезд" }),
     }).then((answer) => answer.status)`,
  );
  expect(paused).toBe(200);
  // The live stream tells both pages.
  await page.getByText("переезд").waitFor();
  await viewer.getByText("переезд").waitFor();
  expect(await viewer.getByRole("button", { name: "Включить" }).count()).toBe(0);
  await page.getByRole("button", { name: "Включить" }).click();
  await page.getByText(/Канал «.+» снова работает\./).waitFor();
  expect(await gardenRow()).toMatchObject({ enabled: true, paused_until: null });
  await page.context().close();
  await viewer.context().close();
});

it("today's plan has what waits for this evening", async () => {
  const soon = new Date(Date.now() + 30 * 60_000);
  await running.post({ payload: { text: "Вечерний выпуск" }, scheduled_for: soon.toISOString() });
  const page = await openConsole(browser, running, "/", { zone });
  const today = page.getByRole("region", { name: "Сегодня выйдет" });
  await today.getByText("Вечерний выпуск").first().waitFor();
  await page.context().close();
});

it.each([
  ["light", false, 1280],
  ["dark", true, 2560],
  ["on a phone", false, 360],
])("it is accessible with all of this: %s", async (_name, dark, width) => {
  const page = await openConsole(browser, running, "/", { dark, width, zone });
  await page.getByRole("heading", { name: "Последние посты" }).waitFor();
  await page.getByRole("region", { name: "Сегодня выйдет" }).getByRole("listitem").first().waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.context().close();
});
