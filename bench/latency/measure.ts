import { rm } from "node:fs/promises";
import { z } from "zod";
import { demo } from "../../src/delivery/index.ts";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { createSystem, type System } from "../../src/main.ts";
import { roles } from "../../src/module/index.ts";
import { configFrom } from "../../src/modules.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { until } from "../../tests/support/until.ts";
import { startChild, startTwinsProcess } from "../shared/child.ts";
import { percentile, rounded } from "../shared/figures.ts";
import type { Server } from "../shared/postgres.ts";
import { postText } from "../shared/posts.ts";

/** Milliseconds. The controls are single operations in the same run: the machine's own time. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly control_insert_p50: number;
  readonly control_insert_p99: number;
  readonly control_http_p50: number;
  readonly control_http_p99: number;
}

const target = "-1002000000001";

/** The background load beside the measured channel: rows made before the start, and their tokens. */
export interface Neighbours {
  readonly environment: Readonly<Record<string, string>>;
  prepare(sql: Sql, twinsUrl: string): Promise<void>;
}

/** Single posts, from the answer of the ingest endpoint until the twin of Telegram was called. Idle without neighbours. */
export async function measureLatency(
  server: Server,
  posts: number,
  say: (text: string) => void,
  neighbours?: Neighbours,
): Promise<Latency> {
  say(`Latency of ${posts} single posts`);
  const url = await server.database();
  const sql = connect({ url, max: 2 });
  const twins = await startTwinsProcess({ rateLimits: false, chatBurst: 1 });
  const bare = await startChild(new URL("./bare-server.js", import.meta.url), {});
  const home = tempFolder("bench-home");
  const system = await startSystem({ home, databaseUrl: url, twinsUrl: twins.url, neighbours }, sql);
  await sql`create table control (id uuid primary key default gen_random_uuid(), body text)`;

  const waits: number[] = [];
  const inserts: number[] = [];
  const requests: number[] = [];
  try {
    // The first posts warm caches and code and are not counted.
    for (let number = 1 - Math.ceil(posts / 4); number <= posts; number++) {
      const text = postText(number);
      const messageId = await post(system, text);
      const acceptedAt = now();
      await settled(sql, messageId);
      if (number >= 1) waits.push((await arrivalOf(twins.url, text)) - acceptedAt);
      inserts.push(await milliseconds(() => sql`insert into control (body) values (${text})`));
      requests.push(
        await milliseconds(async () => (await fetch(bare.url, { method: "POST", body: text })).text()),
      );
    }
    return {
      p50: rounded(percentile(waits, 0.5), 1),
      p99: rounded(percentile(waits, 0.99), 1),
      control_insert_p50: rounded(percentile(inserts, 0.5), 1),
      control_insert_p99: rounded(percentile(inserts, 0.99), 1),
      control_http_p50: rounded(percentile(requests, 0.5), 1),
      control_http_p99: rounded(percentile(requests, 0.99), 1),
    };
  } finally {
    await system.stop();
    await twins.stop();
    await bare.stop();
    await sql.end();
    await server.drop(url);
    await rm(home, { recursive: true, force: true });
  }
}

/** The whole system with one channel of the demo open. */
async function startSystem(
  {
    home,
    databaseUrl,
    twinsUrl,
    neighbours,
  }: { home: string; databaseUrl: string; twinsUrl: string; neighbours: Neighbours | undefined },
  sql: Sql,
): Promise<System> {
  const environment = {
    MOLVA_HOME: home,
    MOLVA_PORT: "0",
    DATABASE_URL: databaseUrl,
    ...neighbours?.environment,
  };
  await migrate(sql, await readMigrationSources());
  const system = await createSystem({
    config: configFrom(environment),
    environment,
    databaseUrl,
    roles,
    log: createLog({ level: "error" }),
    twinsUrl,
  });
  await sql`select workspaces.ensure_event_partitions()`;
  await system.seed();
  await sql`truncate delivery.messages, delivery.deliveries cascade`;
  await sql`update delivery.channels set enabled = target_id = ${target}, rate_rps = null, window_mode = 'immediate'`;
  await sql`update delivery.workspace_endpoints set ingress_rps = 0`;
  await neighbours?.prepare(sql, twinsUrl);
  await system.start();
  return system;
}

async function post(system: System, text: string): Promise<string> {
  const answer = await fetch(`${system.url()}/api/v1/ingest`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-molva-secret": demo.secret },
    body: JSON.stringify({ payload: { text } }),
  });
  const body = answerShape.parse(await answer.json());
  if (body.queued !== 1) throw new Error(`one delivery was expected, not ${body.queued}`);
  return body.message_id;
}

const answerShape = z.object({ message_id: z.string(), queued: z.number() });

const settled = (sql: Sql, messageId: string): Promise<boolean> =>
  until(`message ${messageId} was sent`, async () => {
    const [row] = await sql`select status from delivery.deliveries where message_id = ${messageId}`;
    return row?.status === "sent";
  });

/** When a text arrived at the twin, from its journal: the same clock, in milliseconds. */
async function arrivalOf(twinsUrl: string, text: string): Promise<number> {
  const answer = await fetch(
    `${twinsUrl}/_control/journal?provider=telegram&method=sendMessage&chat=${target}&limit=3`,
  );
  const { entries } = journal.parse(await answer.json());
  return entries.find(({ request }) => request.text === text)?.at ?? Number.NaN;
}

const journal = z.object({
  entries: z.array(z.object({ at: z.number(), request: z.object({ text: z.string() }) })),
});

const now = (): number => performance.timeOrigin + performance.now();

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
