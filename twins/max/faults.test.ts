import { afterEach, beforeEach, expect, test } from "vitest";
import { channel, dialog, group, reader, startTestMax, type TestMax } from "./testing.ts";

let max: TestMax;
beforeEach(async () => {
  max = await startTestMax();
});
afterEach(() => max.close());

const script = (fault: object, more: object = {}) =>
  max.control("POST", "/faults", { provider: "max", method: "POST /messages", fault, times: 1, ...more });
const post = (text: string, to = `chat_id=${channel}`) => max.api("POST", `/messages?${to}`, { text });
const arrived = async (): Promise<string[]> => {
  const { body } = await max.api("GET", `/messages?chat_id=${channel}`);
  return body.messages.map((message: { body: { text: string } }) => message.body.text);
};

test.each([
  [400, "proto.payload"],
  [401, "verify.token"],
  [403, "chat.denied"],
  [404, "chat.not.found"],
  [429, "too.many.requests"],
  [500, "internal.error"],
  [503, "service.unavailable"],
])("a scripted %i answers %s in the provider's shape, and nothing is sent", async (status, code) => {
  await script({ kind: "status", status });
  const answer = await post("a");
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(await arrived()).toEqual([]);
  expect((await post("b")).status).toBe(200);
});

test("a scripted 429 may name a wait, which the client sees as Retry-After", async () => {
  await script({ kind: "status", status: 429, retryAfter: 7 });
  const response = await fetch(`${max.url}/max/messages?chat_id=${channel}`, { method: "POST" });
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
});

test("a dropped connection hides whether the message was sent: before it was not, after it was", async () => {
  await script({ kind: "drop_before" });
  await expect(post("до")).rejects.toThrow();
  await script({ kind: "drop_after" });
  await expect(post("после")).rejects.toThrow();
  expect(await arrived()).toEqual(["после"]);
});

test("a malformed answer comes after the work was done", async () => {
  await script({ kind: "malformed" });
  await expect(post("a")).rejects.toThrow(SyntaxError);
  expect(await arrived()).toEqual(["a"]);
});

test("a delayed answer is late and right", async () => {
  await script({ kind: "delay", ms: 200 });
  const began = performance.now();
  expect((await post("a")).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThanOrEqual(190);
});

test.each([
  [false, []],
  [true, ["a"]],
])("a hung call never answers; with after=%s what arrived is %j", async (after, texts) => {
  await script({ kind: "hang", after });
  const url = `${max.url}/max/messages?chat_id=${channel}`;
  const headers = { authorization: "max-bot-token" };
  const call = fetch(url, {
    method: "POST",
    headers,
    body: '{"text":"a"}',
    signal: AbortSignal.timeout(300),
  });
  await expect(call).rejects.toThrow();
  expect(await arrived()).toEqual(texts);
});

test("a script applies only to its chat, however the chat is named", async () => {
  await script({ kind: "status", status: 500 }, { chat: dialog, times: 2 });
  expect((await post("a")).status).toBe(200);
  expect((await post("a", `chat_id=${group}`)).status).toBe(200);
  expect((await post("a", `chat_id=${dialog}`)).status).toBe(500);
  expect((await post("a", `user_id=${reader}`)).status).toBe(500);
});

test("a script applies only to its bot", async () => {
  await max.control("POST", "/max/bots", { token: "second", username: "second_bot", first_name: "Второй" });
  await max.control("POST", "/faults", { bot: "second_bot", fault: { kind: "status", status: 503 } });
  expect((await max.api("GET", "/me")).status).toBe(200);
  expect((await max.api("GET", "/me", undefined, { authorization: "second" })).status).toBe(503);
});

test("uploads can fail too", async () => {
  await max.control("POST", "/faults", {
    method: "POST /_upload",
    times: 1,
    fault: { kind: "status", status: 503 },
  });
  expect((await max.upload("file", Buffer.from("a"))).status).toBe(503);
  expect((await max.upload("file", Buffer.from("a"))).status).toBe(200);
});
