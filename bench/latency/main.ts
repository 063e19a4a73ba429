import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { demo } from "../../src/delivery/index.ts";
import { loadConfig } from "../../src/kernel/config/index.ts";
import { connect, migrate, readMigrationSources } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createSystem } from "../../src/main.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { percentile, rounded } from "../shared/figures.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";

/** From the moment a post is handed to the HTTP door to the moment the messenger's twin has it, on an idle system. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly control_insert_p50: number;
  readonly control_insert_p99: number;
  readonly control_http_p50: number;
  readonly control_http_p99: number;
}

const posts = 200;
/** Between posts, so that each finds the system asleep. */
const pauseMs = 30;

export async function main(args: string[]): Promise<void> {
  const latency = await measureLatency();
  if (args.includes("--json")) return console.log(JSON.stringify({ latency_ms: latency }));
  console.log(
    table([
      ["milliseconds", "median", "p99"],
      ["post handed in → twin has it", latency.p50, latency.p99],
      ["control: one insert, bare PostgreSQL", latency.control_insert_p50, latency.control_insert_p99],
      ["control: one request, bare HTTP server", latency.control_http_p50, latency.control_http_p99],
    ]),
  );
}

export async function measureLatency(): Promise<Latency> {
  const server = await startServer();
  const url = await server.database();
  const sql = connect({ url, max: 2 });
  await migrate(sql, await readMigrationSources());
  await sql`select delivery.ensure_event_partitions(1)`;

  const worker = new Worker(new URL("./twins-thread.js", import.meta.url));
  const [twinsUrl] = await once(worker, "message");
  const environment = { MOLVA_HOME: tempFolder("latency"), MOLVA_PORT: "0", DATABASE_URL: url };
  const system = await createSystem({
    config: loadConfig(environment),
    environment,
    databaseUrl: url,
    roles: ["api", "dispatcher", "monitor", "jobs"],
    log: silentLog,
    twinsUrl,
  });
  await system.seed();
  await sql`truncate delivery.messages, delivery.deliveries, delivery.events, delivery.ingress_receipts`;
  await sql`update delivery.channels set rate_rps = null, enabled = target_id = '-1002000000001'`;
  await sql`update delivery.workspace_endpoints set ingress_rps = 0`;
  await sql`delete from delivery.platform_limits`;
  await system.start();

  const latencies: number[] = [];
  for (let post = 0; post < posts + 20; post++) {
    const handedIn = Date.now();
    const answer = await fetch(`${system.url()}/api/v1/ingest`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-molva-secret": demo.secret },
      body: JSON.stringify({ payload: { text: `Замер ${post}` } }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const received = await receivedAt(twinsUrl, post);
    // The first posts warm up what a running system has warm.
    if (post >= 20) latencies.push(received - handedIn);
    await delay(pauseMs);
  }
  const inserts = await controlInserts(url);
  const requests = await controlRequests();

  await system.stop();
  worker.postMessage("stop");
  await once(worker, "exit");
  await sql.end();
  await server.stop();
  const figures = (values: number[]) =>
    [rounded(percentile(values, 0.5)), rounded(percentile(values, 0.99))] as const;
  const [p50, p99] = figures(latencies);
  const [control_insert_p50, control_insert_p99] = figures(inserts);
  const [control_http_p50, control_http_p99] = figures(requests);
  return { p50, p99, control_insert_p50, control_insert_p99, control_http_p50, control_http_p99 };
}

/** When the twin got the post with this number, by the machine's clock, which both sides share. */
async function receivedAt(twinsUrl: string, post: number): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const { entries } = JSON.parse(
      await (await fetch(`${twinsUrl}/_control/journal?provider=telegram&method=sendMessage`)).text(),
    );
    const entry = entries.find(
      ({ request }: { request: { text?: string } }) => request.text === `Замер ${post}`,
    );
    if (entry) return entry.at;
    await delay(5);
  }
  throw new Error(`post ${post} did not arrive`);
}

async function controlInserts(url: string): Promise<number[]> {
  const sql = connect({ url, max: 1 });
  await sql`create table control (id int primary key, text text)`;
  const times: number[] = [];
  for (let row = 0; row < posts; row++) {
    const began = performance.now();
    await sql`insert into control values (${row}, 'Замер')`;
    times.push(performance.now() - began);
    await delay(5);
  }
  await sql.end();
  return times;
}

async function controlRequests(): Promise<number[]> {
  const server = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const times: number[] = [];
  for (let request = 0; request < posts; request++) {
    const began = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "Замер" })).text();
    times.push(performance.now() - began);
    await delay(5);
  }
  server.closeAllConnections();
  server.close();
  return times;
}
