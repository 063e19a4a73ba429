import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { type FeedServer, rss, startFeedServer } from "../../src/delivery/pull/testing/feed-server.ts";
import { aChannel } from "../../src/delivery/testing/builders.ts";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";

let feeds: FeedServer;
let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  feeds = await startFeedServer();
  [running, browser] = await Promise.all([
    startSystem({ jobs: false, environment: { MOLVA_ALLOW_HOSTS: feeds.host } }),
    launchBrowser(),
  ]);
  const { sql } = running.database;
  await sql`delete from delivery.pull_sources where workspace_id = ${demo.workspaceId}`;
  await sql`update delivery.channels set template_ref = null where workspace_id = ${demo.workspaceId}`;
  await sql`delete from delivery.templates where workspace_id = ${demo.workspaceId}`;
  await aChannel(sql, demo.workspaceId, { title: "Новости района" });
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
  await feeds?.close();
});

async function sourceNamed(id: string) {
  const [row] = await running.database.sql`
    select * from delivery.pull_sources where workspace_id = ${demo.workspaceId} and source_id = ${id}`;
  return row;
}

/** A source that is not asked by itself during the test. */
async function storedSource(id: string, config: Record<string, unknown>): Promise<void> {
  const { sql } = running.database;
  await sql`
    select delivery.add_pull_source(${demo.workspaceId}, ${id}, 'rss', ${JSON.stringify(config)}::text::jsonb, 86400,
      null, now())`;
  await sql`
    update delivery.pull_sources set next_run_at = now() + interval '1 day'
    where workspace_id = ${demo.workspaceId} and source_id = ${id}`;
}

it("a feed is rehearsed, then saved, then read", async () => {
  feeds.serve("/city", { body: rss([{ id: "c-1", text: "Открыли мост через реку" }]) });
  const page = await openConsole(browser, running, "/sources");
  await page.getByText("Источников пока нет").waitFor();
  await page.getByRole("button", { name: "Добавить источник" }).click();
  await page.getByLabel("Имя").fill("city-news");
  await page.getByLabel("Адрес").fill(`${feeds.url}/city`);
  await page.getByLabel("Метки постов").fill("город, мост");
  await page.getByRole("button", { name: "Показать, что вышло бы" }).click();
  await page.getByText("Открыли мост через реку").waitFor();
  expect(await sourceNamed("city-news")).toBeUndefined();

  await page.getByRole("button", { name: "Сохранить источник" }).click();
  await page.getByRole("heading", { name: "city-news", level: 1 }).waitFor();
  expect(await sourceNamed("city-news")).toMatchObject({
    kind: "rss",
    every_seconds: 1800,
    config_json: { url: `${feeds.url}/city`, tags: ["город", "мост"] },
  });
  await page.getByRole("button", { name: "Прочитать сейчас" }).click();
  await page.getByRole("region", { name: "Чтения" }).getByText("1 пост").waitFor();
  await page.context().close();
});

it("an API with a mapping is refused where it is wrong, and shows its posts when it is right", async () => {
  feeds.serve("/products", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data: [{ id: 7, name: "Чайник «Заря»", price: 1200 }] }),
  });
  const page = await openConsole(browser, running, "/sources?add=1");
  await page.getByLabel("Имя").fill("shop");
  await page.getByLabel("Вид").selectOption("api");
  await page.getByLabel("Адрес").fill(`${feeds.url}/products`);
  await page.getByLabel("Где список").fill("/data");
  await page.getByLabel("Id записи").fill("/id");
  await page.getByLabel("Текст", { exact: true }).fill("{{ name");
  await page.getByRole("button", { name: "Показать, что вышло бы" }).click();
  await page.getByRole("alert").first().waitFor();
  await page.getByLabel("Текст", { exact: true }).fill("{{ name }}: {{ price }} ₽");
  await page.getByRole("button", { name: "Показать, что вышло бы" }).click();
  await page.getByText("Чайник «Заря»: 1200 ₽").waitFor();
  await page.getByRole("button", { name: "Сохранить источник" }).click();
  await page.getByRole("heading", { name: "shop", level: 1 }).waitFor();
  expect(await sourceNamed("shop")).toMatchObject({ kind: "api", config_json: { items_path: "/data" } });
  await page.context().close();
});

