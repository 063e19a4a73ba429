import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DoorHarness, monday, startDoorHarness } from "../../../tests/support/account-doors.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { aChannel } from "../../delivery/testing/builders.ts";
import { postDueObjects } from "./post-due-objects.ts";

let harness: DoorHarness;
let call: DoorHarness["call"];
let everything: string;

beforeAll(async () => {
  harness = await startDoorHarness(await testDatabase());
  call = harness.call;
  everything = await aChannel(harness.sql, harness.workspaceId, { title: "Всё подряд" });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  harness.clock.set(monday);
  await harness.sql`update accounts.autopublish set enabled = false`;
  await harness.sql`update accounts.chats set is_active = false where owner_type = 'bot'`;
});

const flat = { room_type: "2-комнатная", districts: ["Хамовники"], price: 90_000 };

/** A channel of a bot that takes objects by these filters. */
async function aBotChat(filters: Record<string, unknown>) {
  const route_filter = { include_any: ["objects"] };
  const channel = await aChannel(harness.sql, harness.workspaceId, { title: "Квартиры", route_filter });
  const made = await call("POST", "/chats", { channel_id: channel, filters }, "admin");
  expect(made.status).toBe(201);
  return { id: made.body.id as string, channel };
}

const anObject = (fields: Record<string, unknown> = flat) => harness.records.anObject({ fields });
const through = (object: string, body: unknown = { bot_enabled: true, enabled: true }, as?: "admin") =>
  call("PUT", `/objects/${object}/autopublish`, body, as);
const due = () => postDueObjects({ ...harness.deps.bots, log: harness.deps.log });

async function deliveriesTo(channel: string) {
  return harness.sql<{ delivery_id: string; status: string; not_before: Date; rendered_text: string }[]>`
    select delivery_id, status, not_before, rendered_text from delivery.deliveries
    where channel_id = ${channel} order by created_at, delivery_id`;
}

async function sendAll(): Promise<void> {
  const { sql, clock } = harness;
  const token = "test";
  const now = clock.now();
  await sql`update delivery.deliveries set status = 'claimed', claim_token = ${token}, claimed_at = ${now} where status = 'queued'`;
  await sql`update delivery.deliveries set status = 'sending', sending_started_at = ${now} where status = 'claimed'`;
  await sql`
    update delivery.deliveries set status = 'sent', claim_token = null, sent_at = ${now}, provider_message_id = '55'
    where status = 'sending'`;
}

describe("an object that bots publish", () => {
  it("goes to every chat whose filters let it through, and nowhere else", async () => {
    const common = await aBotChat({ common: true });
    const rooms = await aBotChat({ room_types: ["2-комнатная"], price_max: 100_000 });
    const north = await aBotChat({ districts: ["САО"] });
    const none = await aBotChat({});
    const object = await anObject();
    const saved = await through(object);
    expect(saved.body.bots).toEqual({ chats: 2, at: monday.toISOString() });
    expect(await deliveriesTo(common.channel)).toMatchObject([{ status: "queued", not_before: monday }]);
    expect(await deliveriesTo(rooms.channel)).toHaveLength(1);
    for (const channel of [north.channel, none.channel, everything])
      expect(await deliveriesTo(channel)).toEqual([]);
    const queue = (await call("GET", `/queue?type=bot&object_id=${object}`)).body.items;
    expect(queue).toMatchObject([
      { type: "bot", status: "pending", account_id: null },
      { type: "bot", status: "pending" },
    ]);
    expect((await call("GET", `/queue?object_id=${object}&limit=1`)).body.next).not.toBeNull();
  });

  it("is looked for in the districts that its own belong to", async () => {
    const centre = await aBotChat({ districts: ["ЦАО"] });
    const object = await anObject();
    expect((await through(object)).body.bots.chats).toBe(0);
    await call("PATCH", "/settings", { districts: { Хамовники: "ЦАО" } }, "admin");
    expect((await through(object)).body.bots.chats).toBe(1);
    expect(await deliveriesTo(centre.channel)).toHaveLength(1);
    await call("PATCH", "/settings", { districts: { Хамовники: null } }, "admin");
  });

  // covers accounts: 17. Diagnostics match the database
  it("goes once a day: neither saving again nor the daily run brings it twice", async () => {
    const chat = await aBotChat({ common: true });
    const object = await anObject();
    await through(object);
    expect((await through(object)).body.bots.chats).toBe(0);
    expect(await due()).toBe(0);
    await sendAll();
    harness.clock.set(new Date("2026-11-17T05:00:00Z"));
    // 08:00 of the next day, and not yet 24 hours since.
    expect(await due()).toBe(0);
    harness.clock.set(new Date(monday.getTime() + 86_400_000 + 1));
    expect(await due()).toBe(1);
    expect(await due()).toBe(0);
    expect(await deliveriesTo(chat.channel)).toHaveLength(2);
    expect((await call("GET", `/history?object_id=${object}`)).body.items).toMatchObject([
      { account_id: null, chat_id: chat.id, message_id: "55" },
    ]);
    expect((await call("GET", `/chats/${chat.id}`)).body.published_count).toBe(1);
    expect((await call("GET", `/objects/${object}/life`)).body.verdict.code).toBe("planned");
  });

  it("may go again within the day when the settings let it, or when it was taken away", async () => {
    await aBotChat({ common: true });
    const object = await anObject();
    await through(object);
    await sendAll();
    harness.clock.set(new Date("2026-11-17T05:00:00Z"));
    expect(await due()).toBe(0);
    const [published] = (await call("GET", `/history?object_id=${object}`)).body.items;
    await call("PATCH", `/history/${published.id}`, { deleted: true });
    expect(await due()).toBe(1);
  });

  it("waits for the morning outside the window, unless an admin may pass it", async () => {
    const chat = await aBotChat({ common: true });
    harness.clock.set(new Date("2026-11-16T20:00:00Z"));
    const object = await anObject();
    expect((await through(object)).body.bots).toEqual({ chats: 1, at: "2026-11-17T05:00:00.000Z" });
    expect(await deliveriesTo(chat.channel)).toMatchObject([
      { not_before: new Date("2026-11-17T05:00:00Z") },
    ]);
    const other = await anObject();
    await call("PATCH", "/settings", { admin_bypass_time_limit: { enabled: true } }, "admin");
    expect((await through(other, { bot_enabled: true }, "admin")).body.bots.at).toBe(
      "2026-11-16T20:00:00.000Z",
    );
    await call("PATCH", "/settings", { admin_bypass_time_limit: { enabled: false } }, "admin");
    expect(await due()).toBe(0);
    harness.clock.set(new Date("2026-11-17T05:00:00Z"));
    expect(await due()).toBe(0);
  });

  it("that is switched off or archived is called off on its way", async () => {
    const chat = await aBotChat({ common: true });
    const object = await anObject();
    await through(object);
    expect((await through(object, { bot_enabled: false })).body).toMatchObject({ bots: null, cancelled: 1 });
    expect(await deliveriesTo(chat.channel)).toMatchObject([{ status: "failed_permanent" }]);
    const archived = await anObject();
    await through(archived);
    await call("POST", `/objects/${archived}/archive`);
    expect((await deliveriesTo(chat.channel)).map(({ status }) => status)).toEqual([
      "failed_permanent",
      "failed_permanent",
    ]);
  });
});

