import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { answer, pressed, type SeoOwner, seoOwner } from "../../../../tests/support/seo-owner.ts";
import { until } from "../../../../tests/support/until.ts";

const password = "abcdEFGH1234ijklMNOP5678";

let harness: SeoBotHarness;
let owner: SeoOwner;
let connectionId: number;

/** Connects the site in the chat. */
async function connected({ person, projectId }: SeoOwner): Promise<number> {
  await person.tap(`project:${projectId}:connect:wordpress`);
  for (const each of ["lavka.wordpress.test", "anna", password]) await answer(person, each);
  return Number(/^screen:connection:(\d+):card$/.exec(await person.stands())?.[1]);
}

beforeAll(async () => {
  harness = await startSeoBot({ business: false });
  const anna = { login: "anna", role: "administrator", passwords: [password] };
  await harness.control("POST", "/wordpress/sites", { name: "lavka", title: "Лавка", users: [anna] });
  owner = await seoOwner(harness);
  connectionId = await connected(owner);
});
afterAll(() => harness.close());

const open = async (address: string) => {
  await owner.person.tap(address);
  return (await owner.person.screen()).text;
};
const metadata = async () => {
  const [row] = await harness.sql<{ metadata: Record<string, unknown> }[]>`
    select metadata from seo.platform_connections where workspace_id = ${harness.workspaceId} and id = ${connectionId}`;
  return row?.metadata;
};

