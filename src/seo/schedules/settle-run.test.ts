import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { tellNews } from "../bot/schedule/tell-news.ts";
import type { Whose } from "../people/whose.ts";
import { aCategory, aProject, aSeoUser } from "../testing/builders.ts";
import { readAutopublication } from "./autopublications.ts";
import { fireSlot } from "./driver.ts";
import { purgeAutopublications } from "./purge-autopublications.ts";
import { saveSchedule } from "./schedules.ts";
import { followRuns } from "./settle-run.ts";
import { weekdays } from "./times.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const told = followRuns({ clock, admins: [], tell: tellNews }, async () => {
  throw new Error("a run of a schedule was taken for a person's");
});

/** A slot whose run ended like this. */
async function ended(run: { status: "done" | "failed" | "cancelled"; error?: object; result?: object }) {
  const { sql } = database;
  const whose: Whose = await aSeoUser(sql);
  const projectId = await aProject(sql, whose);
  const categoryId = await aCategory(sql, whose, { projectId });
  const { workspaceId, userId } = whose;
  const [{ id: connectionId }] = await sql<[{ id: number }]>`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
    values (${workspaceId}, ${projectId}, 'wordpress', '{}', 'lavka.example') returning id`;
  const place = { categoryId, connectionId };
  const { id: scheduleId } = await saveSchedule({ sql, clock }, whose, place, {
    days: weekdays,
    times: ["10:00"],
  });
  const slot = { workspaceId, scheduleId, localDate: "2026-11-16", slot: "10:00" };
  await fireSlot(sql, slot, clock.now());
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  const [{ id: runId }] = await sql<[{ id: string }]>`
    insert into seo.runs (workspace_id, user_id, kind, origin, request_key, input, status, error, result, ended_at)
    values (${workspaceId}, ${userId}, 'article', 'schedule', ${`schedule/${scheduleId}/2026-11-16/10:00/0`}, '{}', ${run.status},
      ${json(run.error)}::text::jsonb, ${json(run.result)}::text::jsonb, now()) returning id`;
  await sql`update seo.autopublications set run_id = ${runId} where schedule_id = ${scheduleId}`;
  await sql.begin((tx) => told(tx, { workspaceId, userId, runId, status: run.status }));
  const [schedule] = await sql<[{ enabled: boolean; status: string; errors: number }]>`
    select enabled, status, errors from seo.platform_schedules where id = ${scheduleId}`;
  const notices = await sql<{ body: { say: { ru: string }; rows: { ru: { label: string }[][] } } }[]>`
    select body from dialogs.inbox where chat_id = ${String(userId)}`;
  return {
    ...{ slot: await readAutopublication(sql, slot), schedule },
    said: notices.map(({ body }) => body.say.ru).join(),
    keys: notices.flatMap(({ body }) => body.rows.ru.flat().map(({ label }) => label)),
  };
}

const failed = (code: string) =>
  ended({ status: "failed", error: { code, message: { ru: "Так вышло.", en: "It so happened." } } });

it.each([
  [
    "low_quality",
    "skipped",
    "active",
    "не прошёл проверку качества",
    ["Опубликовать вручную", "К категории"],
  ],
  ["not_valid", "skipped", "active", "не прошёл проверку качества", ["Опубликовать вручную", "К категории"]],
  ["page_serves", "skipped", "active", "Автопубликация пропущена («Кухни»). Так вышло.", ["Подобрать фразы"]],
  ["all_reserved", "skipped", "active", "Автопубликация пропущена («Кухни»)", ["Подобрать фразы"]],
  ["text_failed", "waiting", "active", "Повторим через 1 час.", ["К расписанию"]],
  ["internal", "waiting", "active", "ошибка на нашей стороне. Повторим через 1 час.", ["К расписанию"]],
  ["server_error", "failed", "error", "WordPress не отвечает", ["Проверить подключение", "К проекту"]],
] as const)(
  "a run that failed with %s leaves its slot %s and its schedule %s",
  async (code, state, status, said, keys) => {
    const end = await failed(code);
    expect(end.slot?.state).toBe(state);
    expect(end.schedule).toMatchObject({ enabled: true, status });
    expect(end.said).toContain(said);
    expect(end.keys).toEqual(keys);
  },
);

// covers seo: E22
// covers seo: E23
it("the report tells when phrases are used again or run out, and leads to more", async () => {
  const advice = { ru: "Добавьте ещё ключевых фраз для разнообразия контента.", en: "Add more phrases." };
  const result = { post_url: "https://lavka.example/1", warnings: [{ code: "phrases", message: advice }] };
  const end = await ended({ status: "done", result });
  expect(end.slot?.state).toBe("published");
  expect(end.said).toContain(advice.ru);
  expect(end.keys).toEqual(["Открыть публикацию", "Подобрать фразы", "К расписанию"]);
});

it("a run that its person stops ends its slot in silence, and old slots are forgotten", async () => {
  const end = await ended({ status: "cancelled" });
  expect(end.slot).toMatchObject({ state: "skipped", reason: "stopped" });
  expect(end.said).toBe("");
  const { sql } = database;
  const later = { now: () => new Date(Date.now() + 100 * 86_400_000) };
  await purgeAutopublications({ sql, clock: later });
  const kept = await sql<{ state: string }[]>`select distinct state from seo.autopublications`;
  expect(kept.map(({ state }) => state)).toEqual(["waiting"]);
});
