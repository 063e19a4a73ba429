import { describe, expect, it } from "vitest";
import type { SendError } from "../../platforms/index.ts";
import { afterJoin } from "./after-join.ts";
import { remainingSeconds } from "./join-pace.ts";

const now = new Date("2026-11-16T09:00:00Z");
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const safe = { mode: "safe", floods: 0, tries: 0 } as const;
const joined = { ok: true, value: { alreadyMember: false } } as const;
const refused = (code: string, given: Partial<SendError> = {}) =>
  ({
    ok: false,
    error: { category: "PERMANENT", scope: "channel", code, message: `Telegram: ${code}`, ...given },
  }) as const;

describe("after a join", () => {
  it.each([
    ["safe", 0, 601],
    ["safe", 0.999, 699],
    ["aggressive", 0, 121],
    ["aggressive", 0.999, 219],
  ] as const)("%s with chance %d waits %d seconds", (mode, chance, seconds) => {
    expect(afterJoin(joined, { ...safe, mode }, now, chance).task).toEqual({
      go: "on",
      at: inSeconds(seconds),
    });
  });

  it("the floods before it are forgotten", () => {
    expect(afterJoin(joined, { ...safe, floods: 3 }, now, 0)).toMatchObject({
      chat: { state: "joined" },
      floods: 0,
    });
  });
});

it("the next chat comes in a minute when the account was in this one already", () => {
  const decision = afterJoin({ ok: true, value: { alreadyMember: true } }, { ...safe, floods: 2 }, now, 0.5);
  expect(decision).toEqual({
    chat: { state: "member" },
    task: { go: "on", at: inSeconds(60) },
    floods: 2,
    tries: 0,
  });
});

it.each(["chat_unknown", "chat_unavailable"])(
  "the next chat comes in a minute when the link is broken: %s",
  (code) => {
    expect(afterJoin(refused(code), safe, now, 0.5)).toMatchObject({
      chat: { state: "broken" },
      task: { go: "on", at: inSeconds(60) },
      error: { code },
    });
  },
);

describe("a flood", () => {
  const flood = refused("flood_wait", { retryAfterMs: 41_500 });

  it.each([0, 1, 2])("after %d others is waited out", (floods) => {
    expect(afterJoin(flood, { ...safe, floods }, now, 0)).toMatchObject({
      task: { go: "on", at: inSeconds(42) },
      floods: floods + 1,
    });
  });

  it("after three others stops the task until it passes, and the chat is not lost", () => {
    const decision = afterJoin(flood, { ...safe, floods: 3 }, now, 0);
    expect(decision.task).toEqual({ go: "flood", until: inSeconds(42) });
    expect(decision.chat).toBeUndefined();
  });

  it("of unknown length lasts an hour", () => {
    expect(afterJoin(refused("flood_wait"), safe, now, 0).task).toEqual({ go: "on", at: inSeconds(3600) });
  });
});

it("a network that fails is tried twice more with the same chat, then the chat is passed over", () => {
  const first = afterJoin(refused("network"), safe, now, 0);
  expect(first).toMatchObject({ task: { go: "on", at: inSeconds(60) }, tries: 1 });
  expect(first.chat).toBeUndefined();
  expect(afterJoin(refused("network"), { ...safe, tries: 2 }, now, 0)).toMatchObject({
    chat: { state: "failed" },
    tries: 0,
  });
});

it.each(["session_revoked", "account_banned", "account_frozen"])("%s ends the task", (code) => {
  expect(afterJoin(refused(code, { scope: "platform" }), safe, now, 0).task).toEqual({ go: "stop", code });
});

it("any other refusal is noted, and the next chat follows at the usual pace", () => {
  expect(afterJoin(refused("telegram_error"), safe, now, 0)).toMatchObject({
    chat: { state: "failed" },
    task: { go: "on", at: inSeconds(601) },
  });
});

it("the rest takes as long as its chats at the interval and an average jitter", () => {
  expect(remainingSeconds("safe", 3)).toBe(3 * 650);
  expect(remainingSeconds("aggressive", 3)).toBe(3 * 170);
});
