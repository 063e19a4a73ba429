import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { holdPostgres, notDurable, type PostgresHolder } from "../../../tests/support/hold-postgres.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { removeEmbeddedPostgres, runningPostgresUrl, startEmbeddedPostgres } from "./index.ts";
import { livePostmaster } from "./postmaster.ts";
import { hasEnded, isAlive } from "./processes.ts";

let home: string;
const cleanup: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  home = join(tempFolder("postgres"), "home");
});

afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
  await removeEmbeddedPostgres(home);
  rmSync(join(home, ".."), { recursive: true, force: true });
});

afterAll(() => expect(cleanup).toEqual([]));

async function start(options: { port?: number; onLost?: () => void } = {}) {
  const server = await startEmbeddedPostgres({ home, settings: notDurable, ...options });
  cleanup.push(() => server.stop());
  return server;
}

async function hold(settings?: Record<string, string | number | boolean>): Promise<PostgresHolder> {
  const holder = await holdPostgres({ home, settings: { ...notDurable, ...settings } });
  cleanup.push(() => holder.end("SIGKILL"));
  return holder;
}

async function query<Row extends postgres.Row>(url: string, text: string): Promise<Row | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: 5 });
  try {
    const rows = await sql.unsafe<Row[]>(text);
    return rows[0];
  } finally {
    await sql.end();
  }
}

it("starts a server that knows Russian and answers only on loopback to its own password", async () => {
  const server = await start();
  const row = await query(
    server.url,
    `select lower('ЁЛКА') as lower, pg_encoding_to_char(encoding) as encoding, datcollate, current_database() as name,
            (select string_agg(w, '' order by w collate "ru-x-icu") from unnest(array['я', 'ж', 'е', 'ё']) w) as sorted,
            to_tsvector('russian', '«каналы» — каналов')::text as words,
            current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets
     from pg_database where datname = current_database()`,
  );
  expect(row).toMatchObject({
    lower: "ёлка",
    encoding: "UTF8",
    name: "molva",
    sorted: "еёжя",
    words: "'канал':1,2",
    listens: "127.0.0.1",
    sockets: "",
  });
  const stranger = new URL(server.url);
  stranger.password = "guess";
  await expect(query(stranger.href, "select 1")).rejects.toThrow(/password authentication failed/);
  expect(statSync(join(home, "postgres.json")).mode & 0o777).toBe(0o600);
});

it("keeps data and port from one start to the next, and leaves no process behind", async () => {
  const first = await start();
  expect(first.fresh).toBe(true);
  await query(first.url, "create table kept as select 42 as answer");
  const postmaster = await livePostmaster(first.dataFolder);
  await first.stop();
  await first.stop();
  expect(isAlive(postmaster?.pid ?? 0)).toBe(false);
  expect(await runningPostgresUrl(home)).toBeUndefined();

  const second = await start();
  expect(second.fresh).toBe(false);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "select answer from kept")).toEqual({ answer: 42 });
  expect(await runningPostgresUrl(home)).toBe(second.url);
});

it("takes back the server that outlived a killed process", async () => {
  const holder = await hold();
  await query(holder.started.url, "create table kept as select 42 as answer");
  const orphan = await livePostmaster(holder.started.dataFolder);
  await holder.end("SIGKILL");

  const server = await start();
  expect(await livePostmaster(server.dataFolder)).toEqual(orphan);
  expect(server.url).toBe(holder.started.url);
  expect(await query(server.url, "select answer from kept")).toEqual({ answer: 42 });
  await server.stop();
  expect(isAlive(orphan?.pid ?? 0)).toBe(false);
});

it("replaces a server left behind that runs with other settings", async () => {
  const holder = await hold({ max_connections: 33 });
  const orphan = await livePostmaster(holder.started.dataFolder);
  await holder.end("SIGKILL");

  const server = await start();
  expect((await livePostmaster(server.dataFolder))?.pid).not.toBe(orphan?.pid);
  expect(await query(server.url, "show max_connections")).toEqual({ max_connections: "100" });
});