describe("the connections of a project", () => {
  it("are listed with their status, and each platform can be added", async () => {
    expect(await open(`project:${owner.projectId}:connections`)).toContain("Подключения — Лавка (1):");
    expect((await owner.person.screen()).text).toContain("✅ WordPress: lavka.wordpress.test — активно");
    const labels = await owner.person.labels();
    for (const platform of ["WordPress", "Telegram", "VK", "Pinterest"])
      expect(labels).toContain(`Добавить ${platform}`);
    expect(await pressed(owner.person, "✅ WordPress: lavka.wordpress.test")).toContain("Подключено:");
  });

  it("tell what was learnt of a site: colours, speed, links", async () => {
    const text = await until("the site was learnt", async () => {
      const shown = await open(`connection:${connectionId}:card`);
      return shown.includes("PageSpeed") && shown.includes("внутренн") && shown.includes("Цвета") && shown;
    });
    expect(text).toMatch(/Обнаружен\S* \d+ внутренн\S+ ссыл\S+ — буд(?:ет|ут) использоваться в статьях/);
    expect(await open(`connection:${connectionId}:colors`)).toMatch(/основной: #[0-9a-f]{6}/i);
  });

  it("are checked on demand, and say what is wrong", async () => {
    await open(`connection:${connectionId}:card`);
    expect(await pressed(owner.person, "Проверить подключение")).toContain("Подключение работает.");
    await harness.control("PATCH", "/wordpress/sites/lavka", { application_passwords: "off" });
    expect(await pressed(owner.person, "Проверить подключение")).toContain("отключены Application Passwords");
    await harness.control("PATCH", "/wordpress/sites/lavka", { application_passwords: "on" });
    expect(await owner.person.stands()).toBe(`screen:connection:${connectionId}:card`);
  });

  // covers seo: E08
  it("say that access was lost, and get another account", async () => {
    await harness.sql`
      update delivery.channels set connection_state = 'error', connection_error = '{"code": "unauthorized", "message": "401"}'
      where owner_product = 'seo' and connection_key = ${String(connectionId)}`;
    await harness.sql`
      update seo.platform_connections set status = 'error' where id = ${connectionId}`;
    const text = await open(`connection:${connectionId}:card`);
    expect(text).toContain("Статус: ошибка");
    expect(text).toContain("Сайт не принимает логин или Application Password");
    expect(await pressed(owner.person, "Переподключить WordPress")).toContain("WordPress (2/3)");
    await answer(owner.person, "anna");
    expect(await answer(owner.person, password)).toContain("Статус: активно");
    expect(await owner.person.stands()).toBe(`screen:connection:${connectionId}:card`);
  });

  it("of somebody else are not there", async () => {
    const { person } = await seoOwner(harness);
    for (const address of [
      "card",
      "check",
      "reconnect",
      "delete",
      "delete:yes",
      "links",
      "seo",
      "schema",
      "links:3",
    ]) {
      await person.tap(`connection:${connectionId}:${address}`);
      expect(await person.stands(), address).not.toContain("Connect");
      expect((await person.screen()).text, address).not.toContain("lavka");
    }
    expect((await metadata())?.internal_links).toBeUndefined();
  });
});

describe("a site's settings", () => {
  it("are typed: categories, tags, links to other sites, the site of the originals", async () => {
    const { person } = owner;
    await open(`connection:${connectionId}:card`);
    expect(await pressed(person, "Категории WP")).toContain("Сейчас не задано.");
    expect(await answer(person, " , ")).toContain("Пришлите от 1 до 20 названий");
    expect(await answer(person, "Чай, Посуда")).toContain("Сохранено.");
    await pressed(person, "Теги");
    await answer(person, "улун\nпуэр");
    await pressed(person, "Внешние ссылки");
    expect(await answer(person, "просто слова")).toContain("Формат: Название — https://example.com/page");
    await answer(person, "Словарь чая — https://tea.example/words");
    await pressed(person, "SEO: canonical, robots");
    expect(await pressed(person, "Изменить canonical")).toContain("Canonical");
    expect(await answer(person, "tea.example")).toContain("http:// или https://");
    await answer(person, "https://tea.example");
    expect(await metadata()).toMatchObject({
      ...{ categories: ["Чай", "Посуда"], tags: ["улун", "пуэр"], canonical: "https://tea.example" },
      external_links: [{ url: "https://tea.example/words", title: "Словарь чая" }],
    });
    await pressed(person, "Теги");
    expect(await pressed(person, "Очистить")).toContain("Сохранено.");
    expect((await metadata())?.tags).toBeUndefined();
  });

  it("are chosen by buttons: internal links, robots, the type of schema.org", async () => {
    const { person } = owner;
    await open(`connection:${connectionId}:links`);
    await pressed(person, "7");
    expect(await person.labels()).toContain("✓ 7");
    await open(`connection:${connectionId}:seo`);
    await pressed(person, "noindex, follow");
    expect(await person.labels()).toContain("✓ noindex, follow");
    await open(`connection:${connectionId}:schema`);
    await pressed(person, "Запись блога (BlogPosting)");
    expect(await metadata()).toMatchObject({
      ...{ internal_links: 7, robots: "noindex, follow", schema_type: "BlogPosting" },
    });
    await person.tap(`connection:${connectionId}:links:11`);
    await person.tap(`connection:${connectionId}:robots:nosuch`);
    expect((await metadata())?.internal_links).toBe(7);
  });
});

describe("the menu of a platform", () => {
  it("leads to publishing, the schedule, the settings and the connection", async () => {
    const text = await open(`category:${owner.categoryId}:connection:${connectionId}:menu`);
    expect(text).toContain("Листовой чай → WordPress: lavka.wordpress.test");
    expect(await owner.person.labels()).toEqual([
      ...["Опубликовать статью", "Расписание", "Настройки контента", "Ссылка на сайт", "Подключение"],
      ...["Отключить платформу", "К категории", "Главное меню"],
    ]);
    expect(await pressed(owner.person, "Ссылка на сайт")).toContain("https://lavka.wordpress.test");
  });

  it("is of a category and a connection of one project", async () => {
    const other = await seoOwner(harness);
    await owner.person.tap(`category:${other.categoryId}:connection:${connectionId}:menu`);
    expect((await owner.person.screen()).text).not.toContain("Что сделать?");
  });
});

it("is removed in two steps that name what is lost", async () => {
  const { person } = owner;
  await person.tap(`schedule:${owner.categoryId}:${connectionId}:thrice`);
  const text = await open(`connection:${connectionId}:delete`);
  expect(text).toContain("Вместе с ним удалятся расписания: 1.");
  expect(text).toContain("Опубликованное останется на месте.");
  expect(await pressed(person, "Отмена")).toContain("Статус: активно");
  await pressed(person, "Удалить подключение");
  expect(await pressed(person, "Да, удалить")).toContain("Подключения — Лавка (0):");
  const left = await harness.sql`
    select from seo.platform_schedules where workspace_id = ${harness.workspaceId} and category_id = ${owner.categoryId}`;
  expect(left).toHaveLength(0);
});