it("a source is read now, says what it dropped and why, and why it failed", async () => {
  feeds.serve("/drops", { body: rss([{ id: "d-1", text: "Хорошая новость" }]) });
  await storedSource("drops", { url: `${feeds.url}/drops` });
  const page = await openConsole(browser, running, "/sources/drops");
  await page.getByRole("button", { name: "Прочитать сейчас" }).click();
  await page.getByText("Прочитано: 1 пост.").waitFor();
  await running.database.sql`
    select delivery.ingest_pull_chunk(${demo.workspaceId}, 'drops',
      delivery.endpoint_of_source(${demo.workspaceId}, 'drops'), '[{"source_ref": "d-2", "invalid": "нет текста"}]')`;
  feeds.serve("/drops", { status: 503, body: "чинят" });
  await page.getByRole("button", { name: "Прочитать сейчас" }).click();
  await page.getByText("Не прочитан").first().waitFor();
  const runs = page.getByRole("region", { name: "Чтения" });
  await runs.getByText("нет текста").waitFor();
  await runs.getByText("Сервер ответил ошибкой").waitFor();
  await page.getByRole("link", { name: "Все источники" }).click();
  await page.getByRole("row", { name: /drops/ }).getByText("ошибка", { exact: true }).waitFor();
  await page.context().close();
});

