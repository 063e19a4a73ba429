import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { intervalMs, type Mode, modes } from "./modes.ts";
import type { Placeable } from "./place-tasks.ts";
import { lateMs, type OpenTask, type PlannedAccount, type PlanRequest, planAccount } from "./plan-account.ts";
import { dayAt, instantAt } from "./time-zone.ts";

const moscow = (time: string) => new Date(`2026-11-16T${time}+03:00`);

const anAccount = (given: Partial<PlannedAccount> = {}): PlannedAccount => ({
  mode: "normal",
  fixIntervalMinutes: null,
  timezone: "Europe/Moscow",
  windowFrom: "08:00",
  windowTo: "22:00",
  dailyLimit: 200,
  ...given,
});

interface Fresh extends Placeable {
  readonly name: string;
}

const aRequest = (given: Partial<PlanRequest<Fresh>> & { count?: number } = {}): PlanRequest<Fresh> => ({
  account: anAccount(),
  now: moscow("08:00:00"),
  publishedToday: 0,
  open: [],
  fresh: Array.from({ length: given.count ?? 3 }, (_, index) => ({ name: `task ${index}` })),
  chance: Math.random,
  ...given,
});

const timesOf = (request: PlanRequest<Fresh>) => planAccount(request).create.map(({ at }) => at);
const gapsOf = (times: readonly Date[]) =>
  times.slice(1).map((time, index) => (time.getTime() - (times[index]?.getTime() ?? 0)) / 1000);
const clockOf = (times: readonly Date[]) =>
  times.map((time) => new Date(time.getTime() + 3 * 3_600_000).toISOString().slice(0, 19));

describe("each mode has its gaps", () => {
  // covers accounts: 1. Each mode has its gaps, inside the window
  it.each<[Mode, number | null, number]>([
    ["safe", null, 10],
    ["normal", null, 5],
    ["aggressive", null, 2],
    ["fix", null, 5],
    ["fix", 30, 30],
  ])("%s (%s): every %i minutes and 1 to 99 seconds", (mode, fixIntervalMinutes, minutes) => {
    const times = timesOf(aRequest({ account: anAccount({ mode, fixIntervalMinutes }), count: 20 }));
    expect(times[0]).toEqual(moscow("08:00:00"));
    for (const gap of gapsOf(times)) {
      expect(gap - minutes * 60).toBeGreaterThanOrEqual(1);
      expect(gap - minutes * 60).toBeLessThanOrEqual(99);
      expect(Number.isInteger(gap)).toBe(true);
    }
  });

  it("the least and the greatest chance give 1 and 99 seconds", () => {
    expect(gapsOf(timesOf(aRequest({ count: 2, chance: () => 0 })))).toEqual([301]);
    expect(gapsOf(timesOf(aRequest({ count: 2, chance: () => 0.999_999 })))).toEqual([399]);
  });

  // covers accounts: 1. Each mode has its gaps, inside the window
  it("smart spreads evenly over what is left of the window, and ends before it does", () => {
    const smart = anAccount({ mode: "smart" });
    expect(clockOf(timesOf(aRequest({ account: smart, count: 4 })))).toEqual([
      "2026-11-16T08:00:00",
      "2026-11-16T11:30:00",
      "2026-11-16T15:00:00",
      "2026-11-16T18:30:00",
    ]);
    const afternoon = aRequest({ account: smart, count: 2, now: moscow("18:00:00") });
    expect(clockOf(timesOf(afternoon))).toEqual(["2026-11-16T18:00:00", "2026-11-16T20:00:00"]);
    expect(clockOf(timesOf(aRequest({ account: smart, count: 1 })))).toEqual(["2026-11-16T08:00:00"]);
  });

  it("a governor stretches the gaps and lowers the day's number", () => {
    const smart = anAccount({ mode: "smart", gapSeconds: 7 * 3600 });
    expect(gapsOf(timesOf(aRequest({ account: smart })))).toEqual([7 * 3600]);
    const account = anAccount({ gapFactor: 2, todaysCeiling: 2 });
    const plan = planAccount(aRequest({ account, chance: () => 0 }));
    expect(gapsOf(plan.create.map(({ at }) => at))).toEqual([601]);
    expect(plan.left).toHaveLength(1);
  });
});

