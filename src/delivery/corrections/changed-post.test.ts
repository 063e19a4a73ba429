import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { aDelivery, allowAnyBirth } from "../deliveries/testing/a-delivery.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { correctionsRoutes } from "./corrections-route.ts";

const clock = manualClock(new Date("2026-11-15T12:00:00Z"));
const nowhere = "http://127.0.0.1:9";

let database: TestDatabase;
let server: TestHttpServer;
let workspace: string;
let delivery: string;
let message: string;
beforeAll(async () => {
  database = await testDatabase();
  await allowAnyBirth(database.sql);
  const deps = {
    ...{ sql: database.sql, clock, platforms: createPlatforms({ TELEGRAM_API_ROOT: nowhere }) },
    credentials: { ofPlatform: async () => ({ kind: "ready" as const, credential: { token: "1:x" } }) },
    providers: { request: () => Promise.reject(new Error("nobody is asked")) },
  };
  server = await startTestHttpServer({ sql: database.sql, clock, modules: [correctionsRoutes(deps)] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
/** A waiting post with a field for templates. */
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  delivery = await aDelivery(database.sql, workspace, await aChannel(database.sql, workspace));
  const [row] = await database.sql<[{ message_id: string }]>`
    update delivery.messages set payload = '{"type": "text", "text": "Было", "parse_mode": "HTML", "price": 5}'
    where workspace_id = ${workspace} returning message_id`;
  message = row.message_id;
});

async function correct(path: string, body: Record<string, unknown>) {
  const headers = await server.bearer(["operate"], workspace);
  const answer = await server.call(`/api/v1${path}/correct`, {
    headers,
    body: { reason: "опечатка", ...body },
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const revisions = async () =>
  (
    await database.sql`select payload from delivery.revisions where workspace_id = ${workspace} order by revision_id`
  ).map(({ payload }) => payload);

it("a correction of the text keeps everything else of the post, and what an earlier correction changed", async () => {
  const first = await correct(`/messages/${message}`, { changes: { text: "Стало", silent: true } });
  expect(first).toMatchObject({ status: 200, body: { changed: 1, items: [{ action: "replaced" }] } });
  clock.advance(1_000);
  await correct(`/deliveries/${delivery}`, { changes: { text: "<b>Ещё раз</b>" } });
  const kept = { type: "text", parse_mode: "HTML", price: 5, silent: true };
  expect(await revisions()).toEqual([
    { ...kept, text: "Стало" },
    { ...kept, text: "<b>Ещё раз</b>" },
  ]);
});

it("what only one channel was corrected to is not taken over by the others", async () => {
  await aDelivery(database.sql, workspace, await aChannel(database.sql, workspace), { message_id: message });
  await correct(`/deliveries/${delivery}`, { changes: { text: "Только здесь" } });
  clock.advance(1_000);
  expect(await correct(`/messages/${message}`, { changes: { silent: true } })).toMatchObject({ status: 409 });
  expect(await correct(`/messages/${message}`, { payload: { text: "Везде" } })).toMatchObject({
    status: 200,
  });
  clock.advance(1_000);
  expect(await correct(`/messages/${message}`, { changes: { silent: true } })).toMatchObject({ status: 200 });
  expect((await revisions()).at(-1)).toEqual({ type: "text", text: "Везде", silent: true });
});

it("null takes a part of the post away", async () => {
  await correct(`/messages/${message}`, { changes: { text: "Стало <3", parse_mode: null } });
  expect(await revisions()).toEqual([{ type: "text", text: "Стало <3", price: 5 }]);
});

it.each([
  ["neither a post nor changes", {}],
  ["both", { payload: { text: "а" }, changes: { text: "б" } }],
  ["changes that leave nothing to read", { changes: { text: " " } }],
])("refuses %s", async (_name, body) => {
  expect(await correct(`/messages/${message}`, body)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: "/payload" }] },
  });
  expect(await revisions()).toEqual([]);
});