it("sets a new password when the old one was lost, also while a server left behind still uses it", async () => {
  const holder = await hold();
  await query(holder.started.url, "create table kept as select 42 as answer");
  await holder.end("SIGKILL");
  rmSync(join(home, "postgres.json"));

  const server = await start();
  expect(await query(server.url, "select answer from kept")).toEqual({ answer: 42 });
});

it("loses nothing that was committed when the server itself is killed", async () => {
  const holder = await hold({ fsync: true, synchronous_commit: true, full_page_writes: true });
  await query(holder.started.url, "create table kept as select 42 as answer");
  const killed = await livePostmaster(holder.started.dataFolder);
  await holder.end("SIGKILL");
  process.kill(killed?.pid ?? 0, "SIGKILL");
  expect(await hasEnded(killed?.pid ?? 0, 5_000)).toBe(true);

  const server = await start();
  expect(await query(server.url, "select answer from kept")).toEqual({ answer: 42 });
});

it("is not misled by a stale pid file whose number now belongs to another program", async () => {
  const first = await start();
  const { uid, gid } = statSync(first.dataFolder);
  await first.stop();
  const other = spawn("sleep", ["60"], process.getuid?.() === 0 ? { uid, gid } : {});
  cleanup.push(async () => other.kill());
  await writeFile(
    join(first.dataFolder, "postmaster.pid"),
    `${other.pid}\n${first.dataFolder}\n1\n5432\n\n\n\n`,
  );

  const second = await start();
  expect(await query(second.url, "select 1 as one")).toEqual({ one: 1 });
});

it("refuses a second process on the same home with one sentence, even when both start at once", async () => {
  const holders = await Promise.all([hold(), hold()]);
  expect(holders.map(({ said }) => said.kind).sort()).toEqual(["refused", "started"]);
  const refusal = holders.map(({ said }) => said).find((said) => said.kind === "refused");
  expect(refusal).toMatchObject({ code: "in_use", message: expect.stringContaining("MOLVA_HOME") });
  await expect(start()).rejects.toMatchObject({ code: "in_use" });
});

it("keeps what is no complete database aside and sweeps what an interrupted start left", async () => {
  await mkdir(join(home, "pg"), { recursive: true });
  await writeFile(join(home, "pg", "postgresql.conf"), "half");
  await mkdir(join(home, "pg.making-abc"));

  const server = await start();
  expect(await query(server.url, "select 1 as one")).toEqual({ one: 1 });
  const aside = readdirSync(home).filter((name) => name.startsWith("pg.broken-"));
  expect(await readFile(join(home, aside[0] ?? "", "postgresql.conf"), "utf8")).toBe("half");
  expect(existsSync(join(home, "pg.making-abc"))).toBe(false);
});

it("refuses a cluster of another major version and leaves it as it is", async () => {
  await mkdir(join(home, "pg"), { recursive: true });
  writeFileSync(join(home, "pg", "PG_VERSION"), "16\n");
  await expect(start()).rejects.toMatchObject({
    code: "other_version",
    message: expect.stringMatching(/PostgreSQL 16 .* PostgreSQL 18; .*DATABASE_URL/),
  });
  expect(readdirSync(join(home, "pg"))).toEqual(["PG_VERSION"]);
});

it("insists on a demanded port and gives up a remembered one when it is taken", async () => {
  const first = await start();
  const port = Number(new URL(first.url).port);
  await first.stop();
  const squatter = createServer().listen(port, "127.0.0.1");
  cleanup.push(async () => squatter.close());
  await new Promise((resolve) => squatter.once("listening", resolve));

  await expect(start({ port })).rejects.toMatchObject({ code: "port_busy" });
  const second = await start();
  expect(Number(new URL(second.url).port)).not.toBe(port);
});

it("says so when a server ends that nobody stopped", async () => {
  const lost = new Promise<void>((resolve) => {
    void start({ onLost: resolve }).then(async (server) => {
      process.kill((await livePostmaster(server.dataFolder))?.pid ?? 0, "SIGQUIT");
    });
  });
  await lost;
});
