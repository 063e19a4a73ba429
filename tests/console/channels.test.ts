import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

const science = "00000000-0000-7000-8000-000000010014";
const games = "00000000-0000-7000-8000-000000010015";
const books = "00000000-0000-7000-8000-000000010016";
const garden = "00000000-0000-7000-8000-000000010018";
/** The demo's twins know this bot; it may post in -1001234567890. */
const spareToken = "7000000101:molva-demo-token-for-your-own-bot-1";

let running: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startSystem({ jobs: false }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

const open = (path: string, role?: "viewer" | "operator") =>
  openConsole(browser, running, path, role ? { role } : {});

async function channel(id: string) {
  const [row] = await running.database.sql`select * from delivery.channels where channel_id = ${id}`;
  return row;
}

const byTarget = (target: string) =>
  running.database.sql`select * from delivery.channels where target_id = ${target}`;

describe("the list", () => {
  it("is narrowed by words, platform and tag, and the address keeps that", async () => {
    const page = await open("/channels?tag=спорт");
    await page.getByRole("link", { name: "Футбол" }).first().waitFor();
    expect(await page.getByRole("row").count()).toBe(1 + 4);
    await page.getByRole("combobox", { name: "Площадка" }).selectOption({ label: "MAX" });
    await page.getByRole("searchbox").fill("футб");
    await until("one row is left", async () => (await page.getByRole("row").count()) === 2);
    const query = new URL(page.url()).searchParams;
    expect([query.get("tag"), query.get("platform"), query.get("text")]).toEqual(["спорт", "max", "футб"]);
    await page.reload();
    await page.getByRole("link", { name: "Футбол" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await page.context().close();
  });

  it("pauses everything with a tag after a rehearsal, and says why, and resumes it", async () => {
    const page = await open("/channels?tag=петербург");
    await page.getByRole("checkbox", { name: "Выбрать всё на странице" }).check();
    await page.getByRole("button", { name: "Поставить на паузу" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("На сколько").selectOption({ label: "на сутки" });
    await dialog.getByLabel("Причина").fill("переезд редакции");
    await dialog.getByRole("button", { name: "Посмотреть, что изменится" }).click();
    await dialog.getByText("На паузу встанут: 2 канала.").waitFor();
    const paused = () => running.database.sql`
      select paused_until from delivery.channels where tags @> '{петербург}' and paused_until > now()`;
    expect(await paused()).toHaveLength(0);
    await dialog.getByRole("button", { name: "Поставить на паузу" }).click();
    await page.getByText("На паузе: 2 канала.").waitFor();
    const [until24] = await paused();
    expect(Number(until24?.paused_until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await page.getByText("переезд редакции").first().waitFor();

    await page.getByRole("checkbox", { name: "Выбрать всё на странице" }).check();
    await page.getByRole("button", { name: "Возобновить" }).click();
    await dialog.getByRole("button", { name: "Посмотреть, что изменится" }).click();
    await dialog.getByRole("button", { name: "Возобновить" }).click();
    await page.getByText("Снова в работе: 2 канала.").waitFor();
    expect(await paused()).toHaveLength(0);
    await page.context().close();
  });

  it("tests the chosen channels at their platforms without posting", async () => {
    const page = await open("/channels?text=Наука");
    await page.getByRole("checkbox", { name: "Выбрать всё на странице" }).check();
    await page.getByRole("button", { name: "Проверить" }).click();
    await page.getByText("Могут публиковать: 2 канала.").waitFor();
    expect(await running.messages("telegram", "-1002000000014")).toEqual([]);
    await page.context().close();
  });

  it("shows a viewer everything and offers nothing to change", async () => {
    const page = await open("/channels", "viewer");
    await page.getByRole("link", { name: "Наука просто" }).first().waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Новый канал" }).count()).toBe(0);
    await page.goto(`${running.system.url()}/channels/${science}`);
    await page.getByLabel("Название").waitFor();
    expect(await page.getByLabel("Название").isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: /паузу|Отключить|Удалить|Проверить/ }).count()).toBe(0);
    await page.goto(`${running.system.url()}/channels/new`);
    await page.getByRole("heading", { name: "Добавлять каналы вам нельзя" }).waitFor();
    await page.context().close();
  });
});

describe("the page of a channel", () => {
  it("saves only what was changed, and shows what the server refuses at its field", async () => {
    const page = await open(`/channels/${science}`);
    await page.getByLabel("Название").fill("Наука и жизнь");
    await page.getByLabel("Постов в секунду").fill("5000");
    await page.getByRole("button", { name: "Сохранить" }).click();
    const rate = page.getByLabel("Постов в секунду");
    await until(
      "the fault is at the field",
      async () => (await rate.getAttribute("aria-invalid")) === "true",
    );
    expect((await channel(science))?.title).toBe("Наука просто");

    await rate.fill("0,5");
    await page.getByLabel("Когда публиковать").selectOption({ label: "только в указанные часы" });
    await page.getByLabel("Понедельник").fill("09:00–18:00");
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === "PATCH"),
      page.getByRole("button", { name: "Сохранить" }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({
      title: "Наука и жизнь",
      rate_rps: 0.5,
      window_mode: "windowed",
      posting_window: { mon: [["09:00", "18:00"]] },
    });
    await page.getByText("Сохранено.").waitFor();
    expect(await channel(science)).toMatchObject({
      ...{ title: "Наука и жизнь", rate_rps: "0.5", window_mode: "windowed" },
      posting_window: { mon: [["09:00", "18:00"]] },
    });
    await page.context().close();
  });

  it("disables with a reason, tells who did it and why, and resumes", async () => {
    const page = await open(`/channels/${games}`, "operator");
    await page.getByRole("button", { name: "Отключить" }).click();
    await page.getByRole("dialog").getByLabel("Причина").fill("закрыли рубрику");
    await page.getByRole("dialog").getByRole("button", { name: "Отключить" }).click();
    await page.getByText("Анна: закрыли рубрику").waitFor();
    expect((await channel(games))?.enabled).toBe(false);
    await page.getByRole("button", { name: "Возобновить" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Возобновить" }).click();
    await page.getByRole("button", { name: "Поставить на паузу" }).waitFor();
    expect((await channel(games))?.enabled).toBe(true);
    await page.context().close();
  });

  it("says what the platform refused, and brings it back when the cause is mended", async () => {
    await running.fault({ chat: "-1002000000018" }, { kind: "status", status: 403 });
    const { message_id } = await running.post({
      payload: { text: "Пора сажать чеснок" },
      channel_ids: [garden],
    });
    await running.settled(message_id);
    const page = await open(`/channels/${garden}`);
    await page.getByText(/Площадка отказала:/).waitFor();
    const post = page.getByRole("link", { name: "Пора сажать чеснок", exact: true });
    expect(await post.getAttribute("href")).toBe(`/posts/${message_id}`);
    await page.getByRole("button", { name: "Отправить снова…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Где").inputValue()).toBe(`channel ${garden}`);
    await dialog.getByLabel("Причина").fill("бот снова в канале");
    await dialog.getByText("Будет отправлено снова: 1 доставка").waitFor();
    await dialog.getByRole("button", { name: "Отправить снова" }).click();
    await page.getByText("Снова в пути: 1 доставка").waitFor();
    await until(
      "the post is in its channel",
      async () => (await running.messages("telegram", "-1002000000018"))[0],
    );
    expect((await channel(garden))?.paused_until).toBeNull();
    await page.context().close();
  });

  it("changes the credential between two posts", async () => {
    const page = await open(`/channels/${books}`);
    await store(page, "telegram", "second-bot", spareToken);
    await page.reload();
    await page.getByRole("button", { name: "Сменить доступ…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Новый доступ").selectOption("second-bot");
    await dialog.getByLabel("Причина").fill("новый бот редакции");
    await dialog.getByRole("button", { name: "Сменить" }).click();
    await page.getByText("Теперь канал публикует с доступом «second-bot».").waitFor();
    expect((await channel(books))?.rate_group).toBe("second-bot");
    await page.context().close();
  });

  it("is deleted only by somebody who types its name", async () => {
    const page = await open("/channels/00000000-0000-7000-8000-000000020020");
    await page.getByRole("button", { name: "Удалить канал…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Причина").fill("не нужен");
    const submit = dialog.getByRole("button", { name: "Удалить", exact: true });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel(/Чтобы подтвердить/).fill("Работа и карьера");
    await submit.click();
    await page.getByText("Канал «Работа и карьера» удалён.").waitFor();
    expect(await byTarget("-70000020")).toHaveLength(0);
    await page.context().close();
  });
});

async function store(page: Page, platform: string, name: string, token: string): Promise<void> {
  const answer = await page.evaluate(
    `fetch("/api/v1/credentials/${platform}/${name}?workspace_id=${demo.workspaceId}", { method: "PUT",
      headers: { "content-type": "application/json" }, body: JSON.stringify({ token: "${token}" }) }).then((answer) => answer.status)`,
  );
  expect(answer).toBe(200);
}

describe("the wizard", () => {
  it("takes a person from a bot's token to a channel that takes posts", async () => {
    const page = await open("/channels/new");
    await page.getByRole("button", { name: /^Telegram/ }).click();
    await page.getByRole("button", { name: "Новый доступ" }).click();
    await page.getByLabel("Токен бота").fill(spareToken);
    await page.getByLabel("Имя доступа").fill("our-bot");
    await page.getByRole("button", { name: "Сохранить доступ" }).click();
    await page.getByLabel("Канал или чат").fill("-1001234567890");
    await page.getByRole("button", { name: "Добавить и проверить" }).click();
    await page.getByText("Всё готово: здесь можно публиковать.").waitFor();
    expect(await byTarget("-1001234567890")).toMatchObject([{ enabled: false, auth_ref: "our-bot" }]);
    await page.getByRole("button", { name: "Дальше" }).click();
    await page.getByLabel("Название").fill("Новости компании");
    await page.getByLabel("Хотя бы один из тегов").fill("компания, Новости");
    await page.getByRole("button", { name: "Включить канал" }).click();
    await page.getByRole("heading", { name: "Новости компании", level: 1 }).waitFor();
    expect(await byTarget("-1001234567890")).toMatchObject([
      { enabled: true, title: "Новости компании", route_filter: { include_any: ["компания", "новости"] } },
    ]);
    expect(await page.content()).not.toContain(spareToken);
    await page.context().close();
  });

  it("says what is wrong when the bot is not there, and leaves nothing half-made", async () => {
    const page = await open("/channels/new");
    await page.getByRole("button", { name: /^Telegram/ }).click();
    await page.getByRole("button", { name: "Новый доступ" }).click();
    await page.getByLabel("Токен бота").fill(spareToken);
    await page.getByLabel("Имя доступа").fill("lost-bot");
    await page.getByRole("button", { name: "Сохранить доступ" }).click();
    await page.getByLabel("Канал или чат").fill("-1009999999999");
    await page.getByRole("button", { name: "Добавить и проверить" }).click();
    await page.getByText("Публиковать пока нельзя.").waitFor();
    await page
      .getByText("Проверьте адрес в настройках канала и добавьте бота в чат администратором.")
      .waitFor();
    expect(await byTarget("-1009999999999")).toMatchObject([{ enabled: false }]);
    await page.getByRole("button", { name: "Удалить" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Удалить" }).click();
    await page.getByRole("button", { name: "Новый доступ" }).waitFor();
    expect(await byTarget("-1009999999999")).toHaveLength(0);
    expect(
      await running.database.sql`select from workspaces.credential_bindings where auth_ref = 'lost-bot'`,
    ).toHaveLength(0);
    await page.context().close();
  });

  it("never replaces the token of other channels", async () => {
    const page = await open("/channels/new");
    await page.getByRole("button", { name: /^Telegram/ }).click();
    await page.getByRole("button", { name: "Новый доступ" }).click();
    await page.getByLabel("Токен бота").fill(spareToken);
    await page.getByLabel("Имя доступа").fill("demo-telegram-bot");
    await page.getByRole("button", { name: "Сохранить доступ" }).click();
    await page.getByText("Такое имя уже занято").waitFor();
    await page.context().close();
  });

  it("lets a person choose among the boards of a connected Pinterest account", async () => {
    const page = await open("/channels/new");
    await page.getByRole("button", { name: /^Pinterest/ }).click();
    await page.getByRole("button", { name: "Дальше" }).click();
    await page.getByLabel("Доска").waitFor();
    expect(await page.getByLabel("Доска").getByRole("option").allTextContents()).toContainEqual(
      expect.stringContaining("Идеи на выходные"),
    );
    await page.context().close();
  });
});

describe("the file of channels", () => {
  it("comes out, is refused with the line of an unknown field, and shows its changes before they are made", async () => {
    const page = await open("/channels/file");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /Скачать YAML/ }).click(),
    ]);
    expect(download.suggestedFilename()).toContain("channels.yaml");

    const area = page.getByLabel("Содержимое файла");
    const known = 'channels:\n- platform: telegram\n  target_id: "-1002000000017"\n';
    await area.fill(`${known}  titel: Машины\n`);
    await page.getByText("Строка 4: поля «titel» нет.").waitFor();
    await area.fill(
      `${known}  title: Машины\n- platform: telegram\n  target_id: "-1002000099999"\n  auth_ref: demo-telegram-bot\n  rate_rps: -1\n`,
    );
    await page.getByText("Добавится: 1 канал, изменится: 1 канал, без изменений: 0 каналов.").waitFor();
    expect((await byTarget("-1002000000017"))[0]?.title).toBe("Автомобили");
    await page.getByRole("button", { name: "Применить: 2 канала" }).click();
    await page.getByText("Применено: 1 канал").waitFor();
    expect(await byTarget("-1002000000017")).toMatchObject([{ title: "Машины", rate_rps: "0.75" }]);
    expect(await byTarget("-1002000099999")).toHaveLength(0);
    await page.context().close();
  });
});

describe("limits", () => {
  const limits = (group: string) =>
    running.database.sql`select rate_rps::float8 from delivery.platform_limits where rate_group = ${group}`;

  it("are set, changed and deleted", async () => {
    const page = await open("/limits", "operator");
    await page.getByRole("button", { name: "Задать лимит" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Группа").fill("night-bot");
    await dialog.getByLabel("Запросов в секунду").fill("2,5");
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await page.getByText("Лимит группы «night-bot» сохранён.").waitFor();
    expect(await limits("night-bot")).toMatchObject([{ rate_rps: 2.5 }]);

    await page.getByRole("button", { name: "Изменить лимит группы «night-bot»" }).click();
    await dialog.getByLabel("Запросов в секунду").fill("5000");
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    const rate = dialog.getByLabel("Запросов в секунду");
    await until(
      "the fault is at the field",
      async () => (await rate.getAttribute("aria-invalid")) === "true",
    );
    await dialog.getByRole("button", { name: "Отмена" }).click();

    await page.getByRole("button", { name: "Удалить лимит группы «night-bot»" }).click();
    await dialog.getByRole("button", { name: "Удалить" }).click();
    await page.getByText("У группы «night-bot» больше нет лимита.").waitFor();
    expect(await limits("night-bot")).toHaveLength(0);
    await page.context().close();
  });

  it("are only shown to a viewer", async () => {
    const page = await open("/limits", "viewer");
    await page.getByText("demo-telegram-bot").waitFor();
    expect(await page.getByRole("button", { name: /лимит/ }).count()).toBe(0);
    await page.context().close();
  });
});

const pages = [
  ["/channels", "Каналы"],
  [`/channels/${games}`, "Игры"],
  ["/channels/new", "Новый канал"],
  ["/channels/file", "Каналы файлом"],
  ["/limits", "Лимиты"],
] as const;

it.each([
  ["light", false, 1280],
  ["dark", true, 1280],
  ["on a phone", false, 360],
])("the pages are accessible: %s", async (_name, dark, width) => {
  const page = await openConsole(browser, running, "/channels", { dark, width });
  for (const [path, heading] of pages) {
    await page.goto(`${running.system.url()}${path}`);
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    expect([path, await accessibilityFindings(page)]).toEqual([path, []]);
    expect([path, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
      path,
      true,
    ]);
  }
  await page.context().close();
});
