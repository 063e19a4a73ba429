import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { deliveryRoutes } from "../delivery-routes.ts";
import { createPayloadStore } from "../payloads/payload-store.ts";
import { aChannel, anEndpoint, aWorkspace, enqueue, type TestEndpoint } from "../testing/builders.ts";
import { aConnection, publish, told } from "./testing/addressed-queue.ts";

const clock = manualClock(new Date("2026-11-15T12:00:00Z"));
let database: TestDatabase;
let server: TestHttpServer;
let workspace: string;
let endpoint: TestEndpoint;
beforeAll(async () => {
  database = await databaseWithJobs();
  const { sql } = database;
  const nowhere = "http://127.0.0.1:9";
  const platforms = createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere });
  const storage = createStorage({ folder: "/nowhere", urlBase: nowhere, secret: "s", clock });
  const payloads = createPayloadStore({ sql, storage, vault: createVault([generateKey()], clock), clock });
  server = await startTestHttpServer({
    sql,
    clock,
    modules: [
      deliveryRoutes({
        sql,
        platforms,
        clock,
        metrics: createMetrics(),
        payloads,
        credentials: { token: async () => undefined },
      }),
    ],
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  endpoint = await anEndpoint(database.sql, workspace);
});

async function ingest(body: unknown) {
  const headers = { "x-molva-secret": endpoint.secret };
  const response = await server.call("/api/v1/ingest", { method: "POST", headers, body });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const to = (...channel_ids: unknown[]) => ({ payload: { text: "Пост" }, channel_ids });

const reached = async () =>
  (
    await database.sql<{ channel_id: string }[]>`
      select channel_id from delivery.deliveries where workspace_id = ${workspace} order by created_at, delivery_id`
  ).map(({ channel_id }) => channel_id);

describe("a post that names its channels", () => {
  // covers addressed: Named channels, all or none
  it("goes to these and to no others, whatever their filters say", async () => {
    const { sql } = database;
    const named = await aChannel(sql, workspace, { route_filter: { include_any: ["спорт"] } });
    await aChannel(sql, workspace);
    expect(await ingest(to(named))).toMatchObject({ status: 200, body: { queued: 1 } });
    expect(await reached()).toEqual([named]);
  });

  // covers addressed: Named channels, all or none
  it("goes through the SQL door alike", async () => {
    const { sql } = database;
    const named = await aChannel(sql, workspace, { route_filter: { include_any: ["спорт"] } });
    await aChannel(sql, workspace);
    const raw = to(named);
    await sql`select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'push', ${JSON.stringify(raw)}::text::jsonb)`;
    expect(await reached()).toEqual([named]);
    const bad = to(named, randomUUID());
    await expect(
      sql`select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'push', ${JSON.stringify(bad)}::text::jsonb)`.execute(),
    ).rejects.toThrow("/channel_ids/1 There is no channel");
    expect(await reached()).toEqual([named]);
  });

  it.each([
    ["an empty list", [], "/channel_ids"],
    ["what is no id", ["новости"], "/channel_ids/0"],
    ["a number", [7], "/channel_ids/0"],
  ])("is refused with %s, over HTTP and in SQL", async (_, ids, pointer) => {
    const answer = await ingest(to(...ids));
    expect(answer).toMatchObject({ status: 400, body: { errors: [expect.objectContaining({ pointer })] } });
    await expect(
      database.sql`select delivery.enqueue_messages_and_deliveries(
        ${workspace}, null, 'push', ${JSON.stringify(to(...ids))}::text::jsonb)`.execute(),
    ).rejects.toThrow("/channel_ids must hold the ids of 1 to 100 channels");
  });

  // covers addressed: Named channels, all or none
  it("is refused as a whole with a pointer to each channel that is unknown, foreign, disabled or a connection", async () => {
    const { sql } = database;
    const good = await aChannel(sql, workspace);
    const unknown = randomUUID();
    const foreign = await aChannel(sql, await aWorkspace(sql));
    const disabled = await aChannel(sql, workspace, { enabled: false });
    const connection = await aConnection(sql, workspace);
    const { status, body } = await ingest(to(unknown, good, foreign, disabled, connection));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: "/channel_ids/0", detail: `There is no channel ${unknown} in this workspace.` },
      { pointer: "/channel_ids/2", detail: `There is no channel ${foreign} in this workspace.` },
      { pointer: "/channel_ids/3", detail: expect.stringContaining("is disabled") },
      { pointer: "/channel_ids/4", detail: expect.stringContaining("only the product it belongs to") },
    ]);
    expect(await reached()).toEqual([]);
    const messages = await sql`select from delivery.messages where workspace_id = ${workspace}`;
    expect(messages).toHaveLength(0);
  });

  // covers addressed: Named channels, all or none
  it("is refused with the pointer, too, when a channel is switched off between compiling and storing", async () => {
    const { sql } = database;
    const named = await aChannel(sql, workspace);
    await sql`create or replace function molva.switched_off() returns trigger language plpgsql as $$
      begin update delivery.channels set enabled = false where workspace_id = new.workspace_id; return new; end $$`;
    await sql`create or replace trigger switched_off before insert on delivery.ingress_receipts
      for each row execute function molva.switched_off()`;
    const answer = await ingest({ ...to(named), source_ref: "a" });
    await sql`drop trigger switched_off on delivery.ingress_receipts`;
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/channel_ids/0", detail: expect.stringContaining("is disabled") }] },
    });
    // Everything was rolled back, so the sender may retry with the same reference.
    await sql`update delivery.channels set enabled = true where channel_id = ${named}`;
    expect(await ingest({ ...to(named), source_ref: "a" })).toMatchObject({
      status: 200,
      body: { queued: 1 },
    });
  });

  // covers addressed: A repeat is known by its run and step
  it("is no repeat because of its content; the sender's own reference makes it one", async () => {
    const named = await aChannel(database.sql, workspace);
    for (let time = 0; time < 2; time++)
      expect(await ingest(to(named))).toMatchObject({ body: { queued: 1, deduped: 0, skipped_inflight: 0 } });
    const referred = { ...to(named), source_ref: "42" };
    expect(await ingest(referred)).toMatchObject({ body: { queued: 1 } });
    expect(await ingest(referred)).toMatchObject({ body: { dropped: true } });
    expect(await reached()).toEqual([named, named, named]);
  });

  it("promises nothing to anybody, so that its end is no job", async () => {
    const named = await aChannel(database.sql, workspace, { send_mode: "media" });
    expect(await ingest(to(named))).toMatchObject({ body: { failed_permanent: 1 } });
    expect(await told(database.sql, workspace)).toEqual([]);
  });
});

