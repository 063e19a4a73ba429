import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";
import { aChannel } from "../../delivery/testing/builders.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { Whose } from "../people/whose.ts";
import type { Accounts } from "../sources/index.ts";
import { aProject, aSeoUser } from "../testing/builders.ts";
import { archiveSearch, toRead } from "./archive-search.ts";
import { judgePage } from "./judge-page.ts";
import { propertyOf } from "./property-of.ts";
import { readRefresh, readRefreshPage } from "./read-refresh.ts";
import { textDiff } from "./text-diff.ts";

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
  await database.sql`truncate seo.platform_connections cascade`;
  whose = await aSeoUser(database.sql);
  projectId = await aProject(database.sql, whose);
  await connect("tea.example");
});

async function connect(identifier: string, project = projectId, workspaceId = whose.workspaceId) {
  const channelId = await aChannel(database.sql, workspaceId);
  await database.sql`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status, channel_id)
    values (${workspaceId}, ${project}, 'wordpress', '{}', ${identifier}, 'active', ${channelId})`;
}

const dayMs = 86_400_000;
const today = Date.now();
const daysAgo = (days: number) => new Date(today - days * dayMs).toISOString().slice(0, 10);

/** Clicks of each day, the newest last, which is the day that is final today. */
const page = (path: string, clicks: readonly number[]) => ({
  ...{ url: `https://www.tea.example/${path}/`, from: daysAgo(clicks.length + 2), clicks: [...clicks] },
});
const weeks = (...figures: readonly (readonly [days: number, clicks: number])[]) =>
  figures.flatMap(([days, clicks]) => Array<number>(days).fill(clicks));
const google = (...pages: readonly object[]) =>
  sources.twins.control("PUT", "/searchconsole/sites", { site_url: "sc-domain:tea.example", pages });
const yandex = (...pages: readonly object[]) =>
  sources.twins.control("PUT", "/webmaster/hosts", { url: "https://tea.example/", pages });

/** A night, some days from now; the twins' clock stands where it is. */
function archive(days = 0, accounts: Accounts = {}) {
  const clock = { now: () => new Date(today + days * dayMs) };
  return archiveSearch({ sql: database.sql, clock, log: silentLog, sources: sources.sources(accounts) });
}
const read = () => readRefresh({ sql: database.sql, sources: sources.sources() }, whose, projectId);
const verdicts = async () =>
  Object.fromEntries((await read()).items.map(({ url, verdict }) => [url.split("/")[3], verdict]));

describe("the archive", () => {
  it("tells pages that lost a fifth of their clicks from steady ones, from seasons and from too little data", async () => {
    const winter = weeks([28, 1], [308, 1], [28, 1]);
    await google(
      page("falls", weeks([28, 5], [28, 3])),
      page("holds", weeks([28, 5], [28, 5])),
      page("just", weeks([28, 10], [28, 8])),
      page("less", weeks([28, 100], [28, 81])),
      page("rare", weeks([9, 1], [19, 0], [28, 0])),
      // Ten a day fall to four each year in these weeks.
      page("season", weeks([28, 10], [28, 4], [308, 1], [28, 10], [28, 4])),
      page("worse", weeks([28, 10], [28, 7], [308, 1], [28, 10], [28, 2])),
      page("first", [...winter, ...weeks([28, 10], [28, 4])]),
    );
    expect(await archive(0, { webmaster: undefined })).toMatchObject({ sites: 1 });
    expect(await verdicts()).toEqual({
      ...{ falls: "falling", holds: "steady", just: "falling", less: "steady", rare: "too_little" },
      ...{ season: "season", worse: "falling", first: "falling" },
    });
    const { items, archives, is_enough } = await read();
    expect(is_enough).toBe(true);
    expect(archives).toMatchObject([
      { engine: "google", site: "tea.example", is_shared: true, to: daysAgo(3), problem: null },
    ]);
    expect(items[0]).toMatchObject({ clicks_before: 2_800, clicks: 2_268, position: 5, is_ours: false });
  });

  it("adds both engines where both are archived long enough, and says when neither is", async () => {
    const pages = [page("falls", weeks([28, 5], [28, 3]))];
    await yandex(...pages);
    await archive(0, { searchconsole: undefined });
    // Yandex tells two weeks: eight are needed.
    expect(await read()).toMatchObject({ is_enough: false, items: [] });
    await google(...pages);
    await archive();
    expect((await read()).items).toMatchObject([{ clicks_before: 140, clicks: 84 }]);
    // As if Yandex had been archived for eight weeks by now.
    await database.sql`update seo.search_archives set from_day = to_day - 55 where engine = 'yandex'`;
    const [summed] = (await read()).items;
    expect(summed?.clicks).toBe(84 + 13 * 3);
  });

  it("goes on from where it ended, keeps what was corrected, and begins anew after a gap", async () => {
    const pages = [page("a", weeks([60, 2]))];
    await yandex(...pages);
    const only = { searchconsole: undefined };
    await archive(0, only);
    const covered = async () => {
      const [archived] = (await read()).archives;
      return [archived?.from, archived?.to];
    };
    expect(await covered()).toEqual([daysAgo(15), daysAgo(3)]);
    await yandex(page("a", weeks([60, 7])));
    await archive(0, only);
    const [{ clicks }] = await database.sql<[{ clicks: number }]>`
      select sum(clicks)::int as clicks from seo.page_days d where d.workspace_id = ${whose.workspaceId}`;
    // The last two days were read again.
    expect(clicks).toBe(11 * 2 + 2 * 7);
    await database.sql`update seo.search_archives set from_day = from_day - 90, to_day = to_day - 90`;
    await archive(0, only);
    expect(await covered()).toEqual([daysAgo(15), daysAgo(3)]);
  });

  it("shows a site's figures to nobody who has not connected it, and names a site that is not shared", async () => {
    await google(page("a", weeks([56, 2])));
    const stranger = await aSeoUser(database.sql);
    const other = await aProject(database.sql, stranger);
    await connect("other.example", other, stranger.workspaceId);
    await archive();
    const [mine] = (await read()).items;
    await expect(readRefreshPage(database.sql, stranger, mine?.id ?? 0)).rejects.toThrow("There is no page");
    expect(
      await readRefresh({ sql: database.sql, sources: sources.sources() }, stranger, other),
    ).toMatchObject({
      items: [],
      archives: [
        { engine: "google", is_shared: false },
        { engine: "yandex", is_shared: false },
      ],
    });
    await sources.fault("searchconsole", { kind: "status", status: 503 }, 9, {
      method: "POST /searchAnalytics/query",
    });
    await archive(1);
    expect((await read()).archives[0]).toMatchObject({ problem: "unavailable", to: daysAgo(3) });
  });
});

