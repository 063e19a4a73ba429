import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { createServer, connect as dial, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { notDurable } from "../../../../tests/support/hold-postgres.ts";
import { killServer, type Standby, startStandby } from "../../../../tests/support/standby.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { until } from "../../../../tests/support/until.ts";
import { createJobs, defineTask, enqueue, runWorkerMigrations } from "../../jobs/index.ts";
import { silentLog } from "../../log/index.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../postgres/index.ts";
import { type DatabaseAddress, databaseAddress } from "../../url/index.ts";
import { connect, lastingConnection } from "../connect.ts";
import { listen } from "../listen.ts";
import { createPrimary } from "./create-primary.ts";
import { createTimelines } from "./timelines.ts";

const settings = { ...notDurable, synchronous_commit: true, max_connections: 60 };
const home = tempFolder("primary");
let primary: EmbeddedPostgres;
let standby: Standby;

beforeAll(async () => {
  primary = await startEmbeddedPostgres({ home, settings });
  standby = await startStandby(primary, settings);
});
afterAll(async () => {
  await standby?.stop();
  await primary?.stop();
});

const portOf = (url: string) => databaseAddress(url)?.hosts[0]?.port ?? 0;

it("a standby is no place to write: it is asked again for a while, then refused by name", async () => {
  const sql = connect({ url: `${standby.url}?target_session_attrs=read-write`, connectTimeoutSeconds: 1 });
  await expect(sql`select 1`).rejects.toMatchObject({
    code: "CONNECTION_NO_PRIMARY",
    message: `no host of the database takes writes: 127.0.0.1:${portOf(standby.url)} is a standby`,
  });
  await sql.end();
});

it("a host that refuses the password is named as such, not as one that is away", async () => {
  const sql = connect({ url: standby.bothUrl.replace(/:[^:@]+@/, ":wrong@") });
  await expect(sql`select 1`).rejects.toMatchObject({ code: "28P01" });
  await sql.end();
});

it("a connection that lands on a standby after all is ended, and the next one finds the primary", async () => {
  const [right, wrong] = [portOf(primary.url), portOf(standby.url)];
  // A question, the connection itself, and both once more.
  const relay = await startRelay([right, wrong, right, right]);
  const sql = connect({ url: `${viaRelays(relay)}?target_session_attrs=read-write`, max: 1 });
  await expect(sql`select 1`).rejects.toMatchObject({ code: "CONNECTION_DESTROYED" });
  const [row] = await sql`select pg_is_in_recovery() as recovers`;
  expect(row?.recovers).toBe(false);
  await sql.end();
  relay.close();
});

it("connections to a host that has fallen silent are ended once another one takes writes", async () => {
  const relays = [await startRelay([portOf(primary.url)]), await startRelay([portOf(primary.url)])];
  const address = addressOf(viaRelays(...relays));
  const found = createPrimary(address, { findWithinMs: 1_000, watchEveryMs: 50 });
  const host = await found.find();
  const socket = await found.connect();
  const ended = new Promise((resolve) => socket.on("error", resolve));
  relays.find(({ port }) => port === host.port)?.fallSilent();
  expect(await ended).toMatchObject({ message: `127.0.0.1:${host.port} takes no writes any more` });
  await until("the other one is chosen", async () => (await found.find()).port !== host.port);
  for (const relay of relays) relay.close();
});

// The last two: the first loses the primary, which comes back in the second.
it("queries, LISTEN, lasting connections and jobs go on where the standby was promoted, with all that was confirmed", async () => {
  const url = standby.bothUrl;
  await runWorkerMigrations(url);
  const sql = connect({ url, max: 3 });
  await sql`create table kept (n int primary key)`;
  const heard: string[] = [];
  const listener = await listen(sql, "news", { onNotify: (text) => heard.push(text) });
  const lasting = lastingConnection(sql);
  const ran: string[] = [];
  const task = defineTask({
    name: "note",
    schema: z.object({ text: z.string() }),
    async run({ text }) {
      ran.push(text);
    },
  });
  const jobs = createJobs({ databaseUrl: url, tasks: [task], cron: [], concurrency: 1, log: silentLog });
  await jobs.start();
  await enqueue(sql, task, { text: "before" });
  await until("the job ran", () => ran.includes("before"));
  await lasting`insert into kept values (1)`;

  await killServer(primary);
  const lost = sql`insert into kept values (2)`;
  await standby.promote();
  // It waited for a host that takes writes.
  await lost;
  expect([...(await lasting`select n from kept order by n`)]).toEqual([{ n: 1 }, { n: 2 }]);
  const [row] = await sql`select current_setting('port')::int as port`;
  expect(row?.port).toBe(portOf(standby.url));
  await until("the listener is back", async () => {
    await sql`select pg_notify('news', 'after')`;
    return heard.includes("after");
  });
  await enqueue(sql, task, { text: "after" });
  await until("jobs run again", () => ran.includes("after"));
  await jobs.stop();
  await listener.close();
  await lasting.end();
  await sql.end();
});

it("a process that starts later does not go to an old primary that came back, if one on this machine has seen another promoted", async () => {
  await primary.stop();
  // It would wait for the standby of before.
  await appendFile(join(primary.dataFolder, "postgresql.auto.conf"), "synchronous_standby_names = ''\n");
  primary = await startEmbeddedPostgres({ home, settings });
  const both = addressOf(viaPorts(portOf(primary.url), portOf(standby.url)));
  // This machine does not reach the promoted one.
  const oldOnly = addressOf(viaPorts(portOf(primary.url), 1));
  const folder = tempFolder("timelines");
  const aProcess = (address: DatabaseAddress, keptIn: string) => {
    const timelines = createTimelines();
    timelines.keepIn(keptIn);
    return createPrimary(address, { findWithinMs: 1_000 }, timelines).find();
  };

  expect((await aProcess(both, folder)).port).toBe(portOf(standby.url));
  await expect(aProcess(oldOnly, folder)).rejects.toThrow(
    `127.0.0.1:${portOf(primary.url)} is an old primary, after which another was promoted`,
  );
  // Where nobody has seen the promotion, nobody can know of it: that is for the keeper to prevent.
  expect((await aProcess(oldOnly, tempFolder("elsewhere"))).port).toBe(portOf(primary.url));
});

interface Relay {
  readonly port: number;
  /** Keeps its connections open and passes nothing on, as a machine that is gone does. */
  fallSilent(): void;
  close(): void;
}

/** Leads the first connection to the first port, and so on; the last port takes all the rest. */
async function startRelay(ports: readonly number[]): Promise<Relay> {
  let taken = 0;
  let isSilent = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(ports[Math.min(taken, ports.length - 1)] ?? 0, "127.0.0.1");
    taken += 1;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => !isSilent && to.write(bytes));
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    fallSilent() {
      isSilent = true;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const viaRelays = (...relays: readonly Relay[]) => viaPorts(...relays.map(({ port }) => port));

const viaPorts = (...ports: readonly number[]) =>
  primary.url.replace(
    databaseAddress(primary.url)?.shown ?? "",
    ports.map((port) => `127.0.0.1:${port}`).join(),
  );

function addressOf(url: string): DatabaseAddress {
  const address = databaseAddress(url);
  if (!address) throw new Error("no address");
  return address;
}
