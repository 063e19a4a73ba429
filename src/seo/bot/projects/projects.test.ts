import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { projectFieldNames } from "../../projects/project-fields.ts";
import { readProject } from "../../projects/projects.ts";
import { aCategory, aCluster, aDraft, aProject } from "../../testing/builders.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterAll(() => harness.close());

const whoseIs = ({ id }: SeoPerson) => ({ workspaceId: harness.workspaceId, userId: id });

async function somebody(language = "ru"): Promise<SeoPerson> {
  const person = await harness.person({ language });
  await person.say("/start");
  await person.screen();
  return person;
}

/** What an address shows. */
async function shown(person: SeoPerson, address: string): Promise<string> {
  await person.tap(address);
  return (await person.screen()).text;
}

/** The buttons of what is shown, once everything is. */
async function labelsOf(person: SeoPerson): Promise<string[]> {
  return (await person.screen()).buttons.flat().map(({ text }) => text);
}

/** What the bot answers to words. */
async function answer(person: SeoPerson, words: string): Promise<string> {
  await person.say(words);
  return (await person.screen()).text;
}

describe("a new project", () => {
  // covers seo: F02
  it("asks again for every answer that cannot be used, in the document's words", async () => {
    const person = await somebody();
    await person.tap("project:new");
    const name = "Введите название от 2 до 100 символов";
    for (const wrong of ["Ч", "Чай <b>", "Чай {x}", "Чай [1]", "Чай \\ кофе", "Чай | кофе", "ч".repeat(101)])
      expect(await answer(person, wrong), wrong).toContain(name);
    expect(await answer(person, "Чай <b>")).toContain("без < > { } [ ] \\ |");
    expect(await answer(person, "Чайная")).toContain("Новый проект (2/4) — Компания");
    expect(await answer(person, "Д")).toContain("Введите название от 2 до 200 символов");
    expect(await answer(person, "Два листа")).toContain("Новый проект (3/4) — Специализация");
    expect(await answer(person, "чай")).toContain("Опишите подробнее (мин. 5 символов)");
    expect(await answer(person, "весовой чай и посуда")).toContain("Новый проект (4/4)");
    for (const wrong of ["не адрес", "ftp://chay.example", "https://пользователь@chay"])
      expect(await answer(person, wrong), wrong).toContain("Введите корректный URL или нажмите Пропустить");
    const card = await answer(person, "chay.example/shop");
    expect(card).toContain("Проект «Чайная» создан!");
    expect(card).toContain("Сайт: https://chay.example/shop");
    expect(card).toContain("Заполнено полей: 4/15");
  });

  it("that was interrupted is kept, and offered under [Создать проект]", async () => {
    const person = await somebody();
    await person.press("Мои проекты");
    await person.press("Создать проект");
    await answer(person, "Чайная");
    await answer(person, "Два листа");
    await person.press("Прервать");
    expect((await person.screen()).text).toContain("Ваши ответы хранятся 24 часа");
    await person.tap("page:projects:1");
    await person.press("Создать проект");
    expect((await person.screen()).text).toContain("Уже есть: Чайная, Два листа.");
    expect(await labelsOf(person)).toEqual(["Продолжить", "Начать заново", "Отменить"]);
    await person.press("Продолжить");
    expect(await person.stands()).toBe("ProjectCreate.specialization");
    await answer(person, "весовой чай и посуда");
    await person.press("Пропустить");
    expect((await person.screen()).text).toContain("Проект «Чайная» создан!");
    await person.tap("project:new");
    expect(await person.stands()).toBe("ProjectCreate.name");
  });

  it("may be begun anew or given up instead", async () => {
    const person = await somebody();
    for (const choice of ["Начать заново", "Отменить"]) {
      await person.tap("project:new");
      await answer(person, "Чайная");
      await person.press("Прервать");
      await person.screen();
      await person.tap("project:new");
      await person.press(choice);
      if (choice === "Отменить") continue;
      expect(await person.stands()).toBe("ProjectCreate.name");
      await person.press("Прервать");
      await person.screen();
    }
    await person.tap("project:new");
    expect((await person.screen()).text).toContain("Новый проект (1/4)");
  });
});

