import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/until.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { anEndpoint, aWorkspace } from "../../delivery/testing/builders.ts";
import { type ShopHarness, startShopHarness } from "../testing/harness.ts";

let twins: RunningTwins;
let shop: ShopHarness;

beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  // The engine is not running: only the gate in front of it is tested here.
  shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url, operators: true, start: false });
});
afterAll(async () => {
  await shop.stop();
  await twins.close();
});

let counter = 0;
const aChat = () => String(500_000 + ++counter);

function update(
  chatId: string,
  given: { mid?: string; text?: string | null; more?: object; message?: object } = {},
) {
  const { mid = `mid.${++counter}`, text = "доставка", more = {}, message = {} } = given;
  return {
    update_type: "message_created",
    timestamp: 1_794_700_000_000,
    message: {
      sender: { user_id: 42, first_name: "Ирина", is_bot: false, last_activity_time: 1 },
      recipient: { chat_id: Number(chatId), chat_type: "dialog", user_id: 900 },
      timestamp: 1_794_700_000_000,
      body: { mid, seq: 1, text, attachments: [] },
      ...message,
    },
    user_locale: "ru",
    ...more,
  };
}

async function taken(body: unknown): Promise<Record<string, unknown>> {
  const answer = await shop.deliver(body);
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

const inbox = (chatId: string) => shop.sql`
  select * from shopbot.bot_inbox where workspace_id = ${shop.workspaceId} and chat_id = ${chatId} order by seq`;

describe("the webhook's secret", () => {
  it.each([
    ["MAX's own header", () => ({ "x-max-bot-api-secret": shop.secret })],
    ["ours", () => ({ "x-molva-secret": shop.secret })],
    ["a bearer", () => ({ authorization: `Bearer ${shop.secret}` })],
  ])("is taken from %s", async (_name, headers) => {
    const answer = await shop.deliver(update(aChat()), headers());
    expect(answer.status).toBe(200);
  });

  it.each([
    ["missing", {}, 401, "missing_endpoint_secret"],
    ["blank", { "x-max-bot-api-secret": "  " }, 401, "missing_endpoint_secret"],
    ["unknown", { "x-max-bot-api-secret": "somebody-else" }, 403, "endpoint_auth_failed"],
  ])("that is %s is refused, and nothing is stored", async (_name, headers, status, code) => {
    const chatId = aChat();
    const answer = await shop.deliver(update(chatId), headers);
    expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([status, code]);
    expect(await inbox(chatId)).toHaveLength(0);
  });

  it("of a door for posts does not open this one", async () => {
    const { secret } = await anEndpoint(shop.sql, await aWorkspace(shop.sql));
    expect((await shop.deliver(update(aChat()), { "x-molva-secret": secret })).status).toBe(403);
  });
});

describe("an update of MAX", () => {
  // covers shopbot: Inbound dedup before the engine
  it("is stored once, with what came, however often it comes", async () => {
    const chatId = aChat();
    const body = update(chatId, { mid: "mid.once" });
    expect(await taken(body)).toMatchObject({ ok: true, duplicate: false, trace_id: expect.any(String) });
    expect(await taken(body)).toMatchObject({ ok: true, duplicate: true });
    const rows = await inbox(chatId);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      provider: "max",
      provider_message_id: "mid.once",
      payload: body,
      ts: new Date(1_794_700_000_000),
      processed_at: null,
      body: { kind: "message", text: "доставка", sender: { id: "42", name: "Ирина" } },
    });
  });

  // covers autoposting: Point 38
  // covers shopbot: Inbound dedup before the engine
  it("that comes twenty times at once is stored once", async () => {
    const chatId = aChat();
    const body = update(chatId, { mid: "mid.flood" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => taken(body)));
    expect(answers.filter(({ duplicate }) => duplicate === false)).toHaveLength(1);
    expect(await inbox(chatId)).toHaveLength(1);
  });

  it("with a tap is known by its callback, and by the words on the button", async () => {
    const chatId = aChat();
    const keyboard = {
      type: "inline_keyboard",
      payload: { buttons: [[{ type: "callback", text: "Оплата", payload: "rule:payment" }]] },
    };
    await taken({
      update_type: "message_callback",
      timestamp: 1_794_700_001_000,
      callback: {
        timestamp: 1_794_700_000_990,
        callback_id: `cb-${chatId}`,
        payload: "rule:payment",
        user: { user_id: 42, first_name: "Ира", is_bot: false },
      },
      message: update(chatId, {
        message: { body: { mid: "mid.menu", seq: 1, text: "?", attachments: [keyboard] } },
      }).message,
    });
    expect((await inbox(chatId))[0]).toMatchObject({
      provider_message_id: `cb-${chatId}`,
      body: { kind: "press", press: "rule:payment", label: "Оплата", pressedOn: "mid.menu" },
    });
  });

  it("that somebody started the bot is a message without words", async () => {
    const chatId = aChat();
    const started = {
      update_type: "bot_started",
      timestamp: 1_794_700_000_000,
      chat_id: Number(chatId),
      user: { user_id: 7, first_name: "Пётр", is_bot: false },
    };
    expect(await taken(started)).toMatchObject({ duplicate: false });
    expect(await taken(started)).toMatchObject({ duplicate: true });
    expect((await inbox(chatId))[0]).toMatchObject({ body: { kind: "start" } });
  });

  it("with a photo and no words keeps what was attached", async () => {
    const chatId = aChat();
    const photo = { type: "image", payload: { photo_id: 1, token: "t", url: "https://i.oneme.ru/x" } };
    await taken(
      update(chatId, {
        message: { body: { mid: `mid.p${chatId}`, seq: 1, text: null, attachments: [photo] } },
      }),
    );
    expect((await inbox(chatId))[0]).toMatchObject({
      body: { text: "", attachments: [{ type: "image", url: "https://i.oneme.ru/x" }] },
    });
  });

  it("that corrects a message changes what will be answered, while it still waits", async () => {
    const chatId = aChat();
    await taken(update(chatId, { mid: `mid.e${chatId}`, text: "дотсавка" }));
    const edit = update(chatId, {
      mid: `mid.e${chatId}`,
      text: "доставка",
      more: { update_type: "message_edited" },
    });
    expect(await taken(edit)).toEqual({ ok: true, corrected: true });
    expect((await inbox(chatId))[0]).toMatchObject({ body: { text: "доставка" } });
    await shop.sql`update shopbot.bot_inbox set processed_at = now() where chat_id = ${chatId}`;
    expect(await taken(edit)).toEqual({ ok: true, corrected: false });
    expect(await inbox(chatId)).toHaveLength(1);
  });

  it.each([
    [
      "of the bot's own or another bot's message",
      () => update(aChat(), { message: { sender: { user_id: 1, is_bot: true } } }),
      "written by a bot",
    ],
    [
      "of a group",
      () => update(aChat(), { message: { recipient: { chat_id: -5, chat_type: "chat" } } }),
      "written in a group",
    ],
    [
      "of a button under a deleted message",
      () => ({
        update_type: "message_callback",
        timestamp: 1,
        callback: { timestamp: 1, callback_id: "x", payload: "y", user: { user_id: 1 } },
        message: null,
      }),
      "a button of a deleted message",
    ],
    [
      "that says nothing to answer",
      () => ({ update_type: "bot_stopped", timestamp: 1, chat_id: 5, user: { user_id: 1 } }),
      "nothing to answer",
    ],
    [
      "of a kind that does not exist yet",
      () => ({ update_type: "reaction_added", timestamp: 1 }),
      "nothing to answer",
    ],
  ])("%s is answered with 200 and ignored", async (_name, body, reason) => {
    expect(await taken(body())).toEqual({ ok: true, ignored: reason });
  });

  it("in the operators' own group is taken", async () => {
    const message = { recipient: { chat_id: Number(shop.operatorsChatId), chat_type: "chat" } };
    expect(await taken(update(aChat(), { message }))).toMatchObject({ duplicate: false });
  });
});

