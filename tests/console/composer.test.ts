import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { paths } from "../../src/kernel/paths/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, type OpenOptions, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

const telegram = "-1002000000001";
const max = "-70000001";
const lake = readFileSync(join(paths.web, "demo", "lake.jpg")).toString("base64");

let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startSystem({ jobs: false }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});
beforeEach(async () => {
  await running.database.sql`truncate delivery.drafts`;
});

async function openComposer(options: OpenOptions = {}, path = "/compose"): Promise<Page> {
  const page = await openConsole(browser, running, path, options);
  await page.getByRole("heading", { name: "Новый пост", level: 1 }).waitFor();
  return page;
}

const textOf = (page: Page) => page.getByRole("textbox", { name: "Текст", exact: true });

/** Writes and waits until the server has it. */
async function write(page: Page, text: string): Promise<void> {
  await textOf(page).fill(text);
  await page.getByText("Черновик сохранён").waitFor();
}

/** A picture as the browser hands it over: an expression for the page. */
const transferOf = (name: string) => `(() => {
  const bytes = Uint8Array.from(atob(${JSON.stringify(lake)}), (sign) => sign.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], ${JSON.stringify(name)}, { type: "image/jpeg" }));
  return transfer;
})()`;

/** Drops a file onto the page, as a person does from a folder. */
async function drop(page: Page, name: string): Promise<void> {
  const given = await page.evaluateHandle(transferOf(name));
  for (const event of ["dragenter", "dragover", "drop"])
    await page.locator(".compose").dispatchEvent(event, { dataTransfer: given });
}

/** Chooses these channels by hand; each stands on both platforms. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("radio", { name: "Выбрать каналы" }).check();
  await page.getByRole("searchbox", { name: "Найти канал" }).fill(name);
  await page.getByRole("checkbox", { name: `${name} Telegram` }).check();
  await page.getByRole("checkbox", { name: `${name} MAX` }).check();
}

const drafts = () =>
  running.database.sql`
    select draft_id, version, payload, scheduled_for from delivery.drafts
    where workspace_id = ${demo.workspaceId} and sent_at is null order by created_at`;

async function sentMessage(page: Page): Promise<string> {
  await page.waitForURL(/\/posts\//);
  return new URL(page.url()).pathname.slice("/posts/".length);
}

it("a post with formatting, a dropped picture and a button is seen first, then sent, once, to both messengers", async () => {
  const page = await openComposer({ role: "operator" });
  await textOf(page).fill("# Озеро\n\nТихий вечер");
  await textOf(page).press("End");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await page.keyboard.press("Control+b");
  expect(await textOf(page).inputValue()).toBe("# Озеро\n\nТихий **вечер**");
  await drop(page, "Озеро.jpg");
  await page.getByRole("textbox", { name: "Описание: Озеро.jpg" }).fill("Озеро вечером");
  await page.getByRole("button", { name: "Добавить кнопку" }).click();
  await page.getByRole("textbox", { name: "Надпись" }).fill("Маршрут");
  await page.getByRole("textbox", { name: "Ссылка" }).fill("https://example.com/lake");
  await choose(page, "Молва: всё подряд");

  for (const platform of ["Telegram", "MAX"]) {
    const preview = page.getByRole("region", { name: platform });
    await preview.getByRole("img", { name: "Картинка" }).waitFor();
    await preview.locator("strong", { hasText: "вечер" }).waitFor();
    await preview.locator(".bubble-buttons", { hasText: "Маршрут" }).waitFor();
    await preview.getByText("описания картинок здесь не показывают").waitFor();
  }
  const inTelegram = page.getByRole("region", { name: "Telegram" });
  await inTelegram.getByText("заголовок станет жирной строкой").waitFor();
  await inTelegram.getByText("18 из 1 024").waitFor();

  await page.getByRole("button", { name: "Отправить…" }).click();
  const dialog = page.getByRole("dialog", { name: "Отправить пост?" });
  await dialog.getByText("в 2 канала").waitFor();
  await dialog.getByRole("button", { name: "Отправить" }).dblclick();
  const message = await sentMessage(page);
  await page.getByText("Пост в очереди: 2 канала.").waitFor();

  expect(await running.settled(message)).toMatchObject([
    { status: "sent", platform: "max", target_id: max },
    { status: "sent", platform: "telegram", target_id: telegram },
  ]);
  for (const [provider, chat] of [
    ["telegram", telegram],
    ["max", max],
  ] as const) {
    const shown = await running.messages(provider, chat);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({
      text: "Озеро\n\nТихий вечер",
      media: [{ kind: "photo" }],
      buttons: [[{ text: "Маршрут", url: "https://example.com/lake" }]],
    });
    expect(shown[0]?.marks).toContainEqual(expect.objectContaining({ type: "bold", offset: 13, length: 5 }));
  }
  expect(await drafts()).toEqual([]);
  await page.context().close();
});

it("a draft is kept as it is written, survives a reload, and comes back after it was deleted by mistake", async () => {
  const page = await openComposer();
  await write(page, "Начало истории");
  await drop(page, "Озеро.jpg");
  await page.getByText("Озеро.jpg").waitFor();
  await until("the picture is kept", async () => (await drafts())[0]?.payload.media?.length === 1);
  await page.getByText("Черновик сохранён").waitFor();
  await page.reload();
  await page.getByText("Озеро.jpg").waitFor();
  expect(await textOf(page).inputValue()).toBe("Начало истории");
  expect(await drafts()).toHaveLength(1);

  await page.getByRole("link", { name: "Черновики" }).first().click();
  await page.getByRole("button", { name: "Удалить черновик: Начало истории" }).click();
  await page.getByRole("heading", { name: "Черновиков нет" }).waitFor();
  expect(await drafts()).toEqual([]);
  await page.getByRole("button", { name: "Вернуть" }).click();
  await page.getByRole("link", { name: "Начало истории" }).click();
  await page.getByText("Озеро.jpg").waitFor();
  expect(await textOf(page).inputValue()).toBe("Начало истории");
  await page.context().close();
});

it("what cannot be saved is not left unasked, and is saved as soon as it can be", async () => {
  const page = await openComposer();
  await page.route("**/api/v1/drafts?*", (route) => route.abort());
  await textOf(page).fill("Без связи");
  await page.getByText("Черновик не сохранён").waitFor();
  const asked = page.waitForEvent("dialog");
  const left = page.getByRole("link", { name: "Обзор" }).click();
  await (await asked).dismiss();
  await left;
  expect(await textOf(page).inputValue()).toBe("Без связи");
  await page.unroute("**/api/v1/drafts?*");
  await page.getByRole("button", { name: "Сохранить ещё раз" }).click();
  await page.getByText("Черновик сохранён").waitFor();
  expect((await drafts()).map(({ payload }) => payload.text)).toEqual(["Без связи"]);
  await page.context().close();
});

