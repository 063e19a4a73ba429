import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { previewPull, pullNow } from "./pull-now.ts";
import { addSource, changeSource, listSources, removeSource, type SourceChange } from "./sources.ts";
import { entries, rss } from "./testing/feed-server.ts";
import { type Stand, startStand, type TestWorkspace } from "./testing/stand.ts";

let stand: Stand;
let workspace: TestWorkspace;

beforeAll(async () => {
  stand = await startStand(await testDatabase());
});
afterAll(() => stand.close());
beforeEach(async () => {
  workspace = await stand.workspace();
  stand.feeds.serve("/news", { body: rss(entries(1, 5)), headers: { etag: '"5"' } });
});

const config = () => ({ url: `${stand.feeds.url}/news`, link: "none" });
const name = () => ({ workspaceId: workspace.workspaceId, sourceId: "news" });
const add = (given: object = {}) =>
  stand.database.sql.begin((tx) =>
    addSource(tx, stand.vault, stand.clock.now(), { ...name(), kind: "rss", config: config(), ...given }),
  );
const change = (given: SourceChange) =>
  stand.database.sql.begin((tx) => changeSource(tx, stand.vault, stand.clock.now(), name(), given));
const secrets = async () =>
  (await stand.database.sql`select from delivery.secrets where workspace_id = ${workspace.workspaceId}`)
    .length;

describe("a source", () => {
  it("is added with its endpoint, once", async () => {
    expect(await add()).toMatchObject({
      ok: true,
      source: {
        source_id: "news",
        enabled: true,
        every_seconds: 1800,
        endpoint_id: expect.any(String),
        failures: 0,
      },
    });
    expect(await add()).toEqual({ ok: false, reason: "exists" });
    const doors = await stand.database.sql`
      select kind, source_id, enabled, secret_hash from delivery.workspace_endpoints
      where workspace_id = ${workspace.workspaceId}`;
    expect([...doors]).toEqual([
      { kind: "pull_source", source_id: "news", enabled: true, secret_hash: null },
    ]);
  });

  it("has at most one enabled endpoint", async () => {
    await add();
    await expect(
      stand.database.sql`insert into delivery.workspace_endpoints (workspace_id, kind, source_id)
        values (${workspace.workspaceId}, 'pull_source', 'news')`,
    ).rejects.toThrow("workspace_endpoints_active_source");
  });

  it.each([
    [{ sourceId: "Мои новости" }, "/source_id"],
    [{ config: { url: "нет" } }, "/config/url"],
    [{ everySeconds: 1 }, "/every_seconds"],
    [{ secret: { variable: "DATABASE_URL" } }, "/secret"],
  ])("is refused with the fault's place: %j", async (given, pointer) => {
    expect(await add(given)).toMatchObject({ ok: false, reason: "invalid", faults: [{ pointer }] });
  });

  it("keeps its secret encrypted, replaces it, and takes it along when it goes", async () => {
    await add({ secret: { value: "Bearer one" } });
    await change({ secret: { value: "Bearer two" } });
    const [row] = await stand.database.sql`
      select ciphertext from delivery.secrets where workspace_id = ${workspace.workspaceId}`;
    expect(stand.vault.decrypt(row?.ciphertext)).toBe("Bearer two");
    expect(await secrets()).toBe(1);
    await workspace.pull("news");
    expect(await stand.database.sql.begin((tx) => removeSource(tx, name()))).toBe(true);
    expect(await secrets()).toBe(0);
    expect(await listSources(stand.database.sql, workspace.workspaceId)).toEqual([]);
    expect(await workspace.texts()).toHaveLength(3);
  });

  it("that is disabled is not asked, and goes on where it stood when it is enabled", async () => {
    await add();
    await workspace.pull("news");
    await change({ enabled: false });
    expect(await pullNow(name(), stand.deps)).toEqual({ outcome: "disabled" });
    stand.feeds.serve("/news", { body: rss(entries(3, 7)) });
    await change({ enabled: true });
    expect(await workspace.pull("news")).toMatchObject({ stats: { accepted: 2 } });
  });

  it("that nobody knows is told apart", async () => {
    expect(await change({ enabled: false })).toEqual({ ok: false, reason: "unknown" });
    expect(await pullNow(name(), stand.deps)).toEqual({ outcome: "unknown" });
    expect(await previewPull(name(), stand.deps)).toEqual({ outcome: "unknown" });
  });

  it("shows what it would post, with what each kind of channel makes of it, and writes nothing", async () => {
    await add();
    const preview = await previewPull(name(), stand.deps);
    expect(preview).toMatchObject({ outcome: "preview", listed: 5, seen: 2 });
    const [first] = preview.outcome === "preview" ? preview.items : [];
    expect(Object.values(first?.renderings ?? {})).toMatchObject([{ ok: true, text: "Новость n3" }]);
    expect(await workspace.actions()).toEqual([]);
    const [runs] = await stand.database.sql<[{ count: number }]>`
      select count(*)::int from delivery.ingest_runs where workspace_id = ${workspace.workspaceId}`;
    expect(runs.count).toBe(0);
  });

  it("shows nothing new after it was read, although the server would say that nothing changed", async () => {
    await add();
    await workspace.pull("news");
    expect(await previewPull(name(), stand.deps)).toMatchObject({ listed: 5, items: [] });
  });
});
