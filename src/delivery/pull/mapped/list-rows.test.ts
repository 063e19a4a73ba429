import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../../tests/support/database.ts";
import { createGuardedSockets } from "../../../kernel/outbound/index.ts";
import { pullLimits } from "../pull-limits.ts";
import { previewPull, pullNow } from "../pull-now.ts";
import { type Harness, startHarness, type TestWorkspace } from "../testing/harness.ts";

let harness: Harness;
let shop: TestDatabase;
let workspace: TestWorkspace;

beforeAll(async () => {
  harness = await startHarness(await testDatabase());
  shop = await testDatabase({ empty: true });
  await shop.sql`create table news (id bigint primary key, title text, created_at timestamptz not null)`;
  harness.environment.MOLVA_SOURCE_SHOP = shop.url;
});
afterAll(async () => {
  await shop.drop();
  await harness.close();
});
beforeEach(async () => {
  await shop.sql`truncate news`;
  workspace = await harness.workspace();
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

/** Rows a microsecond apart, as after one insert of many. */
const insert = (from: number, to: number, at = "2026-11-15 10:00:00Z") => shop.sql`
  insert into news
  select id, 'Новость ' || id, ${at}::timestamptz + id * interval '1 microsecond'
  from generate_series(${from}::int, ${to}::int) as id`;

async function pull() {
  harness.clock.advance(1_000);
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

  // covers autoposting: Pull mode
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
    expect((await workspace.show("table")).next_run_at).toEqual(harness.clock.now());
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
    await addDatabase("away", "postgres://nobody@127.0.0.1:9/nothing");
    const sockets = createGuardedSockets({ allowHosts: ["127.0.0.1:9"] });
    const away = { workspaceId: workspace.workspaceId, sourceId: "away" };
    expect(await previewPull(away, { ...harness.deps, sockets })).toMatchObject({
      failure: { code: "source_unreachable" },
    });
    await addTableNamed("broken", "select * from no_such_table");
    expect(await workspace.pull("broken")).toMatchObject({
      failure: { message: expect.stringContaining("no_such_table") },
    });
  });

  it.each([
    [
      "a private address",
      "postgres://me@10.0.0.7/shop",
      "source_refused",
      "10.0.0.7 is not a public address",
    ],
    ["loopback", "postgres://me@127.0.0.1:5433/shop", "source_refused", "not a public address"],
    ["loopback in IPv6", "postgresql://me@[::1]:5433/shop", "source_refused", "not a public address"],
    ["loopback in disguise", "postgres://me@0x7f.1:5433/shop", "source_refused", "not a public address"],
    ["a name that leads inside", "postgres://me@localhost:5433/shop", "source_refused", "leads to"],
    ["the metadata door", "postgres://me@169.254.169.254/shop", "source_refused", "not a public address"],
    ["a mail server's port", "postgres://me@93.184.215.14:25/shop", "source_refused", "port 25"],
    ["several hosts", "postgres://me@8.8.8.8,127.0.0.1/shop", "source_config_invalid", "one host"],
    ["a socket file", "postgres:///shop?host=/var/run/postgresql", "source_config_invalid", "one host"],
    ["another protocol", "mysql://me@8.8.8.8/shop", "source_config_invalid", "postgres://"],
    ["no address at all", "host=localhost", "source_config_invalid", "postgres://"],
  ])("at %s is not connected to", async (_, url, code, words) => {
    await addDatabase("inside", url);
    const report = await workspace.pull("inside");
    expect(report).toMatchObject({ failure: { code, message: expect.stringContaining(words) } });
    expect(JSON.stringify(report)).not.toContain("me@");
  });

  it("is reached at the address that was checked, whatever its name answers later", async () => {
    const { port, pathname, username, password } = new URL(shop.url);
    let looks = 0;
    const resolve = async () => [{ address: looks++ === 0 ? "127.0.0.1" : "192.0.2.1", family: 4 as const }];
    const sockets = createGuardedSockets({ allowHosts: [`shop.example:${port}`], resolve });
    const login = `${username}:${password}`;
    await addDatabase("named", `postgres://${login}@shop.example:${port}${pathname}?sslmode=prefer`);
    const name = { workspaceId: workspace.workspaceId, sourceId: "named" };
    expect(await previewPull(name, { ...harness.deps, sockets })).toMatchObject({ outcome: "preview" });
    expect(looks).toBe(1);
  });

  it("whose name leads inside is refused, also without an address in sight", async () => {
    const { port, pathname, username, password } = new URL(shop.url);
    const sockets = createGuardedSockets({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
    await addDatabase("moved", `postgres://${username}:${password}@shop.example:${port}${pathname}`);
    const name = { workspaceId: workspace.workspaceId, sourceId: "moved" };
    expect(await previewPull(name, { ...harness.deps, sockets })).toMatchObject({
      failure: {
        code: "source_refused",
        message: expect.stringContaining("shop.example leads to 127.0.0.1"),
      },
    });
  });

  it("is not told the password that the server has for its own database", async () => {
    process.env.PGPASSWORD = "our-own-password";
    const asking = await startPasswordAsker();
    try {
      await addDatabase("curious", `postgres://me@${asking.host}/shop`);
      const sockets = createGuardedSockets({ allowHosts: [asking.host] });
      const name = { workspaceId: workspace.workspaceId, sourceId: "curious" };
      expect(await previewPull(name, { ...harness.deps, sockets })).toMatchObject({ outcome: "failed" });
      expect(asking.passwords).toEqual([""]);
    } finally {
      delete process.env.PGPASSWORD;
      asking.close();
    }
  });

  it.each([
    ["says nothing", async () => {}],
    ["begins to speak and stops", async (socket: Socket) => void socket.write(Buffer.from([0x52, 0, 0]))],
  ])("is given up when its server %s", async (_case, speak) => {
    const mute = await startServer(speak);
    try {
      await addDatabase("mute", `postgres://me:secret@${mute.host}/shop`);
      const sockets = createGuardedSockets({ allowHosts: [mute.host] });
      const name = { workspaceId: workspace.workspaceId, sourceId: "mute" };
      const limits = { ...pullLimits.listing, silenceMs: 60 };
      expect(await previewPull(name, { ...harness.deps, sockets, limits })).toMatchObject({
        outcome: "failed",
        failure: { code: "source_timeout" },
      });
    } finally {
      mute.close();
    }
  });

  it("that goes on sending is cut off at the limit of bytes", async () => {
    await addTableNamed("huge", "select 1 as id, now() as created_at, repeat('x', 30000000) as title");
    const limits = { ...pullLimits.listing, wholeBytes: 1_000_000 };
    const name = { workspaceId: workspace.workspaceId, sourceId: "huge" };
    expect(await previewPull(name, { ...harness.deps, limits })).toMatchObject({
      outcome: "failed",
      failure: { code: "source_too_large" },
    });
  });

  it("whose pages are large is read in several runs", async () => {
    const query = "select *, repeat('x', 150000) as pad from news";
    await addTable({ query, rows: 2, overlap_seconds: 0 });
    await pull();
    await insert(1, 6);
    const deps = { ...harness.deps, limits: { ...pullLimits.listing, wholeBytes: 1_000_000 } };
    const name = { workspaceId: workspace.workspaceId, sourceId: "table" };
    expect(await pullNow(name, deps)).toMatchObject({ stats: { accepted: 4 } });
    expect((await workspace.show("table")).next_run_at).toEqual(harness.clock.now());
    harness.clock.advance(1_000);
    expect(await pullNow(name, deps)).toMatchObject({ stats: { accepted: 2 } });
    expect(await workspace.texts()).toEqual(texts(1, 6));
  });

  it("can be tried without writing anything", async () => {
    await insert(1, 5);
    await addTable();
    const preview = await previewPull(
      { workspaceId: workspace.workspaceId, sourceId: "table" },
      harness.deps,
    );
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

/** A server that asks every client for a password in clear text, and hangs up. */
async function startPasswordAsker() {
  const passwords: string[] = [];
  const server = await startServer(async (socket) => {
    socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    socket.once("data", (answer) => {
      passwords.push(answer.subarray(5, -1).toString());
      socket.destroy();
    });
  });
  return { ...server, passwords };
}

/** A server in place of a database; `speak` answers the first message of a client. */
async function startServer(speak: (socket: Socket) => Promise<void>) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => speak(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { host: `127.0.0.1:${address.port}`, close: () => server.close() };
}

let databases = 0;

/** A source whose database is at this address; each has its own variable, because secrets are cached for a while. */
function addDatabase(name: string, url: string): Promise<void> {
  const secretVariable = `MOLVA_SOURCE_DATABASE_${++databases}`;
  harness.environment[secretVariable] = url;
  return workspace.add(name, {
    kind: "db",
    secretVariable,
    config: {
      query: "select id, title, created_at from news",
      ...{ time_column: "created_at", id_column: "id", fields: { id: "/id", text: "{{ title }}" } },
    },
  });
}

function addTableNamed(name: string, query: string): Promise<void> {
  return workspace.add(name, {
    kind: "db",
    secretVariable: "MOLVA_SOURCE_SHOP",
    config: { query, time_column: "created_at", id_column: "id", fields: { id: "/id", text: "{{ title }}" } },
  });
}
