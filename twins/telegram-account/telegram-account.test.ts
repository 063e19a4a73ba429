import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TwinsSettings } from "../server.ts";
import { startTestTwins, type TestClock, type TestTwins, testClock } from "../shared/testing.ts";

const device = { deviceModel: "PC", systemVersion: "1", appVersion: "1", langCode: "ru" };
const minute = 60_000;

let clock: TestClock;
let twins: TestTwins;
let people = 0;
beforeEach(async () => {
  clock = testClock();
  twins = await startTestTwins({ clock, rateLimits: true });
});
afterEach(() => twins.close());

/** A client: the key it signed in with, and its connection's name. */
interface Client {
  readonly phone: string;
  readonly userId: number;
  call(method: string, params?: unknown, client?: string): Promise<Answer>;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is what the test looks at
  body: any;
}

async function post(method: string, params: unknown, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${twins.url}/telegram-account/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(params),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function signedIn(given: Record<string, unknown> = {}): Promise<Client> {
  people += 1;
  const phone = `+7902${String(1_000_000 + people)}`;
  const { userId } = await twins.control<{ userId: number }>("POST", "/telegram-account/accounts", {
    ...{ phone, name: "Анна", ...given },
  });
  const { key } = await twins.control<{ key: string }>(
    "POST",
    `/telegram-account/accounts/${phone}/sessions`,
  );
  const call: Client["call"] = (method, params = {}, client = "one") =>
    post(method, params, { authorization: `Bearer ${key}`, "x-client": client });
  return { phone, userId, call };
}

async function chatWith({ phone, call }: Client, given: Record<string, unknown> = {}) {
  const { id } = await twins.control<{ id: number }>("POST", "/telegram-account/chats", {
    ...{ title: "Аренда", members: [{ phone }], ...given },
  });
  const { body } = await call("getDialogs");
  const { accessHash } = body.chats.find((chat: { id: number }) => chat.id === id);
  return { id, accessHash };
}

let lastRandom = 0;
const message = (peer: unknown, more: object = {}) => {
  lastRandom += 1;
  return { peer, text: "Сдаётся", randomId: String(lastRandom), ...more };
};
const refused = (code: number, text: string, seconds?: number) => ({
  status: code,
  body: { error: { code, text, ...(seconds !== undefined && { seconds }) } },
});

describe("floods", () => {
  test("too many messages in a minute begin a wait, which lasts, and the next one is twice as long", async () => {
    const client = await signedIn({ limits: { sendsPerMinute: 2, floodSeconds: 30 } });
    const peer = await chatWith(client);
    const send = () => client.call("sendText", message(peer));
    await send();
    await send();
    expect(await send()).toEqual(refused(420, "FLOOD_WAIT_%d", 30));
    clock.advance(10_000);
    expect(await send()).toEqual(refused(420, "FLOOD_WAIT_%d", 20));
    clock.advance(60_000);
    await send();
    await send();
    expect(await send()).toEqual(refused(420, "FLOOD_WAIT_%d", 60));
    clock.advance(25 * 60 * minute);
    await send();
    await send();
    expect(await send()).toEqual(refused(420, "FLOOD_WAIT_%d", 30));
  });

  test("a wait of one method and one account holds no other", async () => {
    const client = await signedIn();
    const other = await signedIn();
    const peer = await chatWith(client, { members: [{ phone: client.phone }, { phone: other.phone }] });
    await twins.control("POST", `/telegram-account/accounts/${client.phone}/trouble`, {
      ...{ kind: "flood", method: "join", seconds: 600 },
    });
    await twins.control("POST", "/telegram-account/chats", { username: "open_chat" });
    const { body } = await client.call("resolveUsername", { username: "open_chat" });
    const target = { peer: { id: body.id, accessHash: body.accessHash } };
    expect(await client.call("joinChat", target)).toEqual(refused(420, "FLOOD_WAIT_%d", 600));
    expect((await client.call("sendText", message(peer))).status).toBe(200);
    expect((await other.call("getDialogs")).body.chats).toHaveLength(1);
  });

  test("names are resolved so many times a day, then not for many hours", async () => {
    const client = await signedIn({ limits: { resolvesPerDay: 2 } });
    const resolve = () => client.call("resolveUsername", { username: "nobody_here" });
    expect(await resolve()).toEqual(refused(400, "USERNAME_NOT_OCCUPIED"));
    await resolve();
    expect(await resolve()).toEqual(refused(420, "FLOOD_WAIT_%d", 30_000));
  });

  test("writing to strangers ends in PEER_FLOOD, which sticks for a day; contacts are no strangers", async () => {
    const ids = [900_001, 900_002, 900_003];
    const client = await signedIn({ limits: { strangersPerDay: 2 }, contacts: [900_003] });
    for (const id of ids)
      await twins.control("POST", "/telegram-account/chats", {
        id,
        type: "private",
        username: `person_${id}`,
      });
    const write = async (id: number) => {
      const { body } = await client.call("resolveUsername", { username: `person_${id}` });
      return client.call("sendText", message({ id, accessHash: body.accessHash }));
    };
    const [first = 0, second = 0, contact = 0] = ids;
    expect((await write(contact)).status).toBe(200);
    expect((await write(first)).status).toBe(200);
    expect((await write(first)).status).toBe(200);
    expect((await write(second)).status).toBe(200);
    await twins.control("POST", "/telegram-account/chats", {
      id: 900_004,
      type: "private",
      username: "person_900004",
    });
    expect(await write(900_004)).toEqual(refused(400, "PEER_FLOOD"));
    expect(await write(contact)).toEqual(refused(400, "PEER_FLOOD"));
    clock.advance(24 * 60 * minute + 1);
    expect((await write(contact)).status).toBe(200);
  });
});

describe("sessions", () => {
  test("a key is burnt when a connection comes back after another has taken over", async () => {
    const client = await signedIn();
    expect((await client.call("getMe", {}, "one")).status).toBe(200);
    expect((await client.call("getMe", {}, "two")).status).toBe(200);
    expect(await client.call("getMe", {}, "one")).toEqual(refused(406, "AUTH_KEY_DUPLICATED"));
    expect(await client.call("getMe", {}, "two")).toEqual(refused(406, "AUTH_KEY_DUPLICATED"));
  });

  test("a connection that said goodbye may come back", async () => {
    const client = await signedIn();
    for (const name of ["one", "two", "one"]) {
      expect((await client.call("getMe", {}, name)).status).toBe(200);
      await client.call("disconnect", {}, name);
    }
  });

  test("unknown, revoked, frozen, deleted and banned say so in Telegram's words", async () => {
    const stranger = { authorization: "Bearer nothing", "x-client": "one" };
    expect(await post("getMe", {}, stranger)).toEqual(refused(401, "AUTH_KEY_UNREGISTERED"));
    const revoked = await signedIn();
    await twins.control("POST", `/telegram-account/accounts/${revoked.phone}/trouble`, { kind: "revoke" });
    expect(await revoked.call("getMe")).toEqual(refused(401, "SESSION_REVOKED"));
    const frozen = await signedIn();
    const peer = await chatWith(frozen);
    await twins.control("POST", `/telegram-account/accounts/${frozen.phone}/trouble`, { kind: "freeze" });
    expect((await frozen.call("getDialogs")).status).toBe(200);
    expect(await frozen.call("sendText", message(peer))).toEqual(refused(420, "FROZEN_METHOD_INVALID"));
    for (const [state, text] of [
      ["deleted", "USER_DEACTIVATED"],
      ["banned", "USER_DEACTIVATED_BAN"],
    ] as const) {
      const client = await signedIn();
      await twins.control("PATCH", `/telegram-account/accounts/${client.phone}`, { state });
      expect(await client.call("getMe")).toEqual(refused(401, text));
    }
  });

  test("a code is only good on the key that asked for it", async () => {
    const { phone } = await signedIn();
    const { body: made } = await post("connect", { device }, {});
    const { body: other } = await post("connect", { device }, {});
    const as = (key: string) => ({ authorization: `Bearer ${key}`, "x-client": "c" });
    const { body: sent } = await post("sendCode", { phone }, as(made.key));
    const { codes } = await twins.control<{ codes: string[] }>("GET", `/telegram-account/accounts/${phone}`);
    const step = { phone, codeHash: sent.codeHash, code: codes[0] };
    expect(await post("signIn", step, as(other.key))).toEqual(refused(400, "PHONE_CODE_EXPIRED"));
    expect((await post("signIn", step, as(made.key))).status).toBe(200);
  });
});

describe("chats", () => {
  test("a number without the account's own access hash opens nothing", async () => {
    const client = await signedIn();
    const other = await signedIn();
    const peer = await chatWith(client);
    expect(await other.call("sendText", message(peer))).toEqual(refused(400, "PEER_ID_INVALID"));
  });

  test("outside a public group it may not write, outside a private one it sees nothing", async () => {
    const client = await signedIn();
    const { id } = await twins.control<{ id: number }>("POST", "/telegram-account/chats", {
      username: "open_chat",
    });
    const { body } = await client.call("resolveUsername", { username: "open_chat" });
    const peer = { id, accessHash: body.accessHash };
    expect(await client.call("sendText", message(peer))).toEqual(refused(403, "CHAT_GUEST_SEND_FORBIDDEN"));
    await twins.control("PATCH", `/telegram-account/chats/${id}`, { username: null });
    expect(await client.call("sendText", message(peer))).toEqual(refused(400, "CHANNEL_PRIVATE"));
  });

  test("random ids are an account's own, and no album shares one", async () => {
    const [anna, boris] = [await signedIn(), await signedIn()];
    const members = [{ phone: anna.phone }, { phone: boris.phone }];
    const { id } = await chatWith(anna, { members });
    const hashOf = async (client: Client) => (await client.call("getDialogs")).body.chats[0].accessHash;
    for (const client of [anna, boris]) {
      const peer = { id, accessHash: await hashOf(client) };
      expect((await client.call("sendText", message(peer, { randomId: "7" }))).status).toBe(200);
      expect(await client.call("sendText", message(peer, { randomId: "7" }))).toEqual(
        refused(500, "RANDOM_ID_DUPLICATE"),
      );
    }
  });

  test("entities must lie within the text and links must be links", async () => {
    const client = await signedIn();
    const peer = await chatWith(client);
    const marked = (entity: object) => client.call("sendText", message(peer, { entities: [entity] }));
    expect(await marked({ type: "bold", offset: 3, length: 9 })).toEqual(
      refused(400, "ENTITY_BOUNDS_INVALID"),
    );
    expect(await marked({ type: "text_link", offset: 0, length: 2, url: "тут" })).toEqual(
      refused(400, "ENTITY_TEXTURL_INVALID"),
    );
  });
});

test("everything is remembered across a restart, and shown on the page with who wrote it", async () => {
  const home = await mkdtemp(join(tmpdir(), "molva-account-twin-"));
  const settings: Partial<TwinsSettings> = { clock, home };
  await twins.close();
  twins = await startTestTwins(settings);
  const client = await signedIn({ name: "Анна Петрова" });
  const peer = await chatWith(client, { slow_mode_seconds: 600 });
  await client.call("sendText", message(peer, { randomId: "1" }));
  await twins.close();
  twins = await startTestTwins(settings);
  expect(await client.call("sendText", message(peer, { randomId: "1" }))).toEqual(
    refused(500, "RANDOM_ID_DUPLICATE"),
  );
  expect(await client.call("sendText", message(peer))).toEqual(refused(420, "SLOWMODE_WAIT_%d", 600));
  const { chats } = await twins.control<{ chats: object[] }>("GET", "/chats");
  expect(chats).toContainEqual(
    expect.objectContaining({
      ...{ provider: "telegram-account", title: "Аренда", kind: "group", count: 1 },
      last: { text: "Анна Петрова: Сдаётся", at: clock.now() },
    }),
  );
  await twins.control("POST", "/reset");
  expect(await client.call("getMe")).toEqual(refused(401, "AUTH_KEY_UNREGISTERED"));
  await rm(home, { recursive: true });
});