describe("the first time", () => {
  it.each([
    ["15:00:00", "2026-11-16T15:00:00"],
    ["23:00:00", "2026-11-17T08:00:00"],
    ["06:00:00", "2026-11-16T08:00:00"],
    ["21:59:59", "2026-11-16T21:59:59"],
    ["22:00:00", "2026-11-17T08:00:00"],
    ["00:00:00", "2026-11-16T08:00:00"],
  ])("of what is planned at %s in Moscow is %s", (now, first) => {
    expect(clockOf(timesOf(aRequest({ now: moscow(now), count: 1 })))).toEqual([first]);
  });

  it("comes a gap after what is planned and what was published", () => {
    const open = [{ id: "a", at: moscow("12:00:00"), taken: false }];
    const base = { now: moscow("11:00:00"), count: 1, chance: () => 0 };
    expect(clockOf(timesOf(aRequest({ ...base, open })))).toEqual(["2026-11-16T12:05:01"]);
    const lastPublishedAt = moscow("10:59:00");
    expect(clockOf(timesOf(aRequest({ ...base, lastPublishedAt })))).toEqual(["2026-11-16T11:04:01"]);
    const account = anAccount({ mode: "smart" });
    // One place of two is taken by the publication: (22:00 − 11:00) / 2 after it.
    expect(clockOf(timesOf(aRequest({ ...base, account, lastPublishedAt })))).toEqual([
      "2026-11-16T16:29:00",
    ]);
  });
});

describe("when the clock changes", () => {
  const berlin = anAccount({
    mode: "smart",
    timezone: "Europe/Berlin",
    windowFrom: "00:00",
    windowTo: "24:00",
  });
  it.each([
    ["2026-03-28T23:00:00Z", 23],
    ["2026-10-24T22:00:00Z", 25],
    ["2026-11-15T23:00:00Z", 24],
  ])("a day from %s has %i hours", (midnight, hours) => {
    const times = timesOf(aRequest({ account: berlin, now: new Date(midnight), count: hours }));
    expect(times[0]).toEqual(new Date(midnight));
    expect(gapsOf(times)).toEqual(Array(hours - 1).fill(3600));
  });

  // covers accounts: 1. Each mode has its gaps, inside the window
  it("the window opens at 08:00 of the wall clock before and after", () => {
    const account = anAccount({ timezone: "Europe/Berlin" });
    const first = (now: string) =>
      timesOf(aRequest({ account, now: new Date(now), count: 1 }))[0]?.toISOString();
    expect(first("2026-03-28T22:00:00Z")).toBe("2026-03-29T06:00:00.000Z");
    expect(first("2026-10-24T21:00:00Z")).toBe("2026-10-25T07:00:00.000Z");
  });
});

describe("the daily limit", () => {
  // covers accounts: 2. The limit counts published and planned
  it("counts what is published today and what is planned for today", () => {
    const open = [
      { id: "a", at: moscow("09:00:00"), taken: false },
      { id: "b", at: new Date("2026-11-17T08:00:00+03:00"), taken: false },
    ];
    const plan = planAccount(
      aRequest({ account: anAccount({ dailyLimit: 5 }), publishedToday: 2, open, count: 9 }),
    );
    expect(plan.create).toHaveLength(2);
    expect(plan.left).toHaveLength(7);
  });

  it("of tomorrow starts over", () => {
    const account = anAccount({ dailyLimit: 2 });
    const request = aRequest({ account, publishedToday: 2, now: moscow("23:00:00"), count: 3 });
    expect(planAccount(request).create).toHaveLength(2);
  });

  it("sends what must find a place to the days after", () => {
    const account = anAccount({ dailyLimit: 2, mode: "safe" });
    const plan = planAccount(
      aRequest({ account, publishedToday: 1, now: moscow("12:00:00"), count: 4, spill: true }),
    );
    expect(plan.left).toEqual([]);
    expect(plan.create.map(({ at }) => dayAt(at, "Europe/Moscow"))).toEqual([
      "2026-11-16",
      "2026-11-17",
      "2026-11-17",
      "2026-11-18",
    ]);
  });
});

