import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { ingestItems } from "./ingest-items.ts";
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
  await workspace.add("cms", { config: { url: `${harness.feeds.url}/cms` } });
});

const item = (id: string, more: Record<string, unknown> = {}) => ({
  source_ref: id,
  payload: { text: `Пост ${id}` },
  ...more,
});

/** The SQL function, called as n8n or psql would. */
async function chunk(items: unknown[], endpointId?: string | null): Promise<Record<string, unknown>> {
  const { sql } = harness.database;
  const endpoint = endpointId === undefined ? (await workspace.show("cms")).endpoint_id : endpointId;
  const [row] = await sql`
    select delivery.ingest_pull_chunk(
      ${workspace.workspaceId}, 'cms', ${endpoint}, ${sql.json(JSON.parse(JSON.stringify(items)))},
      p_now => ${harness.clock.now()}) as answer`;
  return row?.answer;
}

const cursor = async () => (await workspace.show("cms")).cursor;

/** Makes storing this text fail, as a full disk or a killed server would. */
async function breakOn(text: string): Promise<() => Promise<void>> {
  const { sql } = harness.database;
  await sql.unsafe(`
    create or replace function delivery.break_on_text() returns trigger language plpgsql as $$
    begin
      if new.payload ->> 'text' = '${text}' then raise exception 'the disk is full'; end if;
      return new;
    end $$;
    create trigger break_on_text before insert on delivery.messages for each row execute function delivery.break_on_text();`);
  return async () => {
    await sql.unsafe("drop trigger break_on_text on delivery.messages");
  };
}

describe("a chunk", () => {
  // covers autoposting: Pull mode; Point 37
  it("gives duplicates in one batch one receipt and one message", async () => {
    expect(await chunk([item("1"), item("2"), item("1")])).toMatchObject({
      processed: 3,
      accepted: 2,
      dropped: 1,
      dedup_dropped: 1,
      queued: 2,
      cursor_to: "1",
      items: [
        { outcome: "accepted" },
        { outcome: "accepted" },
        { outcome: "dedup_dropped", source_ref: "1" },
      ],
    });
    expect(await workspace.receipts("cms")).toEqual(["1", "2"]);
    expect(await workspace.actions()).toEqual(["enqueue", "enqueue", "ingress_dedup_dropped"]);
  });

  // covers autoposting: Table: pull_cursors; Pull mode; Point 37
  it("that fails leaves cursor, receipts, messages and runs untouched, and succeeds when it comes again", async () => {
    await chunk([item("1", { cursor_to: "one" })]);
    const mend = await breakOn("Пост 3");
    await expect(chunk([item("2"), item("3"), item("4")])).rejects.toThrow("the disk is full");
    expect(await cursor()).toEqual({ cursor_to: "one" });
    expect(await workspace.receipts("cms")).toEqual(["1"]);
    expect(await workspace.texts()).toEqual(["Пост 1"]);
    await mend();
    harness.clock.advance(1_000);
    expect(await chunk([item("2"), item("3"), item("4")])).toMatchObject({ accepted: 3, cursor_to: "4" });
    expect(await workspace.texts()).toEqual(["Пост 1", "Пост 2", "Пост 3", "Пост 4"]);
  });

  // covers autoposting: Table: pull_cursors
  it("moves the cursor by cursor_to, cursor or source_ref, for dropped items too", async () => {
    await chunk([item("1", { cursor: "по cursor" })]);
    expect(await cursor()).toEqual({ cursor_to: "по cursor" });
    await chunk([item("2"), item("1", { cursor_to: "по cursor_to" })]);
    expect(await cursor()).toEqual({ cursor_to: "по cursor_to" });
    await chunk([item("3", { cursor_to: { last_seen_ts: "2026-11-15", last_seen_id: "3" } })]);
    expect(await cursor()).toEqual({
      cursor_to: "по cursor_to",
      last_seen_ts: "2026-11-15",
      last_seen_id: "3",
    });
  });

  it("drops what cannot become a post, with the reason in an event, and takes the rest", async () => {
    await harness.database.sql`
      update delivery.workspace_endpoints set max_payload_bytes = 2000 where workspace_id = ${workspace.workspaceId}`;
    const broken = [
      item("empty", { payload: {} }),
      item("huge", { payload: { text: "я".repeat(2000) } }),
      "не объект",
    ];
    expect(await chunk([...broken, item("good")])).toMatchObject({
      processed: 4,
      accepted: 1,
      payload_rejected: 3,
    });
    const events = await harness.database.sql`
      select meta from workspaces.events
      where workspace_id = ${workspace.workspaceId} and action = 'ingress_payload_rejected' order by ts`;
    expect(events.map(({ meta }) => meta.fault)).toEqual([
      "the item has neither text nor media",
      expect.stringContaining("the endpoint takes 2000"),
      "the item has neither text nor media",
    ]);
  });

  it("knows an item without an id by its content", async () => {
    const nameless = { payload: { text: "Без имени" } };
    expect(await chunk([nameless, nameless])).toMatchObject({ accepted: 1, dedup_dropped: 1 });
  });

  it("with a missing or disabled endpoint leaves an event and nothing else", async () => {
    expect(await chunk([item("1")], null)).toMatchObject({
      processed: 0,
      skipped: true,
      reason: "ingress_config_error",
    });
    expect(await workspace.actions()).toEqual(["ingress_config_error"]);
    expect(await cursor()).toEqual({});
  });

  // covers autoposting: Table: ingest_runs
  it("writes a run with its counters, its source and the traces of its items", async () => {
    const { run_id } = await chunk([item("1", { trace_id: "t-1" }), item("2")]);
    const [run] = await harness.database.sql`
      select * from delivery.ingest_runs where workspace_id = ${workspace.workspaceId} and run_id = ${String(run_id)}`;
    expect(run).toMatchObject({
      kind: "pull",
      source_id: "cms",
      trace_ids: ["t-1"],
      stats_json: { processed: 2, accepted: 2, queued: 2 },
      finished_at: harness.clock.now(),
    });
  });
});

