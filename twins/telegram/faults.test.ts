import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type TestClock, testClock } from "../shared/testing.ts";
import { botToken, channelId, personId, startTelegram, type TestTelegram } from "./testing.ts";

interface Entry {
  id: number;
  method: string;
  bot: string;
  chat?: string;
  status: number | string;
  fault?: string;
  created?: string[];
  request: unknown;
  response: unknown;
}

let clock: TestClock;
let telegram: TestTelegram;
beforeAll(async () => {
  clock = testClock();
  telegram = await startTelegram({ clock });
});
afterEach(async () => {
  await telegram.twins.control("DELETE", "/faults");
  await telegram.twins.control("DELETE", "/journal");
});
afterAll(() => telegram.close());

const say = (chat_id: number = channelId) => telegram.call("sendMessage", { chat_id, text: "Привет" });
const script = (fault: object, more: object = {}) =>
  telegram.twins.control<{ id: string }>("POST", "/faults", {
    provider: "telegram",
    method: "sendMessage",
    fault,
    ...more,
  });
const journal = async (query = "method=sendMessage") =>
  (await telegram.twins.control<{ entries: Entry[] }>("GET", `/journal?${query}`)).entries;
const countMessages = async () =>
  (
    await telegram.twins.control<{ messages: unknown[] }>(
      "GET",
      `/chats/telegram/${channelId}/messages?limit=500`,
    )
  ).messages.length;

test("a status is answered in the provider's shape and nothing is posted", async () => {
  const before = await countMessages();
  await script({ kind: "status", status: 429, retryAfter: 14 }, { times: 1 });
  expect(await say()).toEqual({
    ok: false,
    error_code: 429,
    description: "Too Many Requests: retry after 14",
    parameters: { retry_after: 14 },
  });
  expect(await countMessages()).toBe(before);
  expect((await say()).ok).toBe(true);
});

test.each([
  [403, undefined, "Forbidden: bot was blocked by the user"],
  [404, undefined, "Not Found"],
  [500, undefined, "Internal Server Error"],
  [502, undefined, "Bad Gateway"],
  [400, "Bad Request: chat not found", "Bad Request: chat not found"],
])("the status %i is worded as the provider words it", async (status, description, expected) => {
  await script({ kind: "status", status, ...(description && { description }) });
  expect(await say()).toEqual({ ok: false, error_code: status, description: expected });
});

test("accept-then-drop posts the message and cuts the connection", async () => {
  const before = await countMessages();
  await script({ kind: "drop_after" }, { times: 1 });
  await expect(say()).rejects.toThrow("fetch failed");
  expect(await countMessages()).toBe(before + 1);
  const [entry] = await journal();
  expect(entry).toMatchObject({ status: "dropped", fault: "drop_after", created: [expect.any(String)] });
});

test("a connection cut before the work leaves nothing", async () => {
  const before = await countMessages();
  await script({ kind: "drop_before" }, { times: 1 });
  await expect(say()).rejects.toThrow("fetch failed");
  expect(await countMessages()).toBe(before);
  expect((await journal())[0]).toMatchObject({ status: "dropped", response: null });
});

test.each([
  [false, 0],
  [true, 1],
])("a hanging call never answers (work done first: %s)", async (after, posted) => {
  const before = await countMessages();
  await script({ kind: "hang", after }, { times: 1 });
  const url = `${telegram.twins.url}/telegram/bot${botToken}/sendMessage?chat_id=${channelId}&text=a`;
  await expect(fetch(url, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  expect(await countMessages()).toBe(before + posted);
  expect((await journal())[0]).toMatchObject({ status: "hung", fault: "hang" });
});

test("a delayed call is answered later", async () => {
  await script({ kind: "delay", ms: 150 }, { times: 1 });
  const began = performance.now();
  expect((await say()).ok).toBe(true);
  expect(performance.now() - began).toBeGreaterThan(140);
});

test("a malformed answer is no JSON although the message was posted", async () => {
  const before = await countMessages();
  await script({ kind: "malformed" }, { times: 1 });
  await expect(say()).rejects.toThrow(SyntaxError);
  expect(await countMessages()).toBe(before + 1);
});

test("an answer of a byte a second begins at once, and the message was posted", async () => {
  const before = await countMessages();
  await script({ kind: "trickle" }, { times: 1 });
  const url = `${telegram.twins.url}/telegram/bot${botToken}/sendMessage?chat_id=${channelId}&text=a`;
  const leaving = new AbortController();
  const { status, body } = await fetch(url, { signal: leaving.signal });
  const { value } = (await body?.getReader().read()) ?? {};
  expect([status, value?.length]).toEqual([200, 1]);
  expect(await countMessages()).toBe(before + 1);
  leaving.abort();
});

test("a script applies only to its bot, chat and method, and only as often as it says", async () => {
  const fault = { kind: "status", status: 500 };
  await script(fault, { chat: channelId, bot: "shop_bot", times: 2 });
  expect((await say(personId)).ok).toBe(true);
  expect((await telegram.call("getMe")).ok).toBe(true);
  expect([(await say()).ok, (await say()).ok, (await say()).ok]).toEqual([false, false, true]);
  await script(fault, { bot: "1001", times: 1 });
  expect([(await say()).ok, (await say()).ok]).toEqual([false, true]);
  await script(fault, { bot: "other_bot" });
  expect((await say()).ok).toBe(true);
});

test("a script for a time ends with it, and one with probability 0 is never applied", async () => {
  await script({ kind: "status", status: 500 }, { for_ms: 10_000 });
  expect((await say()).ok).toBe(false);
  clock.advance(10_001);
  expect((await say()).ok).toBe(true);
  await script({ kind: "status", status: 500 }, { probability: 0 });
  expect((await say()).ok).toBe(true);
});

test("scripts are listed and removed by id", async () => {
  const { id } = await script({ kind: "hang" });
  const listed = await telegram.twins.control<{ faults: { id: string }[] }>("GET", "/faults");
  expect(listed.faults.map((each) => each.id)).toEqual([id]);
  await telegram.twins.control("DELETE", `/faults/${id}`);
  await expect(telegram.twins.control("DELETE", `/faults/${id}`)).rejects.toThrow("404");
});

test("the journal tells who asked what and what was answered, and never the token", async () => {
  const { result } = await say();
  await telegram.call("sendMessage", { chat_id: 5, text: "a" });
  const entries = await journal();
  expect(entries).toMatchObject([
    {
      method: "sendMessage",
      bot: "shop_bot",
      chat: String(channelId),
      status: 200,
      request: { text: "Привет" },
      created: [String(result.message_id)],
    },
    { status: 400, response: { description: "Bad Request: chat not found" } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(botToken.slice(5));
  expect(await journal(`chat=${channelId}`)).toHaveLength(1);
  expect(await journal(`after=${entries[0]?.id}`)).toHaveLength(1);
});