describe("what is planned already", () => {
  it("keeps its time, and smart spreads it again together with the fresh", () => {
    const open = [{ id: "a", at: moscow("20:00:00"), taken: false }];
    expect(planAccount(aRequest({ open })).move).toEqual([]);
    const smart = aRequest({ account: anAccount({ mode: "smart" }), open, count: 1 });
    const plan = planAccount(smart);
    expect(plan.move.map(({ task, at }) => [task.id, at])).toEqual([["a", moscow("08:00:00")]]);
    expect(plan.create.map(({ at }) => at)).toEqual([moscow("15:00:00")]);
    expect(planAccount({ ...smart, fresh: [] }).move).toEqual([]);
  });

  it("gets another time, all of it and in its order, when some of it is late", () => {
    const open = [
      { id: "a", at: moscow("08:00:00"), taken: false },
      { id: "b", at: moscow("08:05:00"), taken: false },
      { id: "c", at: moscow("12:01:00"), taken: false },
    ];
    const plan = planAccount(aRequest({ open, now: moscow("12:00:00"), count: 1, chance: () => 0 }));
    expect(plan.move.map(({ task, at }) => [task.id, at])).toEqual([
      ["a", moscow("12:00:00")],
      ["b", moscow("12:05:01")],
      ["c", moscow("12:10:02")],
    ]);
    expect(plan.create.map(({ at }) => at)).toEqual([moscow("12:15:03")]);
  });

  it("goes to the next day when it is late and today has no room", () => {
    const open = [
      { id: "a", at: moscow("21:00:00"), taken: false },
      { id: "b", at: moscow("21:05:00"), taken: false },
    ];
    const late = { open, count: 0, now: moscow("21:59:00") };
    expect(clockOf(planAccount(aRequest(late)).move.map(({ at }) => at))).toEqual([
      "2026-11-16T21:59:00",
      "2026-11-17T08:00:00",
    ]);
    const spent = aRequest({ ...late, account: anAccount({ dailyLimit: 7 }), publishedToday: 7 });
    expect(dayAt(planAccount(spent).move[0]?.at ?? new Date(0), "Europe/Moscow")).toBe("2026-11-17");
  });
});

it("a task that would be a repeat waits for its time and lets others pass", () => {
  const fresh = [{ name: "a", notBefore: moscow("08:07:00") }, { name: "b" }, { name: "c" }];
  const plan = planAccount(aRequest({ fresh, chance: () => 0 }));
  expect(plan.create.map(({ task, at }) => [task.name, at])).toEqual([
    ["b", moscow("08:00:00")],
    ["c", moscow("08:05:01")],
    ["a", moscow("08:10:02")],
  ]);
  const alone = [{ name: "a", notBefore: moscow("08:07:00") }];
  expect(timesOf(aRequest({ fresh: alone }))).toEqual([moscow("08:07:00")]);
});