it("of two windows on one draft the second is told, and may load theirs or keep its own apart", async () => {
  const first = await openComposer();
  await write(first, "Общий текст");
  const second = await first.context().newPage();
  const [draft] = await drafts();
  await second.goto(`${running.system.url()}/compose/${draft?.draft_id}`);
  await expect.poll(() => textOf(second).inputValue()).toBe("Общий текст");
  await write(first, "Первый вариант");
  await until("the first window has saved", async () => (await drafts())[0]?.version === 2);

  await textOf(second).fill("Второй вариант");
  await second.getByText("Этот черновик изменили в другом окне").waitFor();
  await second.getByRole("button", { name: "Сохранить мой как новый черновик" }).click();
  await second.getByText("Ваш вариант сохранён новым черновиком.").waitFor();
  expect((await drafts()).map(({ payload }) => payload.text)).toEqual(["Первый вариант", "Второй вариант"]);

  await second.goto(`${running.system.url()}/compose?draft=${draft?.draft_id}`);
  await expect.poll(() => textOf(second).inputValue()).toBe("Первый вариант");
  await write(first, "Первый ещё раз");
  await until("the first window has saved again", async () => (await drafts())[0]?.version === 3);
  await textOf(second).fill("Опоздал");
  await second.getByRole("button", { name: "Загрузить чужой вариант" }).click();
  await expect.poll(() => textOf(second).inputValue()).toBe("Первый ещё раз");
  expect(await drafts()).toHaveLength(2);
  await first.context().close();
});

it("a scheduled post waits for its moment by the clock of its channels; the past is refused", async () => {
  await running.database.sql`
    update delivery.channels set timezone = 'Asia/Vladivostok' where title = 'Музыка'`;
  const page = await openComposer();
  await textOf(page).fill("Премьера");
  await choose(page, "Музыка");
  await page.getByRole("radio", { name: "В назначенное время" }).check();
  const time = page.getByLabel("Время по часам Asia/Vladivostok");
  await time.fill("2020-01-01T10:00");
  await page.getByText("Это время уже прошло.").waitFor();
  await page.getByRole("button", { name: "Отправить…" }).click();
  expect(await page.getByRole("dialog", { name: "Отправить пост?" }).count()).toBe(0);
  await time.fill("2040-05-01T19:30");
  await page.getByRole("button", { name: "Отправить…" }).click();
  const dialog = page.getByRole("dialog", { name: "Отправить пост?" });
  await dialog.getByText("1 мая 2040 г.").waitFor();
  await dialog.getByRole("button", { name: "Поставить в очередь" }).click();
  const message = await sentMessage(page);
  const waiting = await running.database.sql`
    select status, scheduled_for from delivery.deliveries where message_id = ${message}`;
  expect([...waiting]).toEqual(
    Array(2).fill({ status: "queued", scheduled_for: new Date("2040-05-01T09:30:00Z") }),
  );
  await page.context().close();
});

