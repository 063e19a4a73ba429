import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { noVariables } from "../../workspaces/testing/variables.ts";
import { changeSource } from "../admin/sources/change-sources.ts";
import { previewPull, pullNow } from "./pull-now.ts";
import { entries, rss } from "./testing/feed-server.ts";
import { type Harness, startHarness, type TestWorkspace } from "./testing/harness.ts";

let harness: Harness;
let workspace: TestWorkspace;

beforeAll(async () => {
  harness = await startHarness(await testDatabase());
});
afterAll(() => harness.close());
beforeEach(async () => {
  workspace = await harness.workspace();
  harness.feeds.serve("/news", { body: rss(entries(1, 5)), headers: { etag: '"5"' } });
});

const config = () => ({ url: `${harness.feeds.url}/news`, link: "none" });
const name = () => ({ workspaceId: workspace.workspaceId, sourceId: "news" });
const add = () => workspace.add("news", { config: config() });
const enable = (enabled: boolean) => {
  const { database, clock, vault } = harness;
  const by = { operator: "Анна" };
  return changeSource(
    { sql: database.sql, clock, vault, variables: noVariables },
    workspace.workspaceId,
    "news",
    { enabled },
    by,
  );
};

describe("a source", () => {
  it("has at most one enabled endpoint", async () => {
    await add();
    await expect(
      harness.database.sql`insert into delivery.workspace_endpoints (workspace_id, kind, source_id)
        values (${workspace.workspaceId}, 'pull_source', 'news')`,
    ).rejects.toThrow("workspace_endpoints_active_source");
  });

  it("that is disabled is not read, and continues where it stopped when it is enabled", async () => {
    await add();
    await workspace.pull("news");
    await enable(false);
    expect(await pullNow(name(), harness.deps)).toEqual({ outcome: "disabled" });
    harness.feeds.serve("/news", { body: rss(entries(3, 7)) });
    await enable(true);
    expect(await workspace.pull("news")).toMatchObject({ stats: { accepted: 2 } });
  });

  it("that nobody knows is told apart", async () => {
    expect(await pullNow(name(), harness.deps)).toEqual({ outcome: "unknown" });
    expect(await previewPull(name(), harness.deps)).toEqual({ outcome: "unknown" });
  });

  it("shows what it would post, with what each kind of channel makes of it, and writes nothing", async () => {
    await add();
    const preview = await previewPull(name(), harness.deps);
    expect(preview).toMatchObject({ outcome: "preview", listed: 5, seen: 2 });
    const [first] = preview.outcome === "preview" ? preview.items : [];
    expect(Object.values(first?.renderings ?? {})).toMatchObject([{ ok: true, text: "Новость n3" }]);
    expect(await workspace.actions()).toEqual([]);
    const [runs] = await harness.database.sql<[{ count: number }]>`
      select count(*)::int from delivery.ingest_runs where workspace_id = ${workspace.workspaceId}`;
    expect(runs.count).toBe(0);
  });

  it("shows nothing new after it was read, although the server would say that nothing changed", async () => {
    await add();
    await workspace.pull("news");
    expect(await previewPull(name(), harness.deps)).toMatchObject({ listed: 5, items: [] });
  });
});