describe("the flat form", () => {
  it("is enough for a message; a missing id or trace is made up", async () => {
    const chatId = aChat();
    expect(await taken({ provider: "max", chat_id: chatId, text: "оплата" })).toMatchObject({
      duplicate: false,
    });
    const flat = {
      provider: "max",
      chat_id: chatId,
      provider_message_id: "m-1",
      text: "оплата",
      trace_id: "t-1",
    };
    expect(await taken(flat)).toMatchObject({ ok: true, duplicate: false, trace_id: "t-1" });
    expect(await taken(flat)).toMatchObject({ duplicate: true });
    expect((await inbox(chatId)).map(({ provider_message_id }) => provider_message_id)).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      "m-1",
    ]);
  });

  it("keeps ids of different chats apart", async () => {
    for (const chatId of [aChat(), aChat()])
      expect(
        await taken({ provider: "max", chat_id: chatId, provider_message_id: "same", text: "?" }),
      ).toMatchObject({
        duplicate: false,
      });
  });
});

describe("bad input", () => {
  it.each([
    ["no JSON", "{", 400, "invalid_json"],
    [
      "an update without its message",
      { update_type: "message_created", timestamp: 1 },
      400,
      "invalid_request",
    ],
    ["the flat form without a chat", { provider: "max", text: "?" }, 400, "invalid_request"],
    ["an unknown provider", { provider: "icq", chat_id: "1", text: "?" }, 400, "invalid_request"],
    ["a list", [], 400, "invalid_request"],
  ])("%s is refused in words", async (_name, body, status, code) => {
    const answer = await shop.deliver(body);
    const said = JSON.parse(await answer.text());
    expect([answer.status, said.code]).toEqual([status, code]);
  });

  // covers shopbot: Bad input
  it("a megabyte of text is refused by its size, on record", async () => {
    const chatId = aChat();
    const answer = await shop.deliver({ provider: "max", chat_id: chatId, text: "а".repeat(1024 * 1024) });
    expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([413, "ingress_payload_rejected"]);
    expect(await inbox(chatId)).toHaveLength(0);
    const events = await shop.sql`
      select action from workspaces.events where workspace_id = ${shop.workspaceId} and action = 'ingress_payload_rejected'`;
    expect(events.length).toBeGreaterThan(0);
  });

  it("text with NUL and half characters is stored without them", async () => {
    const chatId = aChat();
    await taken({ provider: "max", chat_id: chatId, text: "дос\u0000тавка \ud83d" });
    expect((await inbox(chatId))[0]).toMatchObject({ body: { text: "доставка \ufffd" } });
  });

  it("a text, a name or a button is never cut in the middle of a character", async () => {
    const chatId = aChat();
    const sender = { user_id: 42, first_name: `И${"😀".repeat(200)}` };
    await taken(update(chatId, { text: `д${"😀".repeat(3_000)}`, message: { sender } }));
    await taken(update(chatId, { text: `д${"😀".repeat(3_000)}` }));
    const [first, second] = await inbox(chatId);
    expect(first?.body.sender.name).toBe(`И${"😀".repeat(99)}`);
    expect(second?.body.text).toBe(`д${"😀".repeat(1_999)}`);
    const press = {
      callback_id: `cb.${chatId}`,
      payload: `а${"😀".repeat(700)}`,
      user: sender,
      timestamp: 1,
    };
    const pressed = { ...update(chatId), update_type: "message_callback", callback: press };
    await taken(pressed);
    expect((await inbox(chatId)).at(-1)?.body.press).toBe(`а${"😀".repeat(511)}`);
  });

  it.each([8.64e15, -8.64e15, 253_402_300_800_000, -1, 1e300])(
    "a time that cannot be one (%d) gives way to that of the acceptance",
    async (timestamp) => {
      const chatId = aChat();
      const whole = update(chatId);
      await taken({ ...whole, message: { ...whole.message, timestamp } });
      const [row] = await inbox(chatId);
      expect(row?.ts).toEqual(row?.received_at);
    },
  );

  it("ids and kinds that no database holds are taken without what it does not hold", async () => {
    const chatId = aChat();
    const attachments = [{ type: "im\u0000age\ud800", payload: { url: "https://shop.test/1.jpg" } }];
    const link = { type: "reply", message: { mid: "mid.\u00001" } };
    const body = { mid: `mid\u0000.${chatId}`, seq: 1, text: "вот", attachments };
    await taken(update(chatId, { message: { body, link } }));
    expect((await inbox(chatId))[0]).toMatchObject({
      provider_message_id: `mid.${chatId}`,
      body: { replyTo: "mid.1", attachments: [{ type: "image\ufffd" }] },
    });
    await taken({ ...update(chatId, { message: { body } }), update_type: "message_edited" });
    await taken({ provider: "max", chat_id: `${chatId}\u0000`, text: "доставка" });
    expect((await shop.deliver({ provider: "max", chat_id: "\u0000", text: "доставка" })).status).toBe(400);
  });

  // covers shopbot: Bad input
  it("what no database holds in names, and parts nested without end, are left out of what is kept", async () => {
    const chatId = aChat();
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const whole = JSON.stringify({ ...update(chatId), "na\u0000me": "val\u0000ue" });
    await taken(`${whole.slice(0, -1)},"deep":${deep}}`);
    const [row] = await inbox(chatId);
    expect(row?.payload).toMatchObject({ name: "value", deep: [[[expect.anything()]]] });
    expect(JSON.stringify(row?.payload.deep)).toHaveLength(2 * 63 + 4);
  });

  // covers shopbot: Bad input
  it("one bad update among many that come at once fails alone", async () => {
    const chatId = aChat();
    const timeless = { ...update(chatId, { mid: "mid.never" }), message: undefined };
    const answers = await Promise.all(
      [update(chatId, { mid: "mid.good-1" }), timeless, update(chatId, { mid: "mid.good-2" })].map((body) =>
        shop.deliver(body),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(await inbox(chatId)).toHaveLength(2);
  });

  it("a workspace without a bot says how to get one", async () => {
    const { secret } = await anEndpoint(shop.sql, await aWorkspace(shop.sql));
    await shop.sql`update delivery.workspace_endpoints set kind = 'bot_webhook'
      where secret_hash = encode(sha256(${secret}::bytea), 'hex')`;
    const answer = await shop.deliver(update(aChat()), { "x-molva-secret": secret });
    expect(answer.status).toBe(409);
    expect(JSON.parse(await answer.text()).detail).toContain("molva bot setup");
  });

  it("updates faster than the door allows wait, and the provider brings them again", async () => {
    await shop.sql`update delivery.workspace_endpoints set ingress_rps = 1 where workspace_id = ${shop.workspaceId}`;
    const answers = await Promise.all([1, 2, 3].map(() => shop.deliver(update(aChat()))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    await shop.sql`update delivery.workspace_endpoints set ingress_rps = 0 where workspace_id = ${shop.workspaceId}`;
  });
});

describe("the twin of MAX", () => {
  // covers shopbot: Production mode is the webhook
  it("delivers to this webhook with the subscription's secret, also twice", async () => {
    await shop.control("PATCH", "/max/options", { duplicate_updates: 1 });
    const chatId = await shop.open();
    const rows = await eventually(
      () => inbox(chatId),
      (seen) => seen.length > 0,
    );
    expect(rows).toHaveLength(1);
    const { entries } = await shop.control("GET", `/journal?provider=max&method=webhook&bot=${shop.botName}`);
    const statuses = entries.map(({ status }: { status: number }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
  });
});
