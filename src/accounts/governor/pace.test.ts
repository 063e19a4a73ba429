import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { learn, type Noticed } from "./learn.ts";
import { type Decision, maySend } from "./may-send.ts";
import { ceilingOf, gapOf, memoryAt } from "./pace.ts";
import { freshMemory, type PaceMemory } from "./pace-memory.ts";
import { defaultSettings, type PaceSettings } from "./pace-settings.ts";
import type { ChatFacts, Facts } from "./send-facts.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const beginning = Date.parse("2026-11-16T00:00:00Z");
const account = { connectedAt: beginning, windowMinutes: 840 };

/** One account that asks before every message and is told what came of it. */
function life(settings: PaceSettings = defaultSettings) {
  let memory: PaceMemory = freshMemory(settings, beginning);
  const sends: number[] = [];
  const chats = new Map<number, ChatFacts>();
  const factsAt = (now: number, chat = 0, copies: readonly number[] = []): Facts => ({
    now,
    dayStart: Math.floor(now / day) * day,
    sends,
    chat: chats.get(chat) ?? { slowModeSeconds: 0 },
    copies: { own: copies, others: [] },
  });
  return {
    sends,
    memory: (now: number) => memoryAt(memory, account, settings, factsAt(now)),
    ceiling: (now: number) =>
      ceilingOf(memoryAt(memory, account, settings, factsAt(now)), account, settings, now),
    mayGo: (now: number, chat?: number, copies?: readonly number[]): Decision =>
      maySend(memory, account, factsAt(now, chat, copies), settings),
    told(now: number, noticed: Noticed, chat = 0, copies: readonly number[] = []) {
      memory = learn(memory, account, factsAt(now, chat, copies), noticed, settings);
      const known = chats.get(chat) ?? { slowModeSeconds: 0 };
      if (noticed.kind === "sent") {
        sends.push(now);
        chats.set(chat, { ...known, lastSentAt: now });
      }
      if (noticed.kind === "slow_mode")
        chats.set(chat, {
          ...known,
          slowModeSeconds: noticed.seconds ?? 0,
          slowUntil: now + (noticed.seconds ?? 0) * 1000,
        });
    },
    /** Sends as much as it may from 08:00 to 22:00, to chats in turn. */
    workDay(number: number) {
      const opens = beginning + number * day + 8 * hour;
      let sent = 0;
      for (let now = opens; now < opens + 14 * hour; ) {
        const answer = this.mayGo(now, sent % 7);
        if (answer.go) {
          this.told(now, { kind: "sent" }, sent % 7);
          sent++;
        } else now = answer.until;
      }
      return sent;
    },
  };
}

const warnings = fc.oneof(
  fc.record({ kind: fc.constant("flood_wait" as const), seconds: fc.integer({ min: 1, max: 86_400 }) }),
  fc.constant({ kind: "peer_flood" as const }),
  fc.constant({ kind: "write_forbidden" as const }),
  fc.constant({ kind: "account_frozen" as const }),
  fc.record({ kind: fc.constant("slow_mode" as const), seconds: fc.integer({ min: 1, max: 3600 }) }),
);
const outcomes = fc.array(
  fc.record({
    wait: fc.integer({ min: 1, max: 600 }),
    chat: fc.integer({ min: 0, max: 3 }),
    noticed: fc.oneof(
      { weight: 6, arbitrary: fc.constant({ kind: "sent" as const }) },
      { weight: 1, arbitrary: warnings },
    ),
  }),
  { maxLength: 150 },
);

/** Lives through the outcomes, sending only when allowed; `check` sees each moment before a message. */
interface Step {
  readonly wait: number;
  readonly chat: number;
  readonly noticed: Noticed;
}

function live(
  steps: readonly Step[],
  check: (one: ReturnType<typeof life>, now: number, chat: number) => void,
) {
  const one = life();
  let now = beginning + 8 * hour;
  for (const { wait, chat, noticed } of steps) {
    now += wait * minute;
    if (!one.mayGo(now, chat).go) continue;
    check(one, now, chat);
    one.told(now, noticed, chat);
  }
  return { one, now };
}

