import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { listWorkspaces } from "../../workspaces/index.ts";
import { deliveryRoutes } from "../delivery-routes.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";

let database: TestDatabase;
let server: TestHttpServer;
let workspace: string;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  const metrics = createMetrics();
  const platforms = createPlatforms({
    TELEGRAM_API_ROOT: "http://127.0.0.1:9",
    MAX_API_ROOT: "http://127.0.0.1:9",
  });
  server = await startTestHttpServer({
    sql,
    metrics,
    modules: [
      deliveryRoutes({
        sql,
        platforms,
        clock: systemClock,
        metrics,
        payloads: { save: async () => "nowhere" },
        credentials: { token: async () => undefined },
      }),
    ],
    listWorkspaces: () => listWorkspaces(sql),
  });
  workspace = await aWorkspace(sql, { name: "Обзорная" });
  await aChannel(sql, workspace, { title: "Открытый" });
  await aChannel(sql, workspace, { platform: "max", paused_until: new Date(Date.now() + 3_600_000) });
  await aChannel(sql, workspace, { enabled: false });
  await enqueue(sql, workspace, "Первый");
  await enqueue(sql, workspace, "я".repeat(4050));
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10)`;
  const [started] = await sql`select * from delivery.start_sending(${workspace}, 'run', 1)`;
  await sql`select delivery.mark_sent(${workspace}, ${started?.delivery_id}, '1'::text, now(), '{}'::jsonb)`;
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

it("shows the queue, the channels, the last hour and the last events of a workspace", async () => {
  const answer = await server.call("/api/v1/overview", { headers: await server.bearer(["read"]) });
  expect(answer.status).toBe(200);
  const overview = JSON.parse(await answer.text());
  expect(overview).toMatchObject({
    workspace: { id: workspace, name: "Обзорная", status: "active" },
    channels: { total: 3, enabled: 1, paused: 1, disabled: 1, by_platform: { telegram: 2, max: 1 } },
  });
  expect(overview.queue).toEqual({
    queued: 1,
    claimed: 1,
    sending: 0,
    retry: 0,
    sent: 1,
    deduped: 0,
    failed_permanent: 1,
    dead: 0,
  });
  expect(overview.activity).toHaveLength(60);
  expect(overview.activity.reduce((sum: number, minute: { sent: number }) => sum + minute.sent, 0)).toBe(1);
  expect(overview.events[0]).toMatchObject({
    action: "sent",
    channel: { title: "Открытый", platform: "telegram" },
  });
});

it("refuses strangers and unknown workspaces", async () => {
  expect((await server.call("/api/v1/overview")).status).toBe(401);
  const nowhere = "/api/v1/overview?workspace_id=00000000-0000-7000-8000-0000000000ff";
  expect((await server.call(nowhere, { headers: await server.bearer(["read"]) })).status).toBe(404);
  expect((await server.call("/api/v1/overview", { headers: await server.bearer(["write"]) })).status).toBe(
    403,
  );
  const other = await aWorkspace(database.sql);
  const bound = await server.bearer(["read"], other);
  expect((await server.call(`/api/v1/overview?workspace_id=${workspace}`, { headers: bound })).status).toBe(
    403,
  );
});
