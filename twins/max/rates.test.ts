import { afterEach, beforeEach, expect, test } from "vitest";
import { testClock } from "../shared/testing.ts";
import { channel, group, startTestMax, type TestMax } from "./testing.ts";

const clock = testClock();
let max: TestMax;
beforeEach(async () => {
  max = await startTestMax({ clock, rateLimits: true });
});
afterEach(() => max.close());

const tooMany = { status: 429, body: { code: "too.many.requests", message: expect.any(String) } };
const post = (chat: number) => max.api("POST", `/messages?chat_id=${chat}`, { text: "a" });

test("a chat takes two messages a second", async () => {
  expect((await post(channel)).status).toBe(200);
  clock.advance(500);
  expect((await post(channel)).status).toBe(200);
  expect(await post(channel)).toEqual(tooMany);
  expect((await post(group)).status).toBe(200);
  clock.advance(500);
  expect((await post(channel)).status).toBe(200);
  expect(await post(channel)).toEqual(tooMany);
});

test("a refused message counts against nobody and is not stored", async () => {
  for (let index = 0; index < 5; index += 1) await post(channel);
  clock.advance(1000);
  expect((await post(channel)).status).toBe(200);
  expect((await max.api("GET", `/messages?chat_id=${channel}`)).body.messages).toHaveLength(3);
});

test("a bot makes thirty requests a second", async () => {
  for (let index = 0; index < 30; index += 1) expect((await max.api("GET", "/me")).status).toBe(200);
  expect(await max.api("GET", "/me")).toEqual(tooMany);
  clock.advance(1000);
  expect((await max.api("GET", "/me")).status).toBe(200);
});

test("the answer names no time to wait, because the provider names none", async () => {
  for (let index = 0; index < 2; index += 1) await post(channel);
  const response = await fetch(`${max.url}/max/messages?chat_id=${channel}`, {
    method: "POST",
    headers: { authorization: "max-bot-token" },
    body: '{"text":"a"}',
  });
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, null]);
});

test("rates can be lifted", async () => {
  await max.control("PATCH", "/options", { rate_limits: false });
  for (let index = 0; index < 40; index += 1) expect((await post(channel)).status).toBe(200);
});