describe("whatever is asked", () => {
  const zones = [
    "Europe/Moscow",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kamchatka",
    "Australia/Lord_Howe",
  ];
  const windows = [
    ["08:00", "22:00"],
    ["00:00", "24:00"],
    ["01:30", "03:30"],
    ["09:00", "09:20"],
  ] as const;
  // Around both changes of the clock in Europe, America and Australia.
  const days = [
    "2026-03-07",
    "2026-03-28",
    "2026-04-04",
    "2026-10-03",
    "2026-10-24",
    "2026-10-31",
    "2026-11-16",
  ];

  const requests = fc
    .record({
      zone: fc.constantFrom(...zones),
      window: fc.constantFrom(...windows),
      mode: fc.constantFrom(...modes),
      fixIntervalMinutes: fc.integer({ min: 1, max: 1440 }),
      dailyLimit: fc.integer({ min: 0, max: 60 }),
      publishedToday: fc.integer({ min: 0, max: 20 }),
      day: fc.constantFrom(...days),
      minutes: fc.integer({ min: 0, max: 2 * 1440 }),
      open: fc.array(fc.record({ minutes: fc.integer({ min: -120, max: 600 }), taken: fc.constant(false) }), {
        maxLength: 12,
      }),
      fresh: fc.array(fc.option(fc.integer({ min: -600, max: 1500 }), { nil: undefined }), { maxLength: 50 }),
      spill: fc.boolean(),
      seed: fc.integer(),
    })
    .map(({ zone, window, day, minutes, open, fresh, seed, ...rest }): PlanRequest<Fresh> => {
      const now = new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000);
      const later = (by: number) => new Date(now.getTime() + by * 60_000);
      const { mode, fixIntervalMinutes, dailyLimit } = rest;
      let state = seed;
      return {
        account: anAccount({
          ...{ mode, fixIntervalMinutes, dailyLimit, timezone: zone },
          windowFrom: window[0],
          windowTo: window[1],
        }),
        now,
        publishedToday: rest.publishedToday,
        open: open
          .map((task, index): OpenTask => ({ id: String(index), taken: task.taken, at: later(task.minutes) }))
          .toSorted((one, other) => one.at.getTime() - other.at.getTime()),
        fresh: fresh.map((by, index) => ({
          name: String(index),
          ...(by !== undefined && { notBefore: later(by) }),
        })),
        spill: rest.spill,
        chance: () => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
          return (state >>> 0) / 2 ** 32;
        },
      };
    });

  // covers accounts: 1. Each mode has its gaps, inside the window
  it("nothing is planned in the past, outside the window, beyond the limit, too close, or as a repeat", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { account, now, open, fresh, publishedToday } = request;
        const plan = planAccount(request);
        const given = [
          ...plan.create.map(({ at, task }) => ({ at, notBefore: task.notBefore })),
          ...plan.move,
        ];
        for (const { at, ...rest } of given) {
          const day = dayAt(at, account.timezone);
          expect(at >= now).toBe(true);
          expect(at >= instantAt(day, account.windowFrom, account.timezone)).toBe(true);
          expect(at < instantAt(day, account.windowTo, account.timezone)).toBe(true);
          if ("notBefore" in rest && rest.notBefore) expect(at >= rest.notBefore).toBe(true);
        }
        // Nobody is lost: each is created or left, in the order in which nothing held it back.
        const names = [...plan.create.map(({ task }) => task.name), ...plan.left.map(({ name }) => name)];
        expect(names.toSorted()).toEqual(fresh.map(({ name }) => name).toSorted());
        const free = plan.create.filter(({ task }) => !task.notBefore).map(({ task }) => Number(task.name));
        expect(free).toEqual(free.toSorted((one, other) => one - other));
        // Every day within the limit.
        const moved = new Map(plan.move.map(({ task, at }) => [task.id, at]));
        const planned = [
          ...open.map(({ id, at }) => moved.get(id) ?? at),
          ...plan.create.map(({ at }) => at),
        ];
        const today = dayAt(now, account.timezone);
        const perDay = new Map<string, number>([[today, publishedToday]]);
        for (const at of planned) {
          const day = dayAt(new Date(Math.max(at.getTime(), now.getTime())), account.timezone);
          perDay.set(day, (perDay.get(day) ?? 0) + 1);
        }
        for (const { at } of given)
          expect(perDay.get(dayAt(at, account.timezone)) ?? 0).toBeLessThanOrEqual(account.dailyLimit);
        // A gap before each that was given a time.
        const interval = intervalMs(account);
        const all = planned.map((at) => at.getTime()).toSorted((one, other) => one - other);
        if (interval !== undefined)
          for (const { at } of given) {
            const before = all.filter((other) => other < at.getTime()).at(-1);
            if (before !== undefined) expect(at.getTime() - before).toBeGreaterThan(interval);
          }
        // What had missed its time is not left in the past.
        for (const { id, at } of open)
          if (at.getTime() < now.getTime() - lateMs && account.dailyLimit > 0)
            expect(moved.has(id)).toBe(true);
      }),
      { numRuns: 80 },
    );
  });

  // covers accounts: 3. The planner run twice creates nothing new
  it("a plan of what is planned changes nothing", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const first = planAccount(request);
        const moved = new Map(first.move.map(({ task, at }) => [task.id, at]));
        const open = [
          ...request.open.map((task) => ({ ...task, at: moved.get(task.id) ?? task.at })),
          ...first.create.map(({ task, at }) => ({ id: `new ${task.name}`, at, taken: false })),
        ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
        const again = planAccount({ ...request, open, fresh: [] });
        if (request.account.dailyLimit > 0) expect(again).toEqual({ create: [], move: [], left: [] });
      }),
      { numRuns: 60 },
    );
  });
});
