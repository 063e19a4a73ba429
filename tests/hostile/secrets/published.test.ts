import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anEndpoint, aWorkspace } from "../../../src/delivery/testing/builders.ts";
import { sha256Hex } from "../../../src/kernel/crypto/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { createSystem, type System } from "../../../src/main.ts";
import { configFrom } from "../../../src/modules.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { tempFolder } from "../../support/temp-folder.ts";

/** A demo on loopback, as `molva up` runs it: the secrets in the documents open it, but only for a person at this machine. */
let database: TestDatabase;
let demo: System;

beforeAll(async () => {
  database = await testDatabase();
  const settings = {
    MOLVA_ENV: "demo",
    MOLVA_HOME: tempFolder("published"),
    MOLVA_PORT: "0",
    DATABASE_URL: database.url,
  };
  const { sql } = database;
  await sql`select workspaces.ensure_event_partitions()`;
  const { endpointId } = await anEndpoint(sql, await aWorkspace(sql));
  await sql`
    update delivery.workspace_endpoints set kind = 'webhook_push', secret_hash = ${sha256Hex("molva-demo-secret")}
    where endpoint_id = ${endpointId}`;
  demo = await createSystem({
    config: configFrom(settings),
    environment: settings,
    databaseUrl: database.url,
    roles: ["api"],
    log: silentLog,
  });
  await demo.start();
});
afterAll(async () => {
  await demo?.stop();
  await database?.drop();
});

/** `fetch` does not let anybody choose the Host. */
async function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(demo.url());
  const sent = request({ hostname, port, path, method, headers });
  if (method === "POST") sent.write(JSON.stringify({ payload: { text: `Пост ${JSON.stringify(headers)}` } }));
  const [answer] = await once(sent.end(), "response");
  answer.resume();
  return answer.statusCode;
}

const ingest = (headers: Record<string, string>) =>
  statusOf("POST", "/api/v1/ingest", { "x-molva-secret": "molva-demo-secret", ...headers });
const advisor = (headers: Record<string, string>) =>
  statusOf("GET", "/v1/me?telegram_user_id=5", {
    authorization: "Bearer molva-demo-advisor-token",
    ...headers,
  });
const figures = (headers: Record<string, string>) => statusOf("GET", "/metrics", headers);

it.each([{}, { host: "localhost:8080" }, { host: "[::1]:8080" }])(
  "a secret of the documents opens the demo on its own machine (%o)",
  async (headers) => {
    expect(await ingest(headers)).toBe(200);
    expect(await advisor(headers)).toBe(200);
    expect(await figures(headers)).toBe(200);
  },
);

it.each([
  ["a page whose site made its name lead here", { host: "elsewhere.example:8080" }],
  ["a tunnel", { host: "demo.tunnel.example" }],
  ["a proxy", { "x-forwarded-for": "203.0.113.7" }],
])("it does not open the demo to %s", async (_, headers) => {
  expect(await ingest(headers)).toBe(403);
  expect(await advisor(headers)).toBe(401);
  expect(await figures(headers)).toBe(401);
});
