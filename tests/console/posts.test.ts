import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, type OpenOptions, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** Two chats of two messengers take every post. */
const chats = { telegram: "-1002000000001", max: "-70000001" };

let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([
    startSystem({
      jobs: false,
      prepare: async ({ sql }) => {
        await sql`update delivery.channels set rate_rps = null, template_ref = null,
          enabled = target_id in (${chats.telegram}, ${chats.max})`;
        await sql`update delivery.platform_limits set rate_rps = null`;
      },
    }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

const operator = { role: "operator" } as const;

async function visit(path: string, options: OpenOptions, story: (page: Page) => Promise<void>) {
  const page = await openConsole(browser, running, path, options);
  await story(page);
  await page.context().close();
}

const textsAt = async (provider: keyof typeof chats) =>
  (await running.messages(provider, chats[provider])).map(({ text }) => text);

async function statusesOf(messageId: string): Promise<string[]> {
  const rows = await running.database.sql<{ status: string }[]>`
    select d.status from delivery.deliveries d where d.message_id = ${messageId} order by d.status`;
  return rows.map(({ status }) => status);
}

const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString();

async function confirm(page: Page, title: string) {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Причина").fill("проверка");
  await dialog.getByRole("button", { name: title }).click();
  await dialog.waitFor({ state: "detached" });
}

it("a post that one channel refused is found, explained, and arrives when it is sent again", async () => {
  const refusal = { kind: "status", status: 400, description: "Bad Request: message is not right" } as const;
  await running.fault({ provider: "telegram", chat: chats.telegram, method: "sendMessage" }, refusal);
  const { message_id } = await running.post({ payload: { text: "Пост с приключениями" } });
  expect((await running.settled(message_id)).map(({ status }) => status).sort()).toEqual([
    "failed_permanent",
    "sent",
  ]);
  await visit("/posts", operator, async (page) => {
    const row = page.getByRole("row", { name: "Пост с приключениями" });
    await row.getByText("1 из 2 доставлено").waitFor();
    await row.getByRole("link", { name: "Пост с приключениями" }).click();
    const places = page.getByRole("region", { name: "Где он" });
    await places.getByText("message is not right").waitFor();
    await page.getByRole("button", { name: "Отправить снова" }).click();
    await page.getByText("Будет отправлено снова: 1 доставка.").waitFor();
    expect(await statusesOf(message_id)).toEqual(["failed_permanent", "sent"]);
    await confirm(page, "Отправить снова");
    await until("it arrived", async () => (await textsAt("telegram")).includes("Пост с приключениями"));
  });
  expect(await statusesOf(message_id)).toEqual(["sent", "sent"]);
});

it("a channel whose chat turned the bot away is recovered together with what it refused", async () => {
  const refusal = {
    kind: "status",
    status: 403,
    description: "Forbidden: bot was kicked from the channel chat",
  } as const;
  await running.fault({ provider: "telegram", chat: chats.telegram, method: "sendMessage" }, refusal);
  const { message_id } = await running.post({ payload: { text: "Бота выгнали" } });
  await running.settled(message_id);
  await visit(`/posts/${message_id}`, operator, async (page) => {
    await page.getByText("Верните боту место и права", { exact: false }).first().waitFor();
    await page.getByRole("button", { name: "Восстановить канал" }).click();
    await page.getByText("Будет отправлено снова: 1 доставка.").waitFor();
    await confirm(page, "Восстановить канал");
    await until("it arrived", async () => (await textsAt("telegram")).includes("Бота выгнали"));
  });
});

it("a waiting delivery is held, let go and called off, each with its reason in the timeline", async () => {
  const { message_id } = await running.post({
    ...{ payload: { text: "Пост на завтра" }, scheduled_for: tomorrow() },
  });
  await visit(`/posts/${message_id}`, operator, async (page) => {
    await page.getByText("Время ещё не пришло", { exact: false }).first().waitFor();
    await page.getByRole("link", { name: "Подробно" }).first().click();
    await page.getByRole("button", { name: "Придержать" }).click();
    await confirm(page, "Придержать");
    await page.getByText("Придержана, пока не решит человек.").waitFor();
    await page.getByRole("button", { name: "Отпустить" }).click();
    await confirm(page, "Отпустить");
    await page.getByRole("button", { name: "Отменить отправку" }).click();
    await confirm(page, "Отменить отправку");
    const timeline = page.getByRole("region", { name: "Что происходило" });
    await timeline.getByText("отменена", { exact: false }).waitFor();
    expect(await timeline.getByText("Причина: проверка").count()).toBe(3);
    await page.getByRole("link", { name: "Открыть пост" }).click();
    await page.getByRole("button", { name: "Отменить ждущие" }).click();
    await page.getByText("Будет отменено: 1 доставка.").waitFor();
    await confirm(page, "Отменить ждущие");
  });
  expect(await statusesOf(message_id)).toEqual(["failed_permanent", "failed_permanent"]);
});

it("a delivery that waits for tomorrow is sent at once", async () => {
  const [channel] = await running.database.sql`
    select channel_id from delivery.channels where platform = 'max' and target_id = ${chats.max}`;
  const { message_id } = await running.post({
    ...{ payload: { text: "Не хочу ждать" }, scheduled_for: tomorrow(), channel_ids: [channel?.channel_id] },
  });
  await visit(`/posts/${message_id}`, operator, async (page) => {
    await page.getByRole("link", { name: "Подробно" }).click();
    await page.getByRole("button", { name: "Отправить сейчас" }).click();
    await confirm(page, "Отправить сейчас");
    await until("it arrived", async () => (await textsAt("max")).includes("Не хочу ждать"));
  });
});

it("a sent post is corrected where it stands and then withdrawn, after a look at what will happen", async () => {
  const { message_id } = await running.post({ payload: { text: "Пост с ашибкой" } });
  await running.settled(message_id);
  await visit(`/posts/${message_id}`, operator, async (page) => {
    await page.getByRole("button", { name: "Исправить текст" }).click();
    await page.getByLabel("Новый текст").fill("Пост без ошибки");
    await page.getByRole("button", { name: "Проверить" }).click();
    await page.getByText("Каналов, где что-то изменится: 2.").waitFor();
    expect(await textsAt("max")).toContain("Пост с ашибкой");
    await confirm(page, "Исправить текст");
    await until("it is corrected", async () => (await textsAt("telegram")).includes("Пост без ошибки"));
    await until("it is corrected", async () => (await textsAt("max")).includes("Пост без ошибки"));
    await page.reload();
    await page.getByRole("region", { name: "После исправления" }).getByText("Пост без ошибки").waitFor();
    await page.getByRole("button", { name: "Отозвать" }).click();
    await page.getByText("Каналов, где что-то изменится: 2.").waitFor();
    await confirm(page, "Отозвать");
  });
  await until("it is gone", async () => !(await textsAt("telegram")).includes("Пост без ошибки"));
  await until("it is gone", async () => !(await textsAt("max")).includes("Пост без ошибки"));
});

it("what cannot be taken back is told with the reason before anything happens", async () => {
  const { message_id } = await running.post({ payload: { text: "Отправлено не нами" } });
  await running.settled(message_id);
  // As if an outside sender had sent it and not said what stands there.
  await running.database.sql`
    update delivery.deliveries d set render_meta = '{}' from delivery.channels c
    where c.channel_id = d.channel_id and c.platform = 'telegram' and d.message_id = ${message_id}`;
  await visit(`/posts/${message_id}`, operator, async (page) => {
    await page.getByRole("button", { name: "Отозвать" }).click();
    const plan = page.getByRole("region", { name: "Что произойдёт" });
    await plan.getByText("Каналов, где что-то изменится: 1; где не получится: 1.").waitFor();
    await plan.getByText("неизвестно, что там стоит", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Отмена", exact: true }).click();
  });
  expect(await textsAt("max")).toContain("Отправлено не нами");
});

it("chosen deliveries, and all that fit a filter, are called off after a rehearsal that counts them", async () => {
  const texts = ["Очередь раз", "Очередь два", "Очередь три"];
  const posts: string[] = [];
  for (const text of texts)
    posts.push((await running.post({ payload: { text }, scheduled_for: tomorrow() })).message_id);
  const left = async () =>
    (await Promise.all(posts.map(statusesOf))).flat().filter((each) => each === "queued");
  await visit("/deliveries", operator, async (page) => {
    await page.getByRole("button", { name: "в очереди" }).click();
    await page.getByRole("row", { name: "Очередь раз" }).first().getByRole("checkbox").check();
    await page.getByText("Выбрано: 1 доставка").waitFor();
    await page.getByRole("button", { name: "Отменить…" }).click();
    await page.getByText("Будет отменено: 1 доставка.").waitFor();
    await confirm(page, "Отменить отправку");
    expect(await left()).toHaveLength(5);
    await page.getByText("Всё, что подходит под фильтр").waitFor();
    await page.getByRole("button", { name: "Отменить…" }).click();
    await page.getByText("Будет отменено: 5 доставок.").waitFor();
    expect(await left()).toHaveLength(5);
    await confirm(page, "Отменить отправку");
    await page.getByRole("heading", { name: "Ничего не подходит" }).waitFor();
  });
  expect(await left()).toEqual([]);
});

it("a filter lives in the address, is saved under a name and opens again from its chip", async () => {
  await running.settled((await running.post({ payload: { text: "Для фильтра" } })).message_id);
  await visit("/deliveries", operator, async (page) => {
    await page.getByRole("button", { name: "доставлено" }).click();
    await page.getByLabel("За какое время").selectOption("day");
    await page.waitForURL("**/deliveries?status=sent&since=day");
    await page.getByRole("button", { name: "Сохранить фильтр" }).click();
    await page.getByLabel("Название").fill("Дошло за сутки");
    await page.getByRole("dialog").getByRole("button", { name: "Сохранить фильтр" }).click();
    await page.goto(`${running.system.url()}/deliveries`);
    await page.getByRole("link", { name: "Дошло за сутки" }).click();
    await page.waitForURL("**/deliveries?status=sent&since=day");
    await page.getByRole("row", { name: "Для фильтра" }).first().waitFor();
    await page.getByRole("button", { name: "Удалить фильтр «Дошло за сутки»" }).click();
    await page.getByRole("link", { name: "Дошло за сутки" }).waitFor({ state: "detached" });
  });
});

it("a viewer reads all of it, is offered no action, and is refused by the server", async () => {
  const { message_id } = await running.post({
    ...{ payload: { text: "Только смотреть" }, scheduled_for: tomorrow() },
  });
  await visit(`/posts/${message_id}`, { role: "viewer" }, async (page) => {
    await page.getByText("Время ещё не пришло", { exact: false }).first().waitFor();
    expect(await page.getByRole("toolbar", { name: "Действия" }).count()).toBe(0);
    const asked = `fetch("/api/v1/messages/${message_id}/withdraw?workspace_id=${demo.workspaceId}", {
      method: "POST", headers: { "content-type": "application/json" }, body: '{"reason": "проверка"}' }).then((a) => a.status)`;
    expect(await page.evaluate(asked)).toBe(403);
    await page.goto(`${running.system.url()}/deliveries`);
    await page.getByRole("row", { name: "Только смотреть" }).first().waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    expect(await page.getByRole("region", { name: "Действия со многими" }).count()).toBe(0);
  });
  expect(await statusesOf(message_id)).toEqual(["queued", "queued"]);
});

it("an old link says that the post or the delivery is not there", async () => {
  await visit(`/posts/${crypto.randomUUID()}`, operator, async (page) => {
    await page.getByRole("heading", { name: "Пост не найден" }).waitFor();
    await page.goto(`${running.system.url()}/deliveries/${crypto.randomUUID()}`);
    await page.getByRole("heading", { name: "Доставка не найдена" }).waitFor();
  });
});

it.each([
  ["light", false, 1280],
  ["dark", true, 1280],
  ["on a phone", false, 360],
])("its pages are accessible and fit: %s", async (_name, dark, width) => {
  const { message_id } = await running.post({
    payload: {
      text: `<b>Вид ${width} ${dark}</b> и длинная-длинная ссылка https://example.com/${"очень".repeat(20)}`,
      parse_mode: "HTML",
      buttons: [[{ text: "Подробнее", url: "https://example.com" }]],
    },
  });
  const [delivery] = await running.settled(message_id);
  await visit("/posts", { ...operator, dark, width }, async (page) => {
    const pages = [
      ["/posts", `Вид ${width} ${dark}`],
      ["/deliveries", `Вид ${width} ${dark}`],
      [`/posts/${message_id}`, "Как видят читатели"],
      [`/deliveries/${delivery?.delivery_id}`, "Что происходило"],
    ];
    for (const [path, words] of pages) {
      await page.goto(`${running.system.url()}${path}`);
      await page
        .getByText(words ?? "")
        .first()
        .waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
  });
});
