import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { answer, pressed, type SeoOwner, seoOwner } from "../../../../tests/support/seo-owner.ts";

const password = "abcdEFGH1234ijklMNOP5678";

let harness: SeoBotHarness;
let owner: SeoOwner;
let connectionId: number;

beforeAll(async () => {
  harness = await startSeoBot({ business: false });
  const anna = { login: "anna", role: "administrator", passwords: [password] };
  await harness.control("POST", "/wordpress/sites", { name: "lavka", title: "Лавка", users: [anna] });
  owner = await seoOwner(harness);
  await owner.person.tap(`project:${owner.projectId}:connect:wordpress`);
  for (const each of ["lavka.wordpress.test", "anna", password]) await answer(owner.person, each);
  connectionId = Number(/(\d+)/.exec(await owner.person.stands())?.[1]);
});
afterAll(() => harness.close());

const stored = async () => {
  const [row] = await harness.sql<{ days: string[]; times: string[]; posts: number; enabled: boolean }[]>`
    select schedule_days as days, schedule_times as times, posts_per_day as posts, enabled from seo.platform_schedules
    where workspace_id = ${harness.workspaceId} and category_id = ${owner.categoryId} and connection_id = ${connectionId}`;
  return row;
};
const open = async (address: string) => {
  await owner.person.tap(address);
  return (await owner.person.screen()).text;
};
const here = () => `category:${owner.categoryId}:connection:${connectionId}:schedule`;

describe("a schedule", () => {
  it("is reached from the project over the category and the connection", async () => {
    const { person } = owner;
    expect(await open(`project:${owner.projectId}:scheduler`)).toContain("• Листовой чай — без расписания");
    expect(await pressed(person, "Листовой чай")).toContain("Расписания пока нет.");
    expect(await pressed(person, "WordPress: lavka.wordpress.test")).toContain("Как часто публиковать?");
    expect(await person.labels()).toEqual([
      ...["1 раз в неделю (Пн, 10:00)", "3 раза в неделю (Пн, Ср, Пт)", "Каждый день в 10:00"],
      ...["Настроить вручную", "К платформе", "К планировщику", "К категории"],
    ]);
  });

  it("is set by a preset with its cost a week, and switched off and on", async () => {
    const { person } = owner;
    await open(here());
    expect(await pressed(person, "3 раза в неделю (Пн, Ср, Пт)")).toContain(
      "Расписание: Пн, Ср, Пт в 10:00. ~960 токенов/нед",
    );
    expect(await stored()).toMatchObject({ days: ["mon", "wed", "fri"], times: ["10:00"], enabled: true });
    expect((await person.screen()).text).toContain("Следующая публикация:");
    expect(await open(`category:${owner.categoryId}:scheduler`)).toContain("Следующая публикация:");
    expect(await open(`project:${owner.projectId}:scheduler`)).toContain("Листовой чай — 1 расписание");
    await open(here());
    expect(await pressed(person, "Отключить расписание")).toContain("Расписание отключено.");
    expect((await stored())?.enabled).toBe(false);
    expect(await pressed(person, "Включить расписание")).toContain("Расписание: Пн, Ср, Пт в 10:00.");
    await pressed(person, "Каждый день в 10:00");
    expect((await stored())?.days).toHaveLength(7);
    await pressed(person, "1 раз в неделю (Пн, 10:00)");
    expect((await stored())?.days).toEqual(["mon"]);
  });

  it("is set by hand: at least one day, one to five a day, exactly as many times", async () => {
    const { person } = owner;
    await harness.sql`delete from seo.platform_schedules where workspace_id = ${harness.workspaceId}`;
    await open(here());
    expect(await pressed(person, "Настроить вручную")).toContain("Расписание (1/3) — Дни");
    expect(await person.stands()).toBe("ScheduleSetup.select_days");
    expect(await pressed(person, "Готово")).toContain("Выберите хотя бы один день");
    for (const day of ["Вт", "Чт", "Сб", "✓ Сб"]) await pressed(person, day);
    expect(await pressed(person, "Готово")).toContain("Расписание (2/3)");
    expect(await person.stands()).toBe("ScheduleSetup.select_count");
    expect(await answer(person, "шесть")).toContain("нажмите одну из кнопок");
    expect((await person.labels()).slice(0, 5)).toEqual(["1", "2", "3", "4", "5"]);
    expect(await pressed(person, "2")).toContain("Расписание (3/3)");
    expect(await person.stands()).toBe("ScheduleSetup.select_times");
    const hours = (await person.labels()).filter((each) => each.includes(":00"));
    expect([hours.length, hours[0], hours.at(-1)]).toEqual([18, "06:00", "23:00"]);
    await pressed(person, "18:00");
    expect(await pressed(person, "Готово")).toContain("Выберите ровно 2 временных слота");
    await pressed(person, "09:00");
    expect(await pressed(person, "Готово")).toMatch(
      /Расписание: Вт, Чт в 09:00, 18:00\. ~1\s280 токенов\/нед/,
    );
    expect(await stored()).toEqual({
      ...{ days: ["tue", "thu"], times: ["09:00", "18:00"], posts: 2, enabled: true },
    });
    expect(await person.stands()).toBe(`screen:${here()}`);
  });

  it("is offered after a publication: on working days, thrice a week, by hand or later", async () => {
    const at = `schedule:${owner.categoryId}:${connectionId}`;
    expect(await open(`${at}:workdays`)).toContain("Расписание: Пн, Вт, Ср, Чт, Пт в 10:00.");
    expect(await open(`${at}:later`)).toContain("Хорошо, напомню позже.");
    expect(await owner.person.stands()).toBe(`screen:category:${owner.categoryId}:card`);
    expect(await open(`${at}:manual`)).toContain("Расписание (1/3)");
    expect(await owner.person.labels()).toContain("✓ Пн");
  });

  it("of somebody else is neither shown nor changed, and nothing odd is stored", async () => {
    const { person } = await seoOwner(harness, { language: "en" });
    const before = await stored();
    await person.tap(`schedule:${owner.categoryId}:${connectionId}:daily`);
    await person.tap(here());
    await owner.person.tap(`schedule:${owner.categoryId}:${connectionId}:nosuch`);
    expect(await stored()).toEqual(before);
    expect((await person.screen()).text).not.toContain("lavka");
  });
});
