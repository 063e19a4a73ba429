import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createSystem, type System } from "../../src/main.ts";
import type { Role } from "../../src/module/index.ts";
import { configFrom } from "../../src/modules.ts";
import { startTwins } from "../../twins/index.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

/** The roles as processes of their own: they meet only in PostgreSQL. */
let database: TestDatabase;
let twins: Awaited<ReturnType<typeof startTwins>>;
const systems: System[] = [];
const home = tempFolder("roles");

async function start(...roles: Role[]): Promise<System> {
  const environment = { MOLVA_HOME: home, MOLVA_PORT: "0", DATABASE_URL: database.url };
  const config = configFrom(environment);
  const system = await createSystem({
    config,
    environment,
    databaseUrl: database.url,
    roles,
    log: silentLog,
    twinsUrl: twins.url,
  });
  systems.push(system);
  if (roles.includes("api")) await system.seed("nothing");
  await system.start();
  return system;
}

beforeAll(async () => {
  database = await testDatabase();
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
});
afterAll(async () => {
  for (const system of systems) await system.stop();
  await twins.close();
  await database.drop();
});

// covers autoposting: Architecture overview; Components
it("an API process takes a post and two dispatcher processes carry it, once", async () => {
  const api = await start("api");
  const dispatchers = [await start("dispatcher", "monitor"), await start("dispatcher", "jobs")];
  const answer = await fetch(`${api.url()}/api/v1/ingest`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-molva-secret": demo.secret },
    body: JSON.stringify({ payload: { text: "Через разные процессы" } }),
  });
  expect(answer.status).toBe(200);
  const { message_id } = JSON.parse(await answer.text());
  await until("it is sent everywhere", async () => {
    const rows = await database.sql`select status from delivery.deliveries where message_id = ${message_id}`;
    return rows.length === 4 && rows.every(({ status }) => status === "sent");
  });
  const attempts = await database.sql`
    select delivery_id from workspaces.events where message_id = ${message_id} and action = 'send_attempt'`;
  expect(attempts).toHaveLength(4);

  for (const dispatcher of dispatchers) {
    expect((await fetch(`${dispatcher.url()}/healthz/readiness`)).status).toBe(200);
    expect(await (await fetch(`${dispatcher.url()}/metrics`)).text()).toContain(
      "molva_deliveries_settled_total",
    );
    expect((await fetch(`${dispatcher.url()}/api/v1/ingest`, { method: "POST" })).status).toBe(404);
  }
});
