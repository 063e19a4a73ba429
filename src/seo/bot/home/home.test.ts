import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { version } from "../../../kernel/paths/index.ts";
import { dashboard } from "./dashboard.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false, environment: { SEO_SUPPORT: "@seo_helpers" } });
});
afterAll(() => harness?.close());

const at = () => harness.workspaceId;

async function aProject({ id: userId }: SeoPerson): Promise<number> {
  const [row] = await harness.sql<[{ id: number }]>`
    insert into seo.projects (workspace_id, user_id, name, company_name, specialization)
    values (${at()}, ${userId}, 'Чайная', 'Два листа', 'весовой чай') returning id`;
  return row.id;
}

async function aConnection(projectId: number, platform: "wordpress" | "telegram"): Promise<number> {
  const [row] = await harness.sql<[{ id: number }]>`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
    values (${at()}, ${projectId}, ${platform}, 'none', ${`${platform}-${projectId}`}) returning id`;
  return row.id;
}

async function aSchedule(projectId: number, connectionId: number, perWeek: readonly string[]): Promise<void> {
  await harness.sql`
    with category as (
      insert into seo.categories (workspace_id, project_id, name) values (${at()}, ${projectId}, 'Улуны') returning id)
    insert into seo.platform_schedules (workspace_id, category_id, platform_type, connection_id, schedule_days, schedule_times, enabled)
    select ${at()}, c.id, 'wordpress', ${connectionId}, ${[...perWeek]}, array['10:00'], true from category c`;
}

async function published(
  { id: userId }: SeoPerson,
  projectId: number,
  costs: readonly number[],
): Promise<void> {
  for (const [index, cost] of costs.entries())
    await harness.sql`
      insert into seo.publication_logs (workspace_id, user_id, project_id, platform_type, tokens_spent, created_at)
      values (${at()}, ${userId}, ${projectId}, 'wordpress', ${cost}, now() - ${index} * interval '1 hour')`;
}

const setBalance = ({ id }: SeoPerson, balance: number) => harness.sql`
  update billing.users set balance = ${balance} where workspace_id = ${at()} and id = ${id}`;

const styleOf = async (person: SeoPerson, label: string) => {
  const { buttons } = await person.screen();
  const found = buttons.flat().find(({ text }) => text === label);
  return found && "style" in found ? found.style : undefined;
};

