import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { recordsIn } from "../../src/accounts/testing/records.ts";
import { aDelivery } from "../../src/delivery/deliveries/testing/a-delivery.ts";
import { planRoutes } from "../../src/delivery/index.ts";
import { aChannel, aWorkspace } from "../../src/delivery/testing/builders.ts";
import { startTestHttpServer, type TestHttpServer } from "../../src/http/testing/http-server.ts";
import { manualClock } from "../../src/kernel/clock/index.ts";
import { modules } from "../../src/modules.ts";
import { aCategory, aProject, aSeoUser } from "../../src/seo/testing/builders.ts";
import { databaseWithJobs, type TestDatabase } from "../support/database.ts";

/** The plan of all products together. A Sunday at noon, Moscow 15:00. */
const now = new Date("2026-11-15T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

let database: TestDatabase;
let server: TestHttpServer;
let workspace: string;
let headers: Record<string, string>;
beforeAll(async () => {
  database = await databaseWithJobs();
  const deps = { sql: database.sql, clock: manualClock(now) };
  const sources = modules.flatMap(({ planned }) => planned ?? []);
  server = await startTestHttpServer({ ...deps, modules: [planRoutes({ ...deps, sources })] });
});
afterAll(async () => {
  await server?.stop();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  headers = await server.bearer(["read"], workspace);
});

async function ask(
  path: string,
  body?: unknown,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const answer = await server.call(`/api/v1/plan${path}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

async function aTask(given: Record<string, unknown> = {}): Promise<string> {
  const records = recordsIn(database.sql, workspace);
  const ids = {
    account_id: await records.anAccount(),
    chat_id: await records.aChat(),
    object_id: await records.anObject(),
  };
  return records.aTask(ids, { scheduled_time: at(3600), ...given });
}

async function aSchedule(): Promise<number> {
  const whose = await aSeoUser(database.sql, workspace);
  const projectId = await aProject(database.sql, whose);
  const categoryId = await aCategory(database.sql, whose, { projectId });
  const [connection] = await database.sql`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status)
    values (${workspace}, ${projectId}, 'wordpress', '{}', 'dubrava.example', 'disconnected') returning id`;
  const [schedule] = await database.sql`
    insert into seo.platform_schedules ${database.sql({
      workspace_id: workspace,
      category_id: categoryId,
      connection_id: connection?.id,
      platform_type: "wordpress",
      schedule_days: ["mon", "wed"],
      schedule_times: ["10:00"],
      posts_per_day: 1,
      enabled: true,
    })} returning id`;
  return schedule?.id;
}

it("the plan shows posts, slots of SEO Master and objects of accounts in the order of time, each in its own zone", async () => {
  const channel = await aChannel(database.sql, workspace, { title: "Новости" });
  const delivery = await aDelivery(database.sql, workspace, channel, {
    now,
    not_before: at(60),
    scheduled_for: at(60),
  });
  const task = await aTask();
  const schedule = await aSchedule();
  const { status, body } = await ask("");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    at: now.toISOString(),
    to: at(7 * 86_400).toISOString(),
    zone: "Europe/Moscow",
    truncated: false,
    items: [
      {
        ...{ kind: "delivery", id: delivery, local: "2026-11-15 15:01:00", zone: "Europe/Moscow" },
        channel: { id: channel, title: "Новости", platform: "telegram" },
        delivery: { fate: "sent", reason: "scheduled" },
      },
      { kind: "object", id: task, at: at(3600).toISOString(), delivery: null },
      { kind: "article", id: `${schedule}/2026-11-16/10:00`, local: "2026-11-16 10:00:00" },
      { kind: "article", channel: { title: "dubrava.example", platform: "wordpress" } },
    ],
  });
  const ofChannel = await ask(`?channel_id=${channel}`);
  expect(ofChannel.body.items).toMatchObject([{ id: delivery }]);
  expect((await ask(`?from=${at(7200).toISOString()}`)).body.items).toMatchObject([
    { kind: "article" },
    { kind: "article" },
  ]);
});

it("nothing of another workspace is in it, and nobody without `read` gets it", async () => {
  await aTask();
  await aSchedule();
  const mine = workspace;
  headers = await server.bearer(["read"], await aWorkspace(database.sql));
  expect((await ask("")).body).toMatchObject({ items: [], counts: { items: 0 } });
  expect((await ask(`?workspace_id=${mine}`)).body).toMatchObject({ code: "other_workspace" });
  const changes = { changes: { limits: { "telegram/bot": { rate_rps: 1 } } } };
  expect((await ask(`/compare?workspace_id=${mine}`, changes)).body).toMatchObject({
    code: "other_workspace",
  });
  headers = await server.bearer(["operate", "write"], mine);
  expect((await ask("")).status).toBe(403);
  expect((await ask("/compare", changes)).status).toBe(403);
  headers = {};
  expect((await ask("")).status).toBe(401);
});

it("a changed limit is compared over HTTP", async () => {
  const channel = await aChannel(database.sql, workspace);
  for (let index = 0; index < 3; index++)
    await aDelivery(database.sql, workspace, channel, { now: at(index - 3) });
  const { body } = await ask("/compare", { changes: { limits: { "telegram/bot": { rate_rps: 0.1 } } } });
  expect(body).toMatchObject({
    counts: { earlier: 0, later: 2, never: 0, again: 0, same: 1 },
    items: [
      {
        change: "later",
        before: { at: now.toISOString() },
        after: { at: at(10.1).toISOString(), reason: "rate_gate" },
      },
      { change: "later", after: { at: at(20.2).toISOString() } },
    ],
  });
});

it.each([
  ["?to=2026-11-14T00:00:00Z", "/to"],
  ["?from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z", "/to"],
  [`?to=${at(36 * 86_400).toISOString()}`, "/to"],
  ["?from=tomorrow", "/from"],
])("the plan refuses %s", async (query, pointer) => {
  expect(await ask(query)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
});

it.each([
  [{}, "/changes"],
  [{ changes: {} }, "/changes"],
  [{ changes: { channels: { news: { rate_rps: 1 } } } }, "/changes/channels/news"],
  [
    { changes: { channels: { "00000000-0000-7000-8000-000000000001": { title: "Новости" } } } },
    "/changes/channels/00000000-0000-7000-8000-000000000001/title",
  ],
  [{ changes: { limits: { bot: { rate_rps: 1 } } } }, "/changes/limits/bot"],
])("a comparison refuses %j", async (body, pointer) => {
  const { status, body: answer } = await ask("/compare", body);
  expect(status).toBe(400);
  expect(answer).toMatchObject({ errors: [{ pointer }] });
});