it("settings are changed, the source is disabled with a reason, enabled, and deleted by its name", async () => {
  feeds.serve("/life", { body: rss([]) });
  await storedSource("life", { url: `${feeds.url}/life`, max_text: 500 });
  const page = await openConsole(browser, running, "/sources/life");
  await page.getByRole("button", { name: "Изменить" }).click();
  await page.getByLabel("Читать раз в").fill("60");
  await page.getByRole("button", { name: "Сохранить источник" }).click();
  await page.getByText("раз в 1 час").waitFor();
  expect(await sourceNamed("life")).toMatchObject({ every_seconds: 3600, config_json: { max_text: 500 } });

  await page.getByRole("button", { name: "Отключить" }).click();
  await page.getByLabel("Причина").fill("лента на ремонте");
  await page.getByRole("dialog").getByRole("button", { name: "Отключить" }).click();
  await page.getByText("Источник отключён.").waitFor();
  expect((await sourceNamed("life"))?.enabled).toBe(false);
  await page.getByRole("button", { name: "Включить" }).click();
  await page.getByText("Источник включён").waitFor();
  expect((await sourceNamed("life"))?.enabled).toBe(true);

  await page.getByRole("button", { name: "Удалить" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Причина").fill("лента закрылась");
  expect(await dialog.getByRole("button", { name: "Удалить" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Чтобы подтвердить").fill("life");
  await dialog.getByRole("button", { name: "Удалить" }).click();
  await page.getByText("Источник «life» удалён.").waitFor();
  expect(await sourceNamed("life")).toBeUndefined();
  await page.context().close();
});

it("a viewer reads sources and is offered no changes", async () => {
  await storedSource("seen", { url: `${feeds.url}/seen` });
  const page = await openConsole(browser, running, "/sources?add=1", { role: "viewer" });
  await page.getByRole("link", { name: "seen" }).click();
  await page.getByText("Источник ещё не читали").waitFor();
  expect(await page.locator(".source-buttons button").count()).toBe(0);
  await page.context().close();
});

it.each([
  ["the list, light", "/sources", false, 1280],
  ["the form, dark", "/sources?add=1", true, 1280],
  ["one source, dark", "/sources/city-news", true, 1280],
  ["the list on a phone", "/sources", false, 360],
  ["one source on a phone", "/sources/drops", false, 360],
  ["the form on a phone", "/sources?add=1", false, 360],
])("sources are accessible: %s", async (_name, path, dark, width) => {
  const page = await openConsole(browser, running, path, { dark, width });
  await page.getByRole("heading", { level: 1 }).waitFor();
  if (path.includes("?")) await page.getByLabel("Вид").selectOption("api");
  else await page.getByText("1 пост").first().waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.context().close();
});

async function versionsOf(id: string) {
  return running.database.sql`
    select version, active, body from delivery.templates
    where workspace_id = ${demo.workspaceId} and template_id = ${id} order by version`;
}

it("a template is written with its result in sight, saved, changed, compared and activated", async () => {
  const page = await openConsole(browser, running, "/templates");
  await page.getByText("Шаблонов пока нет").waitFor();
  await page.getByRole("button", { name: "Новый шаблон" }).click();
  await page.getByLabel("Имя").fill("news");
  await page.getByLabel("Текст шаблона").fill("<b>{{ title }}</b>: {{ text }}{{ sign }}");
  await page.getByLabel("Значения по умолчанию").fill('{"sign": " (редакция)"}');
  await page.getByLabel("Пример поста").fill('{"title": "Мост", "text": "открыт"}');
  await page.getByLabel("Канал", { exact: true }).selectOption({ label: "Новости района (Telegram)" });
  const shown = page.locator(".trial-message");
  await shown.getByText("открыт (редакция)").waitFor();
  expect(await shown.locator("strong").textContent()).toBe("Мост");
  expect(await versionsOf("news")).toHaveLength(0);
  await page.getByRole("button", { name: "Сохранить новую версию" }).click();
  await page.getByRole("heading", { name: "news", level: 1 }).waitFor();
  expect(await versionsOf("news")).toMatchObject([{ version: 1, active: true }]);

  await page.getByLabel("Текст шаблона").fill("<b>{{ title }}</b>\n{{ text }}");
  const first = page.getByRole("listitem", { name: "Версия 1", exact: true });
  await first.getByRole("button", { name: "Сравнить" }).click();
  const diff = page.getByRole("region", { name: "Версия 1 и текст в редакторе" });
  expect(await diff.locator(".dropped code").allTextContents()).toEqual([
    "<b>{{ title }}</b>: {{ text }}{{ sign }}",
  ]);
  expect(await diff.locator(".added code").allTextContents()).toEqual(["<b>{{ title }}</b>", "{{ text }}"]);
  await page.getByRole("button", { name: "Сохранить новую версию" }).click();
  await page.getByText("Сохранена версия 2.").waitFor();
  expect(await versionsOf("news")).toMatchObject([{ active: true }, { version: 2, active: false }]);

  const second = page.getByRole("listitem", { name: "Версия 2", exact: true });
  await second.getByRole("button", { name: "Включить" }).click();
  await page.getByLabel("Причина").fill("так короче");
  await page.getByRole("dialog").getByRole("button", { name: "Включить" }).click();
  await page.getByText("Работает версия 2.").waitFor();
  expect(await versionsOf("news")).toMatchObject([{ active: false }, { version: 2, active: true }]);
  await page.context().close();
});

it("a typed template outlives another active version, and is asked about before it is replaced or left", async () => {
  const { sql } = running.database;
  await sql`select delivery.save_template(${demo.workspaceId}, 'steady', 'раз', '{}', true)`;
  await sql`select delivery.save_template(${demo.workspaceId}, 'steady', 'два', '{}', false)`;
  const page = await openConsole(browser, running, "/templates/steady");
  const text = page.getByLabel("Текст шаблона");
  await expect.poll(() => text.inputValue()).toBe("раз");
  await text.fill("мой текст");
  const second = page.getByRole("listitem", { name: "Версия 2", exact: true });
  await second.getByRole("button", { name: "Включить" }).click();
  await page.getByLabel("Причина").fill("проверка");
  await page.getByRole("dialog").getByRole("button", { name: "Включить" }).click();
  await page.getByText("Работает версия 2.").waitFor();
  await second.getByText("работает", { exact: true }).waitFor();
  expect(await text.inputValue()).toBe("мой текст");

  page.once("dialog", (dialog) => void dialog.dismiss());
  await second.getByRole("button", { name: "Взять за основу" }).click();
  expect(await text.inputValue()).toBe("мой текст");
  page.once("dialog", (dialog) => void dialog.accept());
  await second.getByRole("button", { name: "Взять за основу" }).click();
  await expect.poll(() => text.inputValue()).toBe("два");
  await page.context().close();
});

it("a new template is not lost by the link back to the list, nor by another workspace, unasked", async () => {
  const { sql } = running.database;
  await sql`insert into workspaces.workspaces (name) values ('Соседнее')`;
  const page = await openConsole(browser, running, "/templates?add=1");
  await page.getByLabel("Имя").fill("unsaved");
  await page.getByLabel("Текст шаблона").fill("не сохранено");
  page.once("dialog", (dialog) => void dialog.dismiss());
  await page.getByRole("main").getByRole("link").first().click();
  expect(await page.getByLabel("Текст шаблона").inputValue()).toBe("не сохранено");
  const asked = page.waitForEvent("dialog");
  const chosen = page.getByLabel("Рабочее пространство").selectOption({ label: "Соседнее" });
  await (await asked).dismiss();
  await chosen;
  expect(await page.getByLabel("Текст шаблона").inputValue()).toBe("не сохранено");
  await page.context().close();
  await sql`delete from workspaces.workspaces where name = 'Соседнее'`;
});

it("a template that cannot be read is refused at its place, and is not saved", async () => {
  const page = await openConsole(browser, running, "/templates?add=1");
  await page.getByLabel("Имя").fill("broken");
  await page.getByLabel("Текст шаблона").fill("раз\n{% if %}");
  await page.getByText("Канал такой пост не возьмёт").waitFor();
  await page.getByRole("button", { name: "Сохранить новую версию" }).click();
  await page.getByRole("alert").filter({ hasText: "line 2" }).first().waitFor();
  expect(await versionsOf("broken")).toHaveLength(0);
  await page.context().close();
});

it("a template is deleted when no channel is written by it", async () => {
  const { sql } = running.database;
  await sql`select delivery.save_template(${demo.workspaceId}, 'old', '{{ text }}', '{}', true)`;
  const channel = await aChannel(sql, demo.workspaceId, { title: "Архив", template_ref: "old" });
  const page = await openConsole(browser, running, "/templates/old");
  await page.getByText("Пишет посты каналов: Архив.").waitFor();
  await page.getByRole("button", { name: "Удалить" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Причина").fill("больше не нужен");
  await dialog.getByLabel("Чтобы подтвердить").fill("old");
  await dialog.getByRole("button", { name: "Удалить" }).click();
  await dialog.getByRole("alert").waitFor();
  await sql`update delivery.channels set template_ref = null where channel_id = ${channel}`;
  await dialog.getByRole("button", { name: "Удалить" }).click();
  await page.getByText("Шаблон «old» удалён.").waitFor();
  expect(await versionsOf("old")).toHaveLength(0);
  await page.context().close();
});

it("a viewer tries a template and is offered no changes", async () => {
  const page = await openConsole(browser, running, "/templates/news", { role: "viewer" });
  await page.getByLabel("Канал", { exact: true }).selectOption({ label: "Новости района (Telegram)" });
  await page.locator(".trial-message").waitFor();
  for (const name of ["Сохранить новую версию", "Удалить", "Взять за основу"])
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  expect(await page.getByLabel("Текст шаблона").isEditable()).toBe(false);
  await page.context().close();
});

it.each([
  ["the list, light", "/templates", false, 1280],
  ["one template, dark", "/templates/news", true, 1280],
  ["the list on a phone", "/templates", false, 360],
  ["one template on a phone", "/templates/news", false, 360],
])("templates are accessible: %s", async (_name, path, dark, width) => {
  const page = await openConsole(browser, running, path, { dark, width });
  await page
    .getByText(path === "/templates" ? "работает" : "Версия 2")
    .first()
    .waitFor();
  if (path !== "/templates") {
    await page.getByLabel("Канал", { exact: true }).selectOption({ label: "Новости района (Telegram)" });
    await page.locator(".trial-message").waitFor();
    await page.getByRole("listitem", { name: "Версия 1", exact: true }).getByText("Сравнить").click();
    await page.locator(".template-diff").waitFor();
  }
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.context().close();
});
