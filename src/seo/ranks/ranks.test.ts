import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { Whose } from "../people/whose.ts";
import { logPublication, publicationPage } from "../publications/publications.ts";
import type { NewPublication } from "../publications/shape.ts";
import type { Accounts } from "../sources/index.ts";
import { aProject, aSeoUser } from "../testing/builders.ts";
import { checkRanks } from "./check-ranks.ts";
import { rankChange, ranksOf } from "./ranks.ts";

let database: TestDatabase;
let sources: SourcesHarness;
let whose: Whose;
let projectId: number;
beforeAll(async () => {
  [database, sources] = await Promise.all([testDatabase(), startSources()]);
});
afterAll(async () => {
  await sources.close();
  await database.drop();
});
beforeEach(async () => {
  await sources.clean();
  await database.sql`truncate seo.publication_logs cascade`;
  whose = await aSeoUser(database.sql);
  projectId = await aProject(database.sql, whose);
});

const day = 86_400_000;
const start = Date.parse("2026-11-02T04:13:00Z");
const url = "https://tea.example/ulun/";

function check(days: number, { accounts = {}, depth = 30 }: { accounts?: Accounts; depth?: number } = {}) {
  const clock = { now: () => new Date(start + days * day) };
  return checkRanks({ sql: database.sql, clock, log: silentLog, sources: sources.sources(accounts), depth });
}

const log = (given: Partial<NewPublication> = {}, days = -2) =>
  logPublication(
    database.sql,
    whose,
    {
      ...{ project_id: projectId, platform_type: "wordpress", content_type: "article", status: "success" },
      ...{ keyword: "чай улун", post_url: url, ...given },
    },
    new Date(start + days * day),
  );
const placed = async (position: number | null, keyword = "чай улун", page = url) => {
  await sources.forget();
  await sources.twins.control("PUT", "/dataforseo/pages", { keyword, url: page, position });
};
const listed = async () => (await publicationPage(database.sql, whose)).items;

it("every article is looked for once a week, and its place stands beside that of the week before", async () => {
  const id = await log();
  await log({ post_url: "https://tea.example/new/" }, 0);
  await log({ content_type: "social_post", platform_type: "telegram", post_url: "https://t.me/tea/1" });
  await log({ status: "failed", post_url: "https://tea.example/failed/" });
  await placed(12);
  expect(await check(0)).toEqual({ checked: 1, failed: 0, stopped: undefined });
  expect((await listed()).find((each) => each.id === id)).toMatchObject({
    ...{ rank_position: 12, rank_checked_at: new Date(start), rank_before: null, rank_before_at: null },
  });
  expect(sources.noted).toMatchObject([
    { ...whose, provider: "dataforseo", operation: "rank_check", costUsd: 0.0035 },
  ]);
  expect(await check(1)).toMatchObject({ checked: 1 });
  expect(await check(2)).toMatchObject({ checked: 0 });
  await placed(5);
  expect(await check(7)).toMatchObject({ checked: 1 });
  const [found] = (await listed()).filter((each) => each.id === id);
  expect(found).toMatchObject({ rank_position: 5, rank_before: 12, rank_before_at: new Date(start) });
  expect(found && rankChange(found)).toEqual({ kind: "up", places: 7 });
  await placed(null);
  await check(14);
  expect(await ranksOf(database.sql, whose, id)).toEqual([
    { checked_at: new Date(start + 14 * day), position: null, depth: 30 },
    { checked_at: new Date(start + 7 * day), position: 5, depth: 30 },
    { checked_at: new Date(start), position: 12, depth: 30 },
  ]);
  const other = await aSeoUser(database.sql, whose.workspaceId);
  await expect(ranksOf(database.sql, other, id)).rejects.toThrow(`There is no publication ${id}.`);
});

it("an article that was updated counts once, and one that nobody finds is not found", async () => {
  const before = await log({ keyword: "абракадабра" });
  const after = await log({ keyword: "абракадабра" });
  expect(await check(0)).toMatchObject({ checked: 1 });
  const items = await listed();
  expect(items.find((each) => each.id === before)?.rank_checked_at).toBeNull();
  expect(items.find((each) => each.id === after)).toMatchObject({
    ...{ rank_position: null, rank_checked_at: new Date(start) },
  });
});

it("nothing is asked without an account or with a depth of none, and a used-up quota ends the night", async () => {
  for (const page of ["a", "b", "c", "d", "e", "f", "g"])
    await log({ post_url: `https://tea.example/${page}/` });
  expect(await check(0, { accounts: { dataforseo: undefined } })).toEqual({ checked: 0, failed: 0 });
  expect(await check(0, { depth: 0 })).toEqual({ checked: 0, failed: 0 });
  expect(await sources.calls("dataforseo")).toEqual([]);
  await sources.twins.control("PATCH", "/dataforseo/account", { balance: 0 });
  const stopped = await check(0);
  expect(stopped).toMatchObject({ checked: 0, stopped: { reason: "quota" } });
  expect(stopped.failed).toBeLessThan(7);
  expect((await listed()).every(({ rank_checked_at }) => rank_checked_at === null)).toBe(true);
  await sources.twins.control("PATCH", "/dataforseo/account", { balance: 50 });
  expect(await check(0.5)).toMatchObject({ checked: 7, failed: 0, stopped: undefined });
});

it.each([
  [{ rank_position: 4, rank_before: 4 }, { kind: "same" }],
  [
    { rank_position: 9, rank_before: 4 },
    { kind: "down", places: 5 },
  ],
  [{ rank_position: 9, rank_before: null }, { kind: "appeared" }],
  [{ rank_position: null, rank_before: 9 }, { kind: "lost" }],
  [{ rank_position: null, rank_before: null }, { kind: "absent" }],
])("the change from one week to the next is told: %o is %o", (ranked, change) => {
  expect(rankChange({ ...ranked, rank_before_at: new Date(start) })).toEqual(change);
  expect(rankChange({ ...ranked, rank_before_at: null })).toEqual({ kind: "first" });
});
