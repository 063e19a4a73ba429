import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ArticleBot, startArticleBot } from "../../../tests/support/seo-article-bot.ts";
import { type PostWorld, postWorld } from "../../../tests/support/seo-bot-posts.ts";
import { pressed } from "../../../tests/support/seo-owner.ts";
import { until } from "../../../tests/support/until.ts";
import { addCategory } from "../categories/categories.ts";
import { removeConnection } from "../connections/connect.ts";
import { deleteDoomed } from "../projects/delete.ts";
import { aCluster } from "../testing/builders.ts";
import { type Autopublication, isSlot, readAutopublication } from "./autopublications.ts";
import { fireSlot, type Slot } from "./driver.ts";
import { mostAttempts, mostBroken } from "./ends.ts";
import { planOf } from "./plan.ts";
import { allSchedules, type SchedulePlace, saveSchedule, switchSchedule } from "./schedules.ts";
import { weekdays } from "./times.ts";

let bot: ArticleBot;
let world: PostWorld;
const admin = 940_777;
beforeAll(async () => {
  bot = await startArticleBot({ business: false, environment: { ADMIN_ID: String(admin) } });
  world = await postWorld(bot);
});
afterAll(() => bot.close());
afterEach(() => bot.control("DELETE", "/faults"));

let lastDay = 0;

/** A schedule of the place, one of whose slots is due now. */
async function due(userId: number, place: SchedulePlace, crossTo: number[] = []) {
  const whose = { workspaceId: bot.workspaceId, userId };
  const { id: scheduleId } = await saveSchedule(bot.services, whose, place, {
    ...{ days: weekdays, times: ["10:00"], cross_post_connection_ids: crossTo },
  });
  return { fire: () => fire(scheduleId), scheduleId };
}

async function fire(scheduleId: number) {
  lastDay += 1;
  const localDate = new Date(Date.UTC(2026, 0, lastDay)).toISOString().slice(0, 10);
  const slot = { workspaceId: bot.workspaceId, scheduleId, localDate, slot: "10:00" };
  expect(await fireSlot(bot.sql, slot, new Date())).toBe("fired");
  expect(await fireSlot(bot.sql, slot, new Date())).toBe("repeated");
  return {
    slot,
    is: (state: Autopublication["state"], reason: string | null = null) =>
      until(`the slot is ${state}`, async () => {
        const row = await readAutopublication(bot.sql, slot);
        return row?.state === state && row.reason === reason && row;
      }),
  };
}

const scheduleOf = async (id: number) => {
  const [row] = await bot.sql<{ enabled: boolean; status: string; errors: number; last: Date | null }[]>`
    select enabled, status, errors, last_post_at as last from seo.platform_schedules
    where workspace_id = ${bot.workspaceId} and id = ${id}`;
  return row;
};