it("by tags it says which channels take the post and why the others do not", async () => {
  const page = await openComposer();
  await textOf(page).fill("Матч сегодня #футбол");
  await page.getByText(/^Получат \d+ канал/).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: /Футбол\s*Telegram/ })
    .waitFor();
  await page.getByText(/^Не получат \d+ канал/).click();
  const music = page.getByRole("listitem").filter({ hasText: /Музыка\s*Telegram/ });
  await music.getByText("нужен один из тегов: музыка").waitFor();
  await page.getByRole("textbox", { name: "Теги" }).fill("Музыка");
  await music.getByText("нужен один из тегов").waitFor({ state: "detached" });
  await page.context().close();
});

it("files can be pasted, put in order and taken out", async () => {
  const page = await openComposer();
  await drop(page, "Первый.jpg");
  await page.getByText("Первый.jpg").waitFor();
  await page.evaluate(`document.querySelector("textarea").dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: ${transferOf("Второй.jpg")}, bubbles: true, cancelable: true }))`);
  await page.getByRole("button", { name: "Поставить раньше: Второй.jpg" }).click();
  const names = async () =>
    (await drafts())[0]?.payload.media?.map(({ file_name }: { file_name: string }) => file_name);
  await expect.poll(names).toEqual(["Второй.jpg", "Первый.jpg"]);
  await page.getByRole("button", { name: "Убрать: Второй.jpg" }).click();
  await expect.poll(names).toEqual(["Первый.jpg"]);
  await page.context().close();
});

it("what is too long or cannot be uploaded is named where it is", async () => {
  const page = await openComposer();
  await choose(page, "Музыка");
  await textOf(page).fill("я".repeat(4097));
  await page.getByText("4 097 из 4 000, считая по строгой площадке: MAX").waitFor();
  await page.getByRole("region", { name: "MAX" }).getByText("Канал не возьмёт этот пост").waitFor();
  await page.locator("input[type=file]").setInputFiles({
    name: "битая.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]),
  });
  await page.getByText("Сервер не взял файл:").waitFor();
  await page.getByRole("button", { name: "Отправить…" }).click();
  await page.getByText("Один из файлов не загрузился.").waitFor();
  await page.getByRole("button", { name: "Убрать: битая.jpg" }).click();
  await page.getByRole("button", { name: "Добавить кнопку" }).click();
  await page.getByRole("button", { name: "Отправить…" }).click();
  await page.getByText("Нужен адрес целиком").waitFor();
  await page.context().close();
});