describe("the pace of an account", () => {
  it("never passes its ceiling in a day, nor the ceiling and a tenth in any 24 hours", () => {
    fc.assert(
      fc.property(outcomes, (steps) => {
        live(steps, (one, now) => {
          const ceiling = one.ceiling(now);
          const today = one.sends.filter((at) => at >= Math.floor(now / day) * day).length;
          const lately = one.sends.filter((at) => at > now - day).length;
          expect(today).toBeLessThan(ceiling);
          expect(lately).toBeLessThan(Math.max(1, Math.floor(ceiling * 1.1)));
        });
      }),
    );
  });

  it("never sends sooner after a message than its gap", () => {
    fc.assert(
      fc.property(outcomes, (steps) => {
        live(steps, (one, now) => {
          const gap = gapOf(one.ceiling(now), account, defaultSettings);
          expect(now - (one.sends.at(-1) ?? 0)).toBeGreaterThanOrEqual(gap);
        });
      }),
    );
  });

  it("never writes while Telegram asked for silence or the breaker is open", () => {
    fc.assert(
      fc.property(outcomes, (steps) => {
        live(steps, (one, now) => {
          const { quietUntil, breaker } = one.memory(now);
          expect(now).toBeGreaterThanOrEqual(quietUntil);
          expect(breaker.state).not.toBe("open");
        });
      }),
    );
  });

  it("never grows by a warning, and never falls below one message a day", () => {
    fc.assert(
      fc.property(outcomes, warnings, (steps, warning) => {
        const { one, now } = live(steps, () => undefined);
        const before = one.memory(now);
        one.told(now, warning);
        const after = one.memory(now);
        expect(after.perDay).toBeLessThanOrEqual(before.perDay);
        expect(after.copies).toBeLessThanOrEqual(before.copies);
        expect(one.ceiling(now)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it("always names a time later than now, and lets the message go at some time", () => {
    fc.assert(
      fc.property(outcomes, (steps) => {
        const { one, now } = live(steps, () => undefined);
        let at = now;
        for (let asked = 0; asked < 60; asked++) {
          const answer = one.mayGo(at);
          if (answer.go) return;
          expect(answer.until).toBeGreaterThan(at);
          at = answer.until;
        }
        throw new Error("it never may");
      }),
    );
  });

  it("always recovers: clean days bring it back past where it was before its warnings", () => {
    fc.assert(
      fc.property(fc.array(warnings, { minLength: 1, maxLength: 5 }), (all) => {
        const one = life({ ...defaultSettings, most_per_day: 60 });
        for (let number = 0; number < 5; number++) one.workDay(number);
        const before = one.ceiling(beginning + 5 * day);
        for (const [index, warning] of all.entries())
          one.told(beginning + 5 * day + (8 + index) * hour, warning);
        for (let number = 6; number < 120; number++) one.workDay(number);
        expect(one.memory(beginning + 120 * day).breaker).toEqual({ state: "closed" });
        expect(one.ceiling(beginning + 120 * day)).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: 5 },
    );
  });

  it("warms up by days that were used, not by age alone", () => {
    const busy = life();
    const ceilings = Array.from({ length: 8 }, (_, number) => {
      busy.workDay(number);
      return busy.ceiling(beginning + (number + 1) * day);
    });
    expect(ceilings).toEqual(ceilings.toSorted((one, other) => one - other));
    expect(ceilings.at(-1)).toBeGreaterThan(5 * defaultSettings.start_per_day);
    expect(life().ceiling(beginning + 30 * day)).toBe(defaultSettings.start_per_day);
  });

  it("keeps a young account below what its age allows, unless its owner knows better", () => {
    const keen = life({ ...defaultSettings, growth_percent: 100 });
    for (let number = 0; number < 3; number++) keen.workDay(number);
    expect(keen.ceiling(beginning + 2.5 * day)).toBeLessThanOrEqual(50);
    expect(life({ ...defaultSettings, start_per_day: 150 }).ceiling(beginning)).toBe(150);
    expect(life({ ...defaultSettings, start_per_day: 150, most_per_day: 100 }).ceiling(beginning)).toBe(100);
  });
});

describe("slow mode", () => {
  it("is kept to in its chat and nowhere else", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 3600 }), fc.integer({ min: 0, max: 7200 }), (seconds, later) => {
        const one = life({ ...defaultSettings, start_per_day: 500, spread: 20 });
        const start = beginning + 9 * hour;
        one.told(start, { kind: "slow_mode", seconds }, 1);
        const now = start + later * 1000;
        const answer = one.mayGo(now, 1);
        expect(answer.go).toBe(later >= seconds + 2);
        if (!answer.go) expect(answer.code).toBe("slow_mode");
        expect(one.mayGo(now, 2)).toEqual({ go: true });
      }),
    );
  });

  it("does not slow the account down", () => {
    const one = life();
    const before = one.memory(beginning);
    one.told(beginning, { kind: "slow_mode", seconds: 60 });
    expect(one.memory(beginning)).toMatchObject({ perDay: before.perDay, breaker: { state: "closed" } });
  });
});

describe("near-identical texts", () => {
  it("wait when as many as the account is trusted with have gone out within a day", () => {
    const one = life({ ...defaultSettings, start_per_day: 500, start_copies: 3 });
    const now = beginning + 12 * hour;
    const hoursAgo = (...hours: number[]) => hours.map((ago) => now - ago * hour);
    expect(one.mayGo(now, 0, hoursAgo(4, 3))).toEqual({ go: true });
    expect(one.mayGo(now, 0, hoursAgo(5, 4, 3))).toEqual({
      go: false,
      code: "similar_text",
      until: now + 19 * hour,
    });
    expect(one.mayGo(now, 0, hoursAgo(25, 4, 3))).toEqual({ go: true });
  });
});