describe("an autopublication", () => {
  // covers seo: F10
  it("writes an article, publishes it on the site and reports it with its link and its tokens", async () => {
    const { person, categoryId, connectionId, sites } = await bot.aBusiness();
    const before = await person.balance();
    const { fire, scheduleId } = await due(person.id, { categoryId, connectionId });
    const { is } = await fire();
    await is("published");
    const told = await person.sees("Автопубликация: статья на");
    expect(told.text).toContain(`${sites[0]?.name}.wordpress.test`);
    const spent = before - (await person.balance());
    expect(spent).toBeGreaterThan(0);
    expect(told.text).toContain(`Списано: ${spent} ток`);
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Открыть публикацию", "К расписанию"]);
    expect(await scheduleOf(scheduleId)).toMatchObject({
      enabled: true,
      status: "active",
      errors: 0,
      last: expect.any(Date),
    });
  });

  it("publishes a post and adapts it to the other networks of its schedule, with one report", async () => {
    const shop = await world.aShop({ networks: ["telegram", "vk"] });
    const { telegram = 0, vk = 0 } = shop.connections;
    const place = { categoryId: shop.categoryId, connectionId: telegram };
    const { fire } = await due(shop.person.id, place, [vk]);
    await (await fire()).is("published");
    const told = await shop.person.sees("Автопубликация: пост в");
    expect(told.text).toContain("Кросс-посты:\n• VK");
    expect(await world.shown("telegram", shop)).toHaveLength(1);
    expect(await world.shown("vk", shop)).toHaveLength(1);
    expect((await shop.person.messages()).filter(({ text }) => text.includes("Автопубликация"))).toHaveLength(
      1,
    );
  });

  it("costs an administrator nothing, adaptations included, and goes on with an empty balance", async () => {
    const shop = await world.aShop({ networks: ["telegram", "vk"], id: admin });
    await world.leaveTokens(shop.person, 3);
    const { telegram = 0, vk = 0 } = shop.connections;
    const place = { categoryId: shop.categoryId, connectionId: telegram };
    const { fire, scheduleId } = await due(admin, place, [vk]);
    await (await fire()).is("published");
    const told = await shop.person.sees("Автопубликация: пост в");
    expect(told.text).toContain("GOD_MODE");
    expect(told.text).toContain("Кросс-посты:\n• VK");
    expect(await shop.person.balance()).toBe(3);
    expect(await scheduleOf(scheduleId)).toMatchObject({ enabled: true, status: "active" });
    const whose = { workspaceId: bot.workspaceId, userId: admin };
    expect(await planOf(bot.services, whose, { days: 1 })).toMatchObject({ is_free: true });
  });

  // covers seo: E17
  // covers seo: E40
  it("is skipped without phrases, or with product pages only, and the schedule stays on", async () => {
    const { person, categoryId, connectionId } = await bot.aBusiness({ phrases: [] });
    const { fire, scheduleId } = await due(person.id, { categoryId, connectionId });
    await (await fire()).is("skipped", "no_phrases");
    const told = await person.sees("нет ключевых фраз в категории «Листовой чай».");
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Подобрать фразы"]);
    const pages = JSON.stringify([aCluster("купить чай", 100, { cluster_type: "product_page" })]);
    await bot.sql`
      update seo.categories set keywords = ${pages}::text::jsonb
      where workspace_id = ${bot.workspaceId} and id = ${categoryId}`;
    await (await fire()).is("skipped", "no_articles");
    await person.sees("В категории нет кластеров для статей. Добавьте информационные фразы.");
    expect(await scheduleOf(scheduleId)).toMatchObject({ enabled: true, status: "active", errors: 0 });
  });

  it("is skipped with too few tokens, and the schedule is switched off", async () => {
    const shop = await world.aShop({ networks: ["telegram"] });
    await world.leaveTokens(shop.person, 5);
    const place = { categoryId: shop.categoryId, connectionId: shop.connections.telegram ?? 0 };
    const { fire, scheduleId } = await due(shop.person.id, place);
    await (await fire()).is("skipped", "too_few_tokens");
    const told = await shop.person.sees("Автопубликация пропущена: недостаточно токенов (нужно ~");
    expect(told.text).toMatch(/баланс: 5\). Расписание приостановлено\./);
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Пополнить баланс", "К расписанию"]);
    expect(await scheduleOf(scheduleId)).toMatchObject({ enabled: false });
    expect(await shop.person.balance()).toBe(5);
  });

  it("is put off by an hour when no model answers, and then published", async () => {
    const shop = await world.aShop({ networks: ["telegram"] });
    const balance = await shop.person.balance();
    await world.refuseTexts();
    const place = { categoryId: shop.categoryId, connectionId: shop.connections.telegram ?? 0 };
    const { fire, scheduleId } = await due(shop.person.id, place);
    const { slot, is } = await fire();
    await shop.person.sees("Автопубликация отложена: AI-сервис временно недоступен. Повторим через 1 час.");
    expect(await is("waiting")).toMatchObject({ attempt: 1, runId: null });
    expect(await shop.person.balance()).toBe(balance);
    const [row] = await bot.sql<[{ minutes: number }]>`
      select round(extract(epoch from a.not_before - a.fired_at) / 60)::int as minutes from seo.autopublications a
      where ${isSlot(bot.sql, slot)}`;
    expect(row.minutes).toBeGreaterThanOrEqual(60);
    await world.mend();
    await hoursLater(slot);
    await is("published");
    expect(await world.shown("telegram", shop)).toHaveLength(1);
    expect(await scheduleOf(scheduleId)).toMatchObject({ enabled: true, errors: 0 });
  });

  it("is given up after the last hourly try without a model; the schedule stays on", async () => {
    const shop = await world.aShop({ networks: ["telegram"] });
    const balance = await shop.person.balance();
    await world.refuseTexts();
    const place = { categoryId: shop.categoryId, connectionId: shop.connections.telegram ?? 0 };
    const { fire, scheduleId } = await due(shop.person.id, place);
    const { slot, is } = await fire();
    await triedHourly(slot);
    await is("failed", "model");
    const told = await shop.person.sees(
      "Автопубликация не удалась: AI-сервис недоступен уже несколько часов. Следующая — по расписанию.",
    );
    expect(told.text).toContain("Токены возвращены: Да");
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Опубликовать вручную", "К расписанию"]);
    const news = (await shop.person.messages()).filter(({ text }) => text.includes("Автопубликация"));
    expect(news).toHaveLength(mostAttempts);
    expect(await scheduleOf(scheduleId)).toMatchObject({ enabled: true, status: "active", errors: 0 });
    expect(await shop.person.balance()).toBe(balance);
    expect(await world.shown("telegram", shop)).toHaveLength(0);
    await world.mend();
  });

  it("that an error of ours keeps from beginning is tried for hours, then told as ours, and marks the schedule", async () => {
    const shop = await world.aShop({ networks: ["telegram"] });
    const balance = await shop.person.balance();
    const place = { categoryId: shop.categoryId, connectionId: shop.connections.telegram ?? 0 };
    const { fire, scheduleId } = await due(shop.person.id, place);
    const mend = await failingRuns(shop.person.id);
    const { slot, is } = await fire();
    // The first attempt breaks off as often as it may; the others begin one break before that.
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const firstBreak = attempt === 0 ? 1 : mostBroken;
      const broken = (tries: number) =>
        until(`attempt ${attempt} has broken off ${tries} times`, async () => {
          const row = await readAutopublication(bot.sql, slot);
          return row?.attempt === attempt && row.tries === tries;
        });
      if (attempt > 0) {
        await broken(0);
        await hoursLater(slot, { tries: firstBreak - 1 });
      }
      for (let tries = firstBreak; tries <= mostBroken; tries += 1) {
        await broken(tries);
        await hoursLater(slot);
      }
    }
    await is("failed", "internal");
    await shop.person.sees("Автопубликация отложена: ошибка на нашей стороне. Повторим через 1 час.");
    const told = await shop.person.sees("Автопубликация не удалась из-за ошибки на нашей стороне");
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Опубликовать вручную", "К расписанию"]);
    expect(await scheduleOf(scheduleId)).toMatchObject({ enabled: true, status: "error", errors: 0 });
    expect(await shop.person.balance()).toBe(balance);
    await shop.person.tap(`category:${place.categoryId}:connection:${place.connectionId}:schedule`);
    const screen = (await shop.person.screen()).text;
    expect(screen).toContain("Последняя публикация не удалась из-за ошибки на нашей стороне");
    expect(screen).not.toContain("Проверьте подключение");
    await mend();
    await (await fire()).is("published");
    expect(await scheduleOf(scheduleId)).toMatchObject({ enabled: true, status: "active" });
  });

  it("knows its run from the moment it is ordered: a slot that breaks off there has ordered nothing", async () => {
    const shop = await world.aShop({ networks: ["telegram"] });
    const balance = await shop.person.balance();
    const place = { categoryId: shop.categoryId, connectionId: shop.connections.telegram ?? 0 };
    const { fire } = await due(shop.person.id, place);
    await bot.sql.unsafe(`
      create function seo.refuse_slot() returns trigger language plpgsql as $$ begin raise 'the process is killed'; end $$;
      create trigger refuse_slot before update of run_id on seo.autopublications
        for each row when (new.user_id = ${shop.person.id} and new.run_id is not null) execute function seo.refuse_slot()`);
    const { slot, is } = await fire();
    await until("it has broken off", async () => (await readAutopublication(bot.sql, slot))?.tries === 1);
    await bot.sql`drop function seo.refuse_slot cascade`;
    // Meanwhile its owner has had enough.
    await switchSchedule(
      bot.services,
      { workspaceId: bot.workspaceId, userId: shop.person.id },
      place,
      false,
    );
    await hoursLater(slot);
    await is("skipped", "switched_off");
    const runs = await bot.sql`select from seo.runs where user_id = ${shop.person.id}`;
    expect(runs).toEqual([]);
    expect(await shop.person.balance()).toBe(balance);
  });

  // covers seo: E55
  it("marks the schedule when the platform fails, and switches it off after three failures in a row", async () => {
    const { person, categoryId, connectionId } = await bot.aBusiness();
    const { fire, scheduleId } = await due(person.id, { categoryId, connectionId });
    await bot.control("POST", "/faults", {
      provider: "wordpress",
      fault: { kind: "status", status: 500 },
      times: 1000,
    });
    for (const errors of [1, 2, 3]) {
      const { slot, is } = await fire();
      for (const tries of [1, 2, 3]) {
        await until("the connection is asked again later", async () => {
          const row = await readAutopublication(bot.sql, slot);
          return row?.state === "waiting" && row.tries === tries;
        });
        await hoursLater(slot);
      }
      await is("failed", "platform");
      expect(await scheduleOf(scheduleId)).toMatchObject({ status: "error", errors, enabled: errors < 3 });
    }
    const told = await person.sees("Это третья ошибка подряд");
    expect(told.text).toContain("Автопубликация не удалась: WordPress не отвечает. Проверьте подключение.");
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Проверить подключение", "К проекту"]);
    await person.tap(`category:${categoryId}:connection:${connectionId}:schedule`);
    expect((await person.screen()).text).toContain("Расписание остановлено после ошибок.");
  });

  it("returns the tokens when the delivery fails, and asks to connect a refused account again", async () => {
    const shop = await world.aShop({ networks: ["vk"] });
    const balance = await shop.person.balance();
    const place = { categoryId: shop.categoryId, connectionId: shop.connections.vk ?? 0 };
    const { fire, scheduleId } = await due(shop.person.id, place);
    await world.fault("vk", { kind: "status", status: 403, code: 214 }, { method: "wall.post" });
    await (await fire()).is("failed", "platform");
    expect((await shop.person.sees("Токены возвращены: Да")).text).toContain("VK не отвечает");
    expect(await shop.person.balance()).toBe(balance);
    await world.mend();
    await bot.control("PATCH", "/vk/tokens/vk1.a.administrator", { revoked: true });
    await (await fire()).is("failed", "refused");
    const told = await shop.person.sees("VK не принимает подключение");
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Переподключить VK", "К проекту"]);
    expect(await scheduleOf(scheduleId)).toMatchObject({ status: "error", errors: 2, enabled: true });
    await world.mend();
  });

  it("says nothing to those who want no reports, but tells that a schedule is off", async () => {
    const shop = await world.aShop({ networks: ["telegram"] });
    await bot.sql`update seo.users set notify_publications = false where id = ${shop.person.id}`;
    const place = { categoryId: shop.categoryId, connectionId: shop.connections.telegram ?? 0 };
    const { fire } = await due(shop.person.id, place);
    await (await fire()).is("published");
    await world.leaveTokens(shop.person, 1);
    await (await fire()).is("skipped", "too_few_tokens");
    await shop.person.sees("Расписание приостановлено.");
    expect((await shop.person.messages()).some(({ text }) => text.includes("Автопубликация: пост"))).toBe(
      false,
    );
  });

  it("is shown beforehand for a week, with its cost and whether the balance carries it", async () => {
    const { person, categoryId, connectionId, projectId } = await bot.aBusiness();
    await due(person.id, { categoryId, connectionId });
    await person.tap(`project:${projectId}:scheduler`);
    const shown = await pressed(person, "План на 7 дней");
    expect(shown.match(/Листовой чай → WordPress, ~320/g)).toHaveLength(7);
    expect(shown).toContain("⚠️");
    expect(await person.labels()).toContain("Пополнить баланс");
    const whose = { workspaceId: bot.workspaceId, userId: person.id };
    const from = new Date("2026-11-16T00:00:00Z");
    const plan = await planOf(bot.services, whose, { from, days: 2 });
    expect(plan.items.map(({ local, due_at, zone }) => [local, due_at.toISOString(), zone])).toEqual([
      ["2026-11-16 10:00", "2026-11-16T07:00:00.000Z", "Europe/Moscow"],
      ["2026-11-17 10:00", "2026-11-17T07:00:00.000Z", "Europe/Moscow"],
    ]);
  });

  // covers seo: E11
  // covers seo: E24
  it("does not come any more when its connection, its category or its project is deleted", async () => {
    const { whose, projectId, categoryId, connections } = await bot.aBusiness({ sites: 2 });
    const [connectionId = 0, other = 0] = connections;
    await due(whose.userId, { categoryId, connectionId });
    await due(whose.userId, { categoryId, connectionId: other });
    const left = async () => (await allSchedules(bot.sql, whose)).length;
    expect(bot.services.beforeDelete.map(({ name }) => name).slice(0, 3)).toEqual([
      ...["refund drafts", "cancel schedules", "delete media"],
    ]);
    await removeConnection(bot.services, whose, other);
    expect(await left()).toBe(1);
    await deleteDoomed(bot.services, { whose, projectId, categoryId });
    expect(await left()).toBe(0);
    const { id } = await addCategory(bot.services, whose, projectId, { name: "Посуда" });
    await due(whose.userId, { categoryId: id, connectionId });
    await deleteDoomed(bot.services, { whose, projectId });
    expect(await left()).toBe(0);
  });

  it("goes on after a restart where it was, and nothing is published twice", async () => {
    const { person, categoryId, connectionId, sites } = await bot.aBusiness();
    const { fire } = await due(person.id, { categoryId, connectionId });
    const { slot, is } = await fire();
    await until("it is being written", async () => (await readAutopublication(bot.sql, slot))?.runId);
    await bot.running.restart();
    await is("published");
    const [{ count }] = await bot.sql<[{ count: number }]>`
      select count(*)::int as count from seo.publication_logs where user_id = ${person.id} and connection_id = ${connectionId}`;
    expect(count).toBe(1);
    expect(sites).toHaveLength(1);
  });
});

/** Lets every pause of an hour pass, until it is not put off any more. */
async function triedHourly(slot: Slot) {
  for (let attempt = 1; attempt < mostAttempts; attempt += 1) {
    await until(`attempt ${attempt} waits for its hour`, async () => {
      const row = await readAutopublication(bot.sql, slot);
      return row?.state === "waiting" && row.attempt === attempt;
    });
    await hoursLater(slot);
  }
}

/** The database takes no run of that person; returns what mends it. */
async function failingRuns(userId: number) {
  await bot.sql.unsafe(`
    create function seo.refuse_run() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger refuse_run before insert on seo.runs
      for each row when (new.user_id = ${userId}) execute function seo.refuse_run()`);
  return () => bot.sql`drop function seo.refuse_run cascade`;
}

/** As if the pause were over, and the work had broken off so often before. */
async function hoursLater(slot: Slot, { tries }: { tries?: number } = {}) {
  await bot.sql`
    update seo.autopublications a set not_before = now(), tries = ${tries ?? bot.sql`a.tries`} where ${isSlot(bot.sql, slot)}`;
  await bot.sql`select pg_notify('seo_autopublications', '')`;
}