it("leaving a new post at once keeps it, shows it among the drafts and does not pull the person back", async () => {
  const page = await openComposer();
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/api/v1/drafts?*", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  page.on("dialog", (dialog) => void dialog.accept());
  await textOf(page).fill("Набросок на бегу");
  await page.getByRole("link", { name: "Черновики" }).first().click();
  await page.getByRole("heading", { name: "Черновиков нет" }).waitFor();
  letThrough();
  await page.getByRole("link", { name: "Набросок на бегу" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/drafts");
  expect((await drafts()).map(({ payload }) => payload.text)).toEqual(["Набросок на бегу"]);
  await page.context().close();
});

it("Back asks before it takes away what is not saved, and a refusal keeps the page and its address", async () => {
  const page = await openComposer();
  await page.getByRole("link", { name: "Черновики" }).first().click();
  await page.getByRole("link", { name: "Новый пост" }).first().click();
  await page.route("**/api/v1/drafts?*", (route) => route.abort());
  await textOf(page).fill("Без связи");
  await page.getByText("Черновик не сохранён").waitFor();
  const asked = page.waitForEvent("dialog");
  const back = page.evaluate("history.back()");
  await (await asked).dismiss();
  await back;
  await expect.poll(() => new URL(page.url()).pathname).toBe("/compose");
  expect(await textOf(page).inputValue()).toBe("Без связи");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.evaluate("history.back()");
  await page.waitForURL(/\/drafts$/);
  await page.getByRole("heading", { name: "Черновики", level: 1 }).waitFor();
  await page.context().close();
});

it("a post like one that was sent begins with its text, formatting, buttons, tags and channels", async () => {
  const text = `<b>Концерт</b> в субботу. ${"Подробности. ".repeat(30).trim()}`;
  const { message_id } = await running.post({
    tags: ["музыка"],
    payload: {
      ...{ parse_mode: "HTML", text },
      buttons: [[{ text: "Билеты", url: "https://example.com/tickets" }]],
    },
  });
  const page = await openConsole(browser, running, `/posts/${message_id}`, { role: "operator" });
  await page.getByRole("link", { name: "Написать похожий" }).click();
  await page.getByText("Перенесены текст, кнопки, теги и каналы.").waitFor();
  expect(await textOf(page).inputValue()).toBe(text);
  expect(await page.getByRole("textbox", { name: "Надпись" }).inputValue()).toBe("Билеты");
  await page
    .getByRole("status")
    .filter({ hasText: /^Выбрано: \d/ })
    .waitFor();
  await until("the draft is kept", async () => (await drafts())[0]?.payload.parse_mode === "HTML");
  await page.context().close();
});

it("what is being written stays on the screen when reading the earlier post again fails", async () => {
  const { message_id } = await running.post({ tags: ["музыка"], payload: { text: "Прежний пост" } });
  const page = await openComposer({}, `/compose?from=${message_id}`);
  await expect.poll(() => textOf(page).inputValue()).toBe("Прежний пост");
  await page.route(`**/api/v1/messages/${message_id}?*`, (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes(message_id));
  await running.post({ tags: ["музыка"], payload: { text: "Ещё один пост" } });
  await failed;
  await write(page, "Похожий пост");
  expect(await textOf(page).inputValue()).toBe("Похожий пост");
  await page.context().close();
});

it("a post is written and sent by the keyboard alone", async () => {
  const page = await openComposer();
  const reach = async (name: string) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(
        "document.activeElement.labels?.[0]?.textContent ?? document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
      );
      if (label === name) return;
    }
    throw new Error(`${name} cannot be reached with Tab`);
  };
  await reach("Текст");
  await page.keyboard.type("Только клавиши");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+i");
  await page.keyboard.press("End");
  await page.keyboard.press("Control+k");
  expect(await textOf(page).inputValue()).toBe("*Только клавиши*[](https://)");
  await page.keyboard.press("Control+z");
  await reach("По тегам");
  await page.keyboard.press("ArrowRight");
  await reach("Найти канал");
  await page.keyboard.type("Игры");
  await reach("ИгрыMAX");
  await page.keyboard.press("Space");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: "Отправить пост?" }).getByText("в 1 канал").waitFor();
  await page.keyboard.press("Enter");
  const message = await sentMessage(page);
  expect(await running.settled(message)).toMatchObject([{ platform: "max", target_id: "-70000015" }]);
  expect((await running.messages("max", "-70000015")).at(-1)).toMatchObject({
    text: "Только клавиши",
    marks: [{ type: "italic" }],
  });
  await page.context().close();
});

it("a viewer has no composer, and the server refuses them too", async () => {
  const page = await openConsole(browser, running, "/compose", { role: "viewer" });
  await page.getByRole("heading", { name: "Такой страницы нет" }).waitFor();
  expect(await page.getByRole("link", { name: "Новый пост" }).count()).toBe(0);
  for (const path of ["drafts", "messages", "media"]) {
    const answer = await page.request.post(
      `${running.system.url()}/api/v1/${path}?workspace_id=${demo.workspaceId}`,
      { data: { payload: { text: "Нельзя" } }, headers: { origin: running.system.url() } },
    );
    expect(await answer.json()).toMatchObject({ status: 403, code: "scope_missing" });
  }
  expect(await drafts()).toEqual([]);
  await page.context().close();
});

it.each([
  ["light", false, 1280],
  ["dark", true, 1280],
  ["on a phone", false, 360],
])("the composer, its summary and the drafts are accessible: %s", async (_name, dark, width) => {
  const page = await openComposer({ dark, width });
  const fits = () => page.evaluate("document.documentElement.scrollWidth <= innerWidth");
  await write(page, "**Жирно** и [ссылка](https://example.com)\n\n> цитата");
  await drop(page, "Озеро.jpg");
  await page.getByRole("button", { name: "Добавить кнопку" }).click();
  await choose(page, "Технологии");
  await page.getByRole("radio", { name: "В назначенное время" }).check();
  await page.getByRole("region", { name: "MAX" }).getByRole("img", { name: "Картинка" }).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await fits()).toBe(true);
  await page.getByRole("button", { name: "Убрать кнопку 1" }).click();
  await page.getByRole("radio", { name: "Сейчас" }).check();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: "Отправить пост?" }).getByText("в 2 канала").waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto(`${running.system.url()}/drafts`);
  await page.getByRole("link", { name: "**Жирно** и [ссылка](https://example.com)" }).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await fits()).toBe(true);
  await page.context().close();
});
