import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../../tests/support/database.ts";
import { previewPull } from "../pull-now.ts";
import { type Stand, startStand, type TestWorkspace } from "../testing/stand.ts";

let stand: Stand;
let shop: TestDatabase;
let workspace: TestWorkspace;

beforeAll(async () => {
  stand = await startStand(await testDatabase());
  shop = await testDatabase({ empty: true });
  await shop.sql`create table news (id bigint primary key, title text, created_at timestamptz not null)`;
  stand.environment.MOLVA_SOURCE_SHOP = shop.url;
});
afterAll(async () => {
  await shop.drop();
  await stand.close();
});
beforeEach(async () => {
  await shop.sql`truncate news`;
  workspace = await stand.workspace();
});

const addTable = (config: Record<string, unknown> = {}) =>
  workspace.add("table", {
    kind: "db",
    secretVariable: "MOLVA_SOURCE_SHOP",
    config: {
      query: "select id, title, created_at from news",
      time_column: "created_at",
      id_column: "id",
      fields: { id: "/id", text: "{{ title }}" },
      ...config,
    },
  });

/** Rows a microsecond apart, as one insert of many would have them. */
const insert = (from: number, to: number, at = "2026-11-15 10:00:00Z") => shop.sql`
  insert into news
  select id, 'Новость ' || id, ${at}::timestamptz + id * interval '1 microsecond'
  from generate_series(${from}::int, ${to}::int) as id`;

async function pull() {
  stand.clock.advance(1_000);
  return workspace.pull("table");
}

const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `Новость ${from + at}`);

describe("a table of another database", () => {
  it("begins with its newest rows and goes on behind them", async () => {
    await insert(1, 1000);
    await addTable();
    expect(await pull()).toMatchObject({ stats: { accepted: 3 } });
    await insert(1001, 1005);
    expect(await pull()).toMatchObject({ stats: { accepted: 5, dropped: 0 } });
    expect(await pull()).toMatchObject({ stats: { processed: 0 } });
    expect(await workspace.texts()).toEqual(texts(998, 1005));
    expect((await workspace.show("table")).cursor).toMatchObject({
      last_seen_id: "1005",
      last_seen_ts: "2026-11-15 10:00:00.001005+00",
    });
  });

  it("passes the last row's time and id to the query as $1 and $2", async () => {
    await insert(1, 2);
    await addTable({
      query: `select * from news
        where $1::timestamptz is null or (created_at, id) > ($1, $2) -- behind the last one`,
    });
    await pull();
    await insert(3, 4);
    await pull();
    expect(await workspace.texts()).toEqual(texts(1, 4));
  });

  it("that was empty at first gives everything that comes later", async () => {
    await addTable();
    await pull();
    await insert(1, 8);
    await pull();
    expect(await workspace.texts()).toEqual(texts(1, 8));
  });

  it("is read in pages, and what a run does not reach is due at once", async () => {
    await addTable({ rows: 2 });
    await pull();
    await insert(1, 25);
    expect(await pull()).toMatchObject({ stats: { accepted: 20 } });
    expect((await workspace.show("table")).next_run_at).toEqual(stand.clock.now());
    expect(await pull()).toMatchObject({ stats: { accepted: 5 } });
    expect(await workspace.texts()).toEqual(texts(1, 25));
  });

  it("gives rows that were committed late, once", async () => {
    await insert(1, 10);
    await addTable();
    await pull();
    await insert(20, 21);
    await pull();
    await insert(15, 15);
    await pull();
    await pull();
    expect(await workspace.texts()).toEqual([...texts(8, 10), ...texts(20, 21), "Новость 15"]);
    expect((await workspace.show("table")).cursor).toMatchObject({ last_seen_id: "21" });
  });

  it("cannot be changed by its query", async () => {
    await addTable({ query: "with gone as (delete from news returning *) select * from gone" });
    expect(await pull()).toMatchObject({ failure: { code: "source_query_failed" } });
    await addTableNamed("sly", "select setval('s', 1) as id, now() as created_at, 'x' as title");
    await shop.sql`create sequence if not exists s`;
    expect(await workspace.pull("sly")).toMatchObject({
      failure: { message: expect.stringContaining("read-only") },
    });
  });

  it("whose query takes too long, or whose server is away, is reported", async () => {
    stand.environment.MOLVA_SOURCE_AWAY = "postgres://nobody@127.0.0.1:9/nothing";
    await workspace.add("away", {
      kind: "db",
      secretVariable: "MOLVA_SOURCE_AWAY",
      config: { query: "select 1", time_column: "t", id_column: "i", fields: { id: "/i", text: "/t" } },
    });
    expect(await workspace.pull("away")).toMatchObject({ failure: { code: "source_query_failed" } });
    await addTableNamed("broken", "select * from no_such_table");
    expect(await workspace.pull("broken")).toMatchObject({
      failure: { message: expect.stringContaining("no_such_table") },
    });
  });

  it("can be tried without writing anything", async () => {
    await insert(1, 5);
    await addTable();
    const preview = await previewPull({ workspaceId: workspace.workspaceId, sourceId: "table" }, stand.deps);
    expect(preview).toMatchObject({
      outcome: "preview",
      listed: 3,
      items: [{}, {}, { item: { source_ref: "5" } }],
    });
    expect(await workspace.texts()).toEqual([]);
    expect((await workspace.show("table")).cursor).toEqual({});
    expect(await workspace.receipts("table")).toEqual([]);
  });
});

function addTableNamed(name: string, query: string): Promise<void> {
  return workspace.add(name, {
    kind: "db",
    secretVariable: "MOLVA_SOURCE_SHOP",
    config: { query, time_column: "created_at", id_column: "id", fields: { id: "/id", text: "{{ title }}" } },
  });
}