describe("publishing through bots by hand", () => {
  const publish = (object: string, chats: readonly string[], given: object = {}, as?: "admin" | "boris") =>
    call("POST", "/publish/bots", { object_id: object, chat_ids: chats, ...given }, as);

  it("reaches the named chats whatever their filters: all of them or none", async () => {
    const one = await aBotChat({ room_types: ["студия"] });
    const two = await aBotChat({});
    const object = await anObject();
    const missing = await publish(object, [one.id, crypto.randomUUID()]);
    expect(missing).toMatchObject({ status: 404, body: { errors: [{ pointer: "/chat_ids/1" }] } });
    expect(await deliveriesTo(one.channel)).toEqual([]);
    const done = await publish(object, [one.id, two.id]);
    expect(done).toMatchObject({ status: 201, body: { chats: 2, at: monday.toISOString() } });
    const again = await publish(object, [two.id]);
    expect(again).toMatchObject({
      status: 409,
      body: { code: "publication_duplicates", errors: [{ pointer: "/chat_ids/0" }] },
    });
    await sendAll();
    expect((await publish(object, [two.id])).status).toBe(409);
    expect((await publish(object, [two.id], {}, "boris")).body.code).toBe("not_yours");
    harness.clock.advance(86_400_000);
    expect((await publish(object, [two.id])).status).toBe(201);
    expect(await deliveriesTo(two.channel)).toHaveLength(2);
  });

  it("may repeat where the settings say so", async () => {
    const chat = await aBotChat({});
    const object = await anObject();
    await publish(object, [chat.id]);
    expect((await publish(object, [chat.id], { allow_duplicate: true }, "admin")).status).toBe(422);
    await call("PATCH", "/settings", { allow_duplicates: { manual_bot: true } }, "admin");
    expect((await publish(object, [chat.id])).status).toBe(201);
    await call("PATCH", "/settings", { allow_duplicates: { manual_bot: false } }, "admin");
    expect((await publish(await harness.records.anObject({ archived_at: monday }), [chat.id])).status).toBe(
      422,
    );
  });
});

it("a bot's chat is added to its channel's tags, once, and only to a channel that chooses its posts", async () => {
  const { channel } = await aBotChat({ common: true });
  const [row] = await harness.sql`select route_filter from delivery.channels where channel_id = ${channel}`;
  expect(row?.route_filter.include_any).toEqual(["objects", expect.stringMatching(/^chat:/)]);
  expect((await call("POST", "/chats", { channel_id: channel }, "admin")).status).toBe(409);
  const refused = await call("POST", "/chats", { channel_id: everything }, "admin");
  expect(refused.body.errors[0].pointer).toBe("/channel_id");
  expect((await call("PATCH", `/chats/${(await aBotChat({})).id}`, { is_active: false })).body.code).toBe(
    "not_yours",
  );
});
