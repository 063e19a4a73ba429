import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { aChannel } from "../../src/delivery/testing/builders.ts";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";

let running: RunningSystem;
let browser: Browser;
let news: string;

beforeAll(async () => {
  [running, browser] = await Promise.all([startSystem({ jobs: false }), launchBrowser()]);
  const { sql } = running.database;
  await sql`update workspaces.workspaces set timezone = 'Europe/Moscow' where workspace_id = ${demo.workspaceId}`;
  news = await aChannel(sql, demo.workspaceId, { title: "Новости района" });
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

/** A day of the week that begins in 7 to 13 days, so that nothing of it has passed. */
function dayOfNextWeek(weekday: number): Date {
  const day = new Date(Date.now() + 7 * 86_400_000);
  const monday = day.getTime() + ((8 - day.getUTCDay()) % 7) * 86_400_000;
  return new Date(monday + weekday * 86_400_000);
}
const [monday, tuesday] = [
  dayOfNextWeek(0).toISOString().slice(0, 10),
  dayOfNextWeek(1).toISOString().slice(0, 10),
];
const thatWeek = `/plan?day=${monday}`;

/** The name of a place in the calendar. */
function place(day: string, hour?: string): string {
  const words = new Intl.DateTimeFormat("ru", {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
  return words.format(new Date(day)) + (hour ? `, ${hour}` : "");
}

/** A post that waits until a time by the clock of Moscow. */
async function scheduled(text: string, local: string, channel = news): Promise<string> {
  const { message_id } = await running.post({
    payload: { text },
    scheduled_for: new Date(`${local}:00+03:00`).toISOString(),
    channel_ids: [channel],
  });
  const [row] = await running.database.sql<[{ delivery_id: string }]>`
    select delivery_id from delivery.deliveries where message_id = ${message_id}`;
  return row.delivery_id;
}

async function dueAt(id: string): Promise<string> {
  const [row] = await running.database.sql<[{ due_at: Date }]>`
    select due_at from delivery.deliveries where delivery_id = ${id}`;
  return row.due_at.toISOString();
}
const moscow = (local: string) => new Date(`${local}:00+03:00`).toISOString();
const entry = (page: Page, text: string) => page.getByRole("button", { name: text });
const cell = (page: Page, day: string, hour?: string) => page.locator(`[data-place="${place(day, hour)}"]`);

it("a waiting post is dragged to another day and hour, and put back by the toast", async () => {
  const id = await scheduled("Субботник во дворе", `${monday}T10:30`);
  const page = await openConsole(browser, running, thatWeek);
  await cell(page, monday, "10:00").getByText("Субботник во дворе").waitFor();
  await entry(page, "Субботник во дворе").dragTo(cell(page, tuesday, "13:00"));
  await page.getByText("Перенесено на").waitFor();
  expect(await dueAt(id)).toBe(moscow(`${tuesday}T13:30`));
  await cell(page, tuesday, "13:00").getByText("Субботник во дворе").waitFor();

  await page.getByRole("button", { name: "Вернуть" }).click();
  await page.getByText("Вернули на прежнее время").waitFor();
  expect(await dueAt(id)).toBe(moscow(`${monday}T10:30`));
  await page.context().close();
});

it("a time is chosen with the keyboard, with a reason, and a time that has passed is refused in words", async () => {
  const id = await scheduled("Ярмарка на площади", `${monday}T12:00`);
  const page = await openConsole(browser, running, thatWeek);
  await entry(page, "Ярмарка на площади").press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Так решил автор поста").waitFor();
  await dialog.getByLabel("Время").fill("2020-01-01T10:00");
  await dialog.getByText("Это время уже прошло").waitFor();
  await dialog.getByLabel("Время").fill(`${tuesday}T18:15`);
  await dialog.getByText("Так можно.").waitFor();
  expect(await dueAt(id)).toBe(moscow(`${monday}T12:00`));
  await dialog.getByLabel("Причина").fill("просили вечером");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(await dueAt(id)).toBe(moscow(`${tuesday}T18:15`));
  const [event] = await running.database.sql`
    select meta from workspaces.events where delivery_id = ${id} and action = 'rescheduled'`;
  expect(event?.meta).toMatchObject({ reason: "просили вечером" });
  await page.context().close();
});

it("a refusal of a dragged post is shown, and the post stays", async () => {
  const id = await scheduled("Уже уходит", `${monday}T09:00`);
  const page = await openConsole(browser, running, thatWeek);
  await entry(page, "Уже уходит").waitFor();
  await running.database.sql`
    update delivery.deliveries set held_at = now(), hold_reason = 'проверка' where delivery_id = ${id}`;
  await entry(page, "Уже уходит").dragTo(cell(page, tuesday, "09:00"));
  await page.getByRole("alert").getByText("Сначала отпустите его").waitFor();
  expect(await dueAt(id)).toBe(moscow(`${monday}T09:00`));
  await page.getByRole("heading", { name: "Придержано" }).waitFor();
  await page.context().close();
});

it("the month, a filter and the day are in the address, and many posts of a day are folded", async () => {
  for (let at = 0; at < 6; at++) await scheduled(`Объявление ${at}`, `${tuesday}T07:0${at}`);
  const page = await openConsole(
    browser,
    running,
    `/plan?day=${tuesday}&view=month&channel=${news}&kind=posts`,
  );
  const day = cell(page, tuesday);
  await day.getByText("Объявление 0").waitFor();
  await day.getByRole("button", { name: "показать все" }).click();
  await page.getByRole("dialog").getByText("Объявление 5").waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Что выходит").selectOption("objects");
  await page.getByText("Под эти условия ничего не подходит").waitFor();
  expect(new URL(page.url()).searchParams.get("kind")).toBe("objects");
  await page.getByLabel("Вид").selectOption("week");
  expect(new URL(page.url()).searchParams.get("view")).toBe("week");
  await page.context().close();
});

it("a post of a channel that lives by another clock stands at its own hour, and the zone is named", async () => {
  const { sql } = running.database;
  const far = await aChannel(sql, demo.workspaceId, { title: "Владивосток" });
  await sql`update delivery.channels set timezone = 'Asia/Vladivostok' where channel_id = ${far}`;
  await scheduled("Прилив в бухте", `${monday}T05:20`, far);
  const page = await openConsole(browser, running, thatWeek);
  const there = cell(page, monday, "12:00");
  await there.getByText("Прилив в бухте").waitFor();
  await there.getByText("GMT+10").waitFor();
  await page.context().close();
});

it("what stops and what is held is listed aside with its reason", async () => {
  const { sql } = running.database;
  const off = await aChannel(sql, demo.workspaceId, { title: "Старый канал" });
  await scheduled("Ждёт включения", `${monday}T08:00`, off);
  await sql`update delivery.channels set enabled = false where channel_id = ${off}`;
  const page = await openConsole(browser, running, thatWeek);
  const stopped = page.getByRole("region", { name: "Не выйдет само" });
  await stopped.getByText("Ждёт включения").waitFor();
  await stopped.getByText("Канал отключён").waitFor();
  await page.getByRole("region", { name: "Придержано" }).getByText("проверка").waitFor();
  await page.context().close();
});

it("a channel is changed on paper, then for good", async () => {
  const { sql } = running.database;
  const trial = await aChannel(sql, demo.workspaceId, { title: "Пробный канал" });
  for (const text of ["Первый по очереди", "Второй по очереди"])
    await scheduled(text, `${tuesday}T20:00`, trial);
  const rate = async () =>
    (await sql`select rate_rps from delivery.channels where channel_id = ${trial}`)[0]?.rate_rps;
  const page = await openConsole(browser, running, `${thatWeek}&channel=${trial}`);
  await page.getByRole("button", { name: "Что если" }).click();
  await page.getByLabel("Пауза между постами").fill("7200");
  await page.getByRole("button", { name: "Сравнить" }).click();
  const result = page.locator(".what-if-result");
  await result.getByRole("table").getByText("позже").waitFor();
  expect(await result.locator(".later dd").textContent()).toBe("1");
  expect(await rate()).toBeNull();

  await page.getByRole("button", { name: "Применить" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Причина").fill("слишком часто");
  await dialog.getByRole("button", { name: "Применить" }).click();
  await page.getByText("Канал изменён").waitFor();
  expect(Number(await rate())).toBeCloseTo(1 / 7200, 6);

  await page.getByLabel("Канал работает").uncheck();
  await page.getByRole("button", { name: "Сравнить" }).click();
  await result.getByRole("table").getByText("не выйдет").first().waitFor();
  expect(await result.locator(".never dd").textContent()).toBe("2");
  await page.context().close();
});

it("a viewer sees the plan and cannot move anything", async () => {
  await scheduled("Только смотреть", `${monday}T16:00`);
  const page = await openConsole(browser, running, thatWeek, { role: "viewer" });
  const post = entry(page, "Только смотреть");
  expect(await post.getAttribute("draggable")).toBe("false");
  await post.click();
  await page.getByRole("dialog").getByRole("button", { name: "Закрыть" }).waitFor();
  expect(await page.getByRole("button", { name: "Перенести" }).count()).toBe(0);
  await page.context().close();
});

it.each([
  ["a light week", thatWeek, false, 1280],
  ["a dark month", `${thatWeek}&view=month`, true, 1280],
  ["days on a phone", thatWeek, false, 360],
])("the plan is accessible: %s", async (_name, path, dark, width) => {
  const page = await openConsole(browser, running, `${path}&if=1`, { dark, width });
  await entry(page, "Субботник во дворе").waitFor();
  await page
    .getByRole("region", { name: "Что если" })
    .getByLabel("Канал")
    .selectOption({ label: "Новости района" });
  await page.getByLabel("Когда публиковать").selectOption("windowed");
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.context().close();
});