describe("projects", () => {
  // covers seo: F02
  it("are listed by eight, the newest first", async () => {
    const person = await somebody();
    expect(await shown(person, "page:projects:1")).toContain("Проектов пока нет");
    for (let number = 1; number <= 9; number += 1)
      await aProject(harness.sql, whoseIs(person), `Проект ${number}`);
    expect(await shown(person, "page:projects:2")).toContain("Мои проекты (9):");
    expect(await labelsOf(person)).toEqual(["Проект 1", "◀", "2/2", "Создать проект", "Главное меню"]);
    await person.press("◀");
    const first = await person.screen();
    expect(first.buttons.flat()[0]?.text).toBe("Проект 9");
    expect(first.buttons.flat().find(({ text }) => text === "Создать проект")?.style).toBe("success");
  });

  it("show site, platforms, categories, publications and filled fields", async () => {
    const person = await somebody();
    const id = await aProject(harness.sql, whoseIs(person), "Дубрава");
    await aCategory(harness.sql, whoseIs(person), { projectId: id });
    await aConnection(id, "telegram", "@dubrava");
    const card = await shown(person, `project:${id}:card`);
    expect(card).toContain("Дубрава");
    expect(card).toContain("Платформы: Telegram");
    expect(card).toContain("Категорий: 1 | Публикаций: 0");
    expect(card).toContain("Заполнено полей: 3/15");
    expect(await labelsOf(person)).toEqual([
      ...["Редактировать", "Категории", "Подключения", "Планировщик", "Анализ сайта", "Удалить проект"],
      ...["Мои проекты", "Главное меню"],
    ]);
  });
});

describe("editing a project", () => {
  const right: Readonly<Record<string, [typed: string, kept?: string]>> = {
    name: ["Новая мебель"],
    company_name: ["Дубрава и Ко"],
    specialization: ["столы и стулья"],
    website_url: ["dubrava.example", "https://dubrava.example"],
    company_city: ["Казань"],
    company_address: ["ул. Баумана, 1"],
    company_phone: ["+7 (843) 123-45-67"],
    company_email: ["info@dubrava.example"],
    company_instagram: ["@dubrava"],
    company_vk: ["vk.com/dubrava"],
    company_pinterest: ["dubrava"],
    company_telegram: ["@dubrava"],
    experience: ["12 лет"],
    advantages: ["свой цех"],
    description: ["делаем за две недели"],
  };
  const wrong: Readonly<Record<string, string>> = {
    ...{ specialization: "дуб", website_url: "не адрес", company_phone: "звоните", company_email: "info" },
  };

  // covers seo: F02
  it("takes each of the 15 fields, and refuses what cannot be it", async () => {
    const person = await somebody();
    const id = await aProject(harness.sql, whoseIs(person));
    await person.tap(`project:${id}:edit`);
    expect((await labelsOf(person)).length).toBe(projectFieldNames.length + 2);
    for (const field of projectFieldNames) {
      const [typed, kept = typed] = right[field] ?? [""];
      await person.tap(`project:${id}:field:${field}`);
      expect(await person.stands()).toBe("ProjectEdit.field_value");
      expect(await answer(person, wrong[field] ?? "x"), field).toContain("Некорректный формат для поля ");
      expect(await answer(person, typed), field).toContain("Сохранено: ");
      const project = await readProject(harness.sql, whoseIs(person), id);
      expect(project[field]).toBe(kept);
    }
    expect(await shown(person, `project:${id}:card`)).toContain("Заполнено полей: 15/15");
  });

  it("clears a field that a project may lack, and no other", async () => {
    const person = await somebody();
    const id = await aProject(harness.sql, whoseIs(person));
    await person.tap(`project:${id}:field:company_city`);
    await person.screen();
    expect(await labelsOf(person)).not.toContain("Очистить поле");
    await answer(person, "Казань");
    await person.tap(`project:${id}:field:company_city`);
    expect((await person.screen()).text).toContain("Сейчас: Казань");
    await person.press("Очистить поле");
    expect((await person.screen()).text).toContain("Поле очищено: Город.");
    expect((await readProject(harness.sql, whoseIs(person), id)).company_city).toBeNull();
    await person.tap(`project:${id}:field:name`);
    await person.screen();
    expect(await labelsOf(person)).not.toContain("Очистить поле");
    await person.say("/cancel");
    await person.sees("Хорошо, отменено.");
    expect(await person.stands()).toBe(`screen:project:${id}:edit`);
  });

  it("sets the time zone by a button or by its name", async () => {
    const person = await somebody();
    const id = await aProject(harness.sql, whoseIs(person));
    await person.tap(`project:${id}:edit`);
    await person.press("Часовой пояс");
    expect((await person.screen()).text).toContain("Москва (UTC+3)");
    await person.press("Омск (UTC+6)");
    expect((await person.screen()).text).toContain("Часовой пояс: Омск (UTC+6)");
    await person.press("Часовой пояс");
    await person.press("Ввести название");
    for (const wrong of ["Тридевятое/Царство", "+03:00", "завтра"])
      expect(await answer(person, wrong), wrong).toContain("Некорректный формат для поля Часовой пояс");
    expect(await answer(person, "asia/almaty")).toContain("Сохранено: Часовой пояс.");
    expect((await readProject(harness.sql, whoseIs(person), id)).timezone).toBe("Asia/Almaty");
  });

  it("speaks English with those who do", async () => {
    const person = await somebody("en");
    const id = await aProject(harness.sql, whoseIs(person));
    expect(await shown(person, `project:${id}:card`)).toContain("Fields filled in: 3/15");
    await person.press("Edit");
    await person.press("✓ Name");
    expect(await answer(person, "x")).toContain("This cannot be the field Name");
    expect(await answer(person, "Oak and more")).toContain("Saved: Name.");
    await person.tap(`project:${id}:delete`);
    expect((await person.screen()).text).toContain("Delete the project “Oak and more”?");
  });
});