describe("the dashboard", () => {
  // covers seo: F01
  it("says what the bot does and what was given at the first meeting only", async () => {
    const person = await harness.person();
    await person.say("/start");
    const first = await person.screen();
    expect(first.text).toContain("Это SEO Master");
    expect(first.text).toContain("Вам начислено 1500 токенов (~5 статей на сайт)");
    expect(first.text).toContain("У вас пока нет проектов. Создайте первый — это займёт 30 секунд.");
    await person.say("Меню");
    const second = await person.screen();
    expect(second.text).not.toContain("начислено");
    expect(second.text).toContain("У вас пока нет проектов");
    expect(await styleOf(person, "Написать статью на сайт")).toBe("primary");
  });

  it("counts projects and schedules, and how many articles the tokens are enough for", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.screen();
    const project = await aProject(person);
    const site = await aConnection(project, "wordpress");
    await person.say("Меню");
    expect((await person.screen()).text).toContain("Проектов: 1 | Расписаний: 0");
    expect((await person.screen()).text).toContain("Хватит на: ~4 статьи");
    await aSchedule(project, site, ["mon", "wed", "fri"]);
    // The last ten are counted: the two older ones are not.
    await published(person, project, [100, 200, 100, 200, 100, 200, 100, 200, 100, 200, 9_000, 9_000]);
    await person.say("Меню");
    const { text } = await person.screen();
    expect(text).toContain("Проектов: 1 | Расписаний: 1");
    expect(text).toContain("Хватит на: ~10 статей");
    expect(text).toContain("уйдёт ~450 токенов/нед");
  });

  it("offers to top up first when nothing is left, and keeps the pipelines", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.screen();
    await aProject(person);
    for (const balance of [0, -120]) {
      await setBalance(person, balance);
      await person.say("Меню");
      const { text } = await person.screen();
      expect(text).toContain("Хватит на: ~0 статей");
      expect(text.includes("Задолженность будет списана при следующем пополнении.")).toBe(balance < 0);
      expect(await person.labels()).toEqual(
        expect.arrayContaining([
          "Пополнить баланс",
          "Написать статью на сайт",
          "Опубликовать пост в соцсети",
        ]),
      );
      expect(await styleOf(person, "Пополнить баланс")).toBe("primary");
      expect(await styleOf(person, "Написать статью на сайт")).toBeUndefined();
    }
    await person.press("Пополнить баланс");
    await person.sees("Выберите пакет");
  });

  it("offers a post first to whoever has networks only", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.screen();
    const project = await aProject(person);
    await aConnection(project, "telegram");
    await person.say("Меню");
    expect(await styleOf(person, "Опубликовать пост в соцсети")).toBe("primary");
    expect(await styleOf(person, "Написать статью на сайт")).toBeUndefined();
    await aConnection(project, "wordpress");
    await person.say("Меню");
    expect(await styleOf(person, "Написать статью на сайт")).toBe("primary");
  });

  it("offers what was left unfinished: to go on, to begin again, or to discard it", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.screen();
    const { sql, services, workspaceId } = harness;
    const shown = (left: readonly string[]) =>
      sql.begin((tx) =>
        dashboard.show?.(
          {},
          {
            ...{ language: "ru", workspaceId, chatId: String(person.id), userId: String(person.id) },
            ...{ now: new Date(), sql: tx, services },
            kept: async (flow) =>
              left.includes(flow)
                ? {
                    state: "select_site",
                    data: {},
                    until: new Date(),
                    summary: "Проект «Чайная», шаг 2 из 5",
                  }
                : undefined,
          },
        ),
      );
    const one = await shown(["ArticlePipeline"]);
    expect(one?.text).toContain(
      "У вас есть незавершённая работа: статья на сайт.\nПроект «Чайная», шаг 2 из 5",
    );
    expect(one?.buttons[1]).toEqual([
      { label: "Продолжить", to: "flow:ArticlePipeline:resume" },
      { label: "Начать заново", to: "flow:ArticlePipeline:restart" },
      { label: "Отменить", to: "flow:ArticlePipeline:discard" },
    ]);
    const two = await shown(["ArticlePipeline", "SocialPipeline"]);
    expect(two?.buttons.slice(3, 5).map((row) => row.map(({ label }) => label))).toEqual([
      ["Продолжить: пост"],
      ["Начать заново: пост", "Отменить: пост"],
    ]);
  });

  it("is English for whoever speaks English", async () => {
    const person = await harness.person({ language: "en" });
    await person.say("/start");
    const { text } = await person.screen();
    expect(text).toContain("You have been given 1,500 tokens (about 5 articles for a site)");
    await person.press("Help");
    await person.press("Publishing");
    await person.sees("An article is about 320 tokens");
    await person.press("To the help");
    await person.sees("Choose a topic");
  });
});

describe("settings", () => {
  // covers seo: F22
  it("lead to notifications, support and the version", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.press("Настройки");
    await person.press("Уведомления");
    await person.sees("Нажмите, чтобы включить");
    expect(await person.labels()).toContain("Новости: ВКЛ");
    await person.press("К настройкам");
    await person.press("Техподдержка");
    const { text, buttons } = await person.sees("@seo_helpers");
    expect(text).toContain("Напишите нам");
    expect(buttons.flat()[0]).toMatchObject({
      text: "Написать в поддержку",
      url: "https://t.me/seo_helpers",
    });
    await person.press("К настройкам");
    await person.press("О боте");
    await person.sees(`Версия ${version}`);
    await person.press("К настройкам");
    await person.press("Главное меню");
    await person.sees("Баланс:");
  });
});

describe("help", () => {
  // covers seo: F46
  it("explains connecting, projects, categories and publishing with prices, and leads there", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.say("/help");
    await person.sees("С чем помочь?");
    for (const [topic, words] of [
      ["Первое подключение", "пароль приложения"],
      ["Создание проекта", "Четыре ответа"],
      ["Категории", "1 токен за фразу"],
      ["Публикация", "Статья ~320 токенов"],
    ] as const) {
      await person.press(topic);
      expect((await person.sees(words)).text).toContain(topic);
      await person.press("К помощи");
    }
    await person.press("Создание проекта");
    await person.press("Создать проект");
    await person.sees("Новый проект (1/4)");
    await person.tap("help");
    await person.sees("С чем помочь?");
    await person.tap("help:nothing");
    expect((await person.screen()).buttons.flat()).toHaveLength(1);
  });
});