describe("a connection", () => {
  // covers addressed: Only its owner addresses a connection
  it("takes nothing that is routed, and a sender is not told of it among the channels that pass it by", async () => {
    const { sql } = database;
    await aConnection(sql, workspace);
    expect(await enqueue(sql, workspace, "Всем")).toMatchObject({ queued: 0 });
    expect(await ingest({ payload: { text: "Никому" } })).toMatchObject({
      status: 200,
      body: { queued: 0, unrouted: { channels: 0, because: [] } },
    });
    expect(await reached()).toEqual([]);
  });

  it("takes posts of its product for its owner, and the rest of the post is checked as any other", async () => {
    const { sql } = database;
    const connection = await aConnection(sql, workspace, { user: "1" });
    expect(await publish(sql, workspace, [connection], clock)).toMatchObject({
      repeated: false,
      deliveries: [{ channel_id: connection, status: "queued" }],
    });
    expect(await publish(sql, workspace, [connection], clock, { text: " " })).toMatchObject({
      faults: [{ pointer: "/payload" }],
    });
  });

  // covers addressed: Only its owner addresses a connection
  it("is addressed neither for another user, nor in another workspace, nor together with a channel of the workspace", async () => {
    const { sql } = database;
    const own = await aConnection(sql, workspace, { user: "1" });
    const others = await aConnection(sql, workspace, { user: "2" });
    const foreign = await aConnection(sql, await aWorkspace(sql), { user: "1" });
    const routed = await aChannel(sql, workspace);
    const answer = await publish(sql, workspace, [own, others, foreign, routed], clock, { user: "1" });
    expect(answer).toEqual({
      faults: [
        { pointer: "/channel_ids/1", detail: expect.stringContaining("belongs to somebody else") },
        { pointer: "/channel_ids/2", detail: expect.stringContaining("There is no channel") },
        { pointer: "/channel_ids/3", detail: expect.stringContaining("no connection of this product") },
      ],
    });
    expect(await reached()).toEqual([]);
    expect(await told(sql, workspace)).toEqual([]);
  });

  // covers addressed: Only its owner addresses a connection
  it("is not addressed by a post that claims a product's promise in its own body", async () => {
    const connection = await aConnection(database.sql, workspace, { user: "1" });
    const forged = {
      ...to(connection),
      promise: { product: "press", user: "1", run: "r", step: "s", task: "t" },
    };
    expect(await ingest(forged)).toMatchObject({ status: 400 });
    expect(await reached()).toEqual([]);
  });

  // covers addressed: A repeat is known by its run and step
  it("gets every post of its own step, each once, when a post goes to several at once", async () => {
    const { sql } = database;
    const [one, other] = [await aConnection(sql, workspace), await aConnection(sql, workspace)];
    const answer = await publish(sql, workspace, [one, other], clock, { step: "both" });
    const both = [one, other].map((channel_id) => expect.objectContaining({ channel_id }));
    expect(answer).toMatchObject({ deliveries: expect.arrayContaining(both) });
    expect(await publish(sql, workspace, [one], clock, { step: "both" })).toEqual({
      ...answer,
      repeated: true,
    });
    expect((await reached()).toSorted()).toEqual([one, other].toSorted());
  });
});