describe("items handed in by hand", () => {
  const hand = (items: unknown[], sourceId = "cms") =>
    ingestItems({ workspaceId: workspace.workspaceId, sourceId }, items, harness.deps);

  // covers autoposting: Ingest requirements
  it("take the way of the source's own, chunk by chunk, in one run", async () => {
    const many = Array.from({ length: 150 }, (_, at) => item(`i${at}`));
    expect(await hand([...many, item("i0"), { payload: { text: 7 } }])).toMatchObject({
      processed: 152,
      accepted: 150,
      dedup_dropped: 1,
      payload_rejected: 1,
    });
    const runs = await harness.database.sql`
      select stats_json, finished_at from delivery.ingest_runs where workspace_id = ${workspace.workspaceId}`;
    expect(runs).toMatchObject([
      { stats_json: { processed: 152, accepted: 150 }, finished_at: harness.clock.now() },
    ]);
  });

  it("survive characters that no database stores", async () => {
    const odd = [
      { source_ref: "a\0b", payload: { text: "нуль" } },
      item("2", { payload: { text: "половина \ud800" } }),
    ];
    expect(await hand([...odd, item("3")])).toMatchObject({ accepted: 1, payload_rejected: 2 });
  });

  it("of an unknown source are nobody's", async () => {
    expect(await hand([item("1")], "nowhere")).toBeUndefined();
  });
});

describe("a run that breaks between chunks", () => {
  it("keeps what was committed, and the next run takes the rest without repeating or flooding", async () => {
    const feed = { body: rss(entries(1, 150)), headers: { etag: '"150"' } };
    harness.feeds.serve("/cms", feed);
    const config = { url: `${harness.feeds.url}/cms`, link: "none", max_items_first_run: 20 };
    await workspace.add("feed", { config });
    const mend = await breakOn("<b>Новость n140</b>");
    expect(await workspace.pull("feed")).toMatchObject({
      outcome: "failed",
      failure: { code: "internal_error" },
    });
    expect(await workspace.receipts("feed")).toHaveLength(100);
    await mend();
    expect(await workspace.pull("feed")).toMatchObject({ stats: { processed: 50, accepted: 20, seen: 30 } });
    expect(await workspace.texts()).toEqual(entries(131, 150).map(({ id }) => `Новость ${id}`));
  });
});

describe("two sources with the same posts in another order", () => {
  it("wait for each other without losing a post", async () => {
    await workspace.add("mirror", { config: { url: `${harness.feeds.url}/cms` } });
    const posts = Array.from({ length: 60 }, (_, at) => item(`p${at}`));
    const answers = await Promise.all([
      ingestItems({ workspaceId: workspace.workspaceId, sourceId: "cms" }, posts, harness.deps),
      ingestItems(
        { workspaceId: workspace.workspaceId, sourceId: "mirror" },
        posts.toReversed(),
        harness.deps,
      ),
    ]);
    expect(answers.map((answer) => answer?.accepted)).toEqual([60, 60]);
    expect(await workspace.texts()).toHaveLength(60);
  });
});