describe("what is asked of an engine", () => {
  it("is all that is of use at first, then from the last days on, and never the days that are not final", () => {
    const now = new Date("2026-11-18T01:23:00Z");
    expect(toRead(null, now)).toEqual({ from: "2025-09-14", to: "2026-11-15" });
    expect(toRead("2026-11-14", now)).toEqual({ from: "2026-11-13", to: "2026-11-15" });
    expect(toRead("2026-11-15", now)).toEqual({ from: "2026-11-14", to: "2026-11-15" });
  });

  it.each([
    ["tea.example", "sc-domain:tea.example"],
    ["www.shop.example", "https://shop.example/"],
    ["blog.tea.example", "sc-domain:tea.example"],
    ["greentea.example", undefined],
  ])("of the site %s is the property %s", (host, id) => {
    const properties = [
      { id: "http://shop.example/", host: "shop.example", isDomain: false },
      { id: "https://shop.example/", host: "shop.example", isDomain: false },
      { id: "https://tea.example/", host: "tea.example", isDomain: false },
      { id: "sc-domain:tea.example", host: "tea.example", isDomain: true },
    ];
    expect(propertyOf(host, properties)?.id).toBe(id);
  });
});

describe("a verdict", () => {
  it("is falling only with ten clicks before and a fifth lost, whatever the figures are", () => {
    const clicks = fc.nat(500);
    fc.assert(
      fc.property(clicks, clicks, (now, before) => {
        const expected = before < 10 ? "too_little" : now <= before * 0.8 ? "falling" : "steady";
        expect(judgePage({ now, before })).toBe(expected);
        // A year that did not fall explains nothing.
        expect(judgePage({ now, before, yearAgo: { now: before, before } })).toBe(expected);
      }),
    );
  });
});

describe("a difference", () => {
  it("keeps what stays and tells every paragraph that goes or comes", () => {
    expect(
      textDiff("# Чай\n\nПервый.\n\nВторой.\n\nКонец.", "# Чай\n\nНовый.\n\nВторой.\n\nЕщё.\n\nКонец."),
    ).toEqual([
      { kind: "same", text: "# Чай" },
      { kind: "removed", text: "Первый." },
      { kind: "added", text: "Новый." },
      { kind: "same", text: "Второй." },
      { kind: "added", text: "Ещё." },
      { kind: "same", text: "Конец." },
    ]);
  });

  it("leads from the one text to the other, whatever they are", () => {
    const paragraph = fc.constantFrom("а", "б", "в", "г");
    const text = fc.array(paragraph, { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = textDiff(before.join("\n\n"), after.join("\n\n"));
        const without = (kind: string) => parts.filter((part) => part.kind !== kind).map((part) => part.text);
        expect([without("added"), without("removed")]).toEqual([before, after]);
      }),
    );
  });
});
