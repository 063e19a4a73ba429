import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestClock, testClock } from "../shared/testing.ts";
import {
  type ApiAnswer,
  botToken,
  channelId,
  groupId,
  personId,
  pngFile,
  startTelegram,
  type TestTelegram,
} from "./testing.ts";

let clock: TestClock;
let telegram: TestTelegram;
beforeEach(async () => {
  clock = testClock();
  telegram = await startTelegram({ clock, rateLimits: true });
});
afterEach(() => telegram.close());

const say = (chat_id: number) => telegram.call("sendMessage", { chat_id, text: "a" });
async function sayMany(chat_id: number, count: number): Promise<ApiAnswer[]> {
  const answers: ApiAnswer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await say(chat_id));
  return answers;
}
const waitOf = (seconds: number) => ({
  ok: false,
  error_code: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
});

test("a chat takes a few messages at once and then one a second; who waits as told is let in", async () => {
  const answers = await sayMany(channelId, 4);
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, false]);
  expect(answers[3]).toEqual(waitOf(3));
  clock.advance(3_000);
  expect((await say(channelId)).ok).toBe(true);
});

test("with a burst of one the second message in a second is refused, in the header too", async () => {
  await telegram.twins.control("PATCH", "/options", { chat_burst: 1 });
  await say(channelId);
  const response = await fetch(
    `${telegram.twins.url}/telegram/bot${botToken}/sendMessage?chat_id=${channelId}&text=a`,
  );
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("1");
  clock.advance(1_000);
  expect((await say(channelId)).ok).toBe(true);
});

test("the wait grows for a bot that does not wait", async () => {
  await sayMany(channelId, 4);
  clock.advance(1_500);
  const early = (await say(channelId)).parameters?.retry_after ?? 0;
  clock.advance(1_500);
  const earlier = (await say(channelId)).parameters?.retry_after ?? 0;
  expect(early).toBeGreaterThan(3);
  expect(earlier).toBeGreaterThan(early);
});

test("a group takes 20 messages a minute", async () => {
  for (let index = 0; index < 20; index += 1) {
    expect((await say(groupId)).ok).toBe(true);
    clock.advance(1_000);
  }
  expect(await say(groupId)).toEqual(waitOf(40));
  expect((await say(channelId)).ok).toBe(true);
  clock.advance(40_000);
  expect((await say(groupId)).ok).toBe(true);
});

test("a bot sends 30 messages a second over all chats", async () => {
  const chats = Array.from({ length: 31 }, (_, index) => -1_003_000_000_000 - index);
  for (const id of chats) {
    await telegram.twins.control("POST", "/telegram/chats", {
      id,
      type: "channel",
      title: `Канал ${id}`,
      members: [{ bot: "shop_bot" }],
    });
  }
  const answers: ApiAnswer[] = [];
  for (const id of chats) answers.push(await say(id));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(30);
  expect(answers.at(-1)).toEqual(waitOf(1));
});

test("an album is one call to its chat but as many messages as it has items to the group", async () => {
  const { result } = await telegram.upload<{ photo: { file_id: string }[] }>("sendPhoto", {
    chat_id: String(personId),
    photo: pngFile(),
  });
  const media = Array.from({ length: 10 }, () => ({ type: "photo", media: result.photo[0]?.file_id }));
  const album = (chat_id: number) => telegram.call("sendMediaGroup", { chat_id, media });
  await telegram.twins.control("PATCH", "/options", { chat_burst: 1 });
  clock.advance(5_000);
  expect((await album(groupId)).ok).toBe(true);
  expect((await say(groupId)).parameters).toEqual({ retry_after: 1 });
  clock.advance(1_000);
  expect((await album(groupId)).ok).toBe(true);
  clock.advance(1_000);
  expect((await say(groupId)).parameters).toEqual({ retry_after: 58 });
});

test("slow mode holds a bot that is no administrator", async () => {
  await telegram.twins.control("PATCH", `/telegram/chats/${groupId}`, { slow_mode_delay: 30 });
  expect((await say(groupId)).ok).toBe(true);
  expect(await say(groupId)).toEqual(waitOf(30));
});

test("rates can be lifted while the twins run", async () => {
  await telegram.twins.control("PATCH", "/options", { rate_limits: false });
  const answers = await sayMany(channelId, 10);
  expect(answers.every(({ ok }) => ok)).toBe(true);
});