describe("deleting a project", () => {
  // covers seo: E42
  it("names what is lost, returns the tokens of drafts first, and takes schedules along", async () => {
    const person = await somebody();
    const whose = whoseIs(person);
    const id = await aProject(harness.sql, whose, "Дубрава");
    const keywords = [aCluster("кухни на заказ"), aCluster("кухни в Казани")];
    const category = await aCategory(harness.sql, whose, { projectId: id, keywords });
    const connection = await aConnection(id, "telegram", "@dubrava");
    await aSchedule(category, connection);
    await aDraft(harness.sql, whose, category);
    expect(await person.balance()).toBe(1500 - 320);
    await person.tap(`project:${id}:card`);
    await person.press("Удалить проект");
    const question = (await person.screen()).text;
    for (const loss of ["1 категория", "2 ключевые фразы", "1 подключение", "1 расписание", "1 черновик"])
      expect(question).toContain(loss);
    expect(question).toContain("Удалить проект «Дубрава»?");
    expect(question).toContain("За черновики вернётся 320 токенов.");
    await person.press("Отмена");
    expect((await person.screen()).text).toContain("Заполнено полей");
    await person.press("Удалить проект");
    await person.press("Да, удалить");
    const after = (await person.screen()).text;
    expect(after).toContain("Удалено. Токены за черновики возвращены: +320 токенов.");
    expect(await person.stands()).toBe("screen:page:projects:1");
    expect(await person.balance()).toBe(1500);
    const left = await harness.sql`
      select from seo.platform_schedules where workspace_id = ${harness.workspaceId} and category_id = ${category}`;
    expect(left).toHaveLength(0);
  });

  it("fails without a dead end while something cannot be undone elsewhere", async () => {
    const person = await somebody();
    const id = await aProject(harness.sql, whoseIs(person), "Упрямый");
    expect(await shown(person, `project:${id}:delete`)).toContain("Больше ничего при этом не удалится.");
    await harness.sql`
      create function seo.refuse_delete() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`;
    await harness.sql.unsafe(
      `create trigger refuse_delete before delete on seo.projects for each row when (old.id = ${id}) execute function seo.refuse_delete()`,
    );
    try {
      await person.press("Да, удалить");
      await person.sees("Удалить не получилось, всё осталось на месте.");
    } finally {
      await harness.sql`drop trigger refuse_delete on seo.projects`;
    }
    expect(await shown(person, `project:${id}:card`)).toContain("Упрямый");
  });
});

describe("somebody else's project", () => {
  it("looks like one that is not there, whatever is tapped", async () => {
    const owner = await somebody();
    const stranger = await somebody();
    const id = await aProject(harness.sql, whoseIs(owner), "Секрет");
    const before = await readProject(harness.sql, whoseIs(owner), id);
    const tails = ["card", "edit", "timezone", "zone:omsk", "field:name", "delete", "delete:yes"];
    for (const address of [
      ...[...tails, "categories", "categories:1", "category:new"].map((tail) => `project:${id}:${tail}`),
      ...[`project:${id}:field:user_id`, `project:${id}:zone:atlantis`, "project:999999999:card"],
    ]) {
      const text = await shown(stranger, address);
      expect(text, address).toContain("Этого здесь больше нет");
      expect(text).not.toContain("Секрет");
      expect(await labelsOf(stranger)).toContain("Главное меню");
    }
    expect(await readProject(harness.sql, whoseIs(owner), id)).toEqual(before);
  });
});

async function aConnection(projectId: number, platform: string, identifier: string): Promise<number> {
  const [row] = await harness.sql<[{ id: number }]>`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
    values (${harness.workspaceId}, ${projectId}, ${platform}, 'sealed', ${identifier}) returning id`;
  return row.id;
}

async function aSchedule(categoryId: number, connectionId: number): Promise<void> {
  await harness.sql`
    insert into seo.platform_schedules (workspace_id, category_id, platform_type, connection_id, schedule_days, schedule_times, enabled)
    values (${harness.workspaceId}, ${categoryId}, 'telegram', ${connectionId}, '{mon,wed}', '{10:00}', true)`;
}
