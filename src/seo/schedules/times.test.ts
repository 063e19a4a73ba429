import { expect, it } from "vitest";
import { hours, inOrder, leftToday, nextOf } from "./times.ts";

const plan = { days: ["mon", "wed", "fri"], times: ["10:00", "18:00"] } as const;
/** A Monday, 09:30 in Moscow and 16:30 in Vladivostok. */
const monday = new Date("2026-11-16T06:30:00Z");

it("knows what is left of today in the project's zone", () => {
  expect(leftToday(plan, "Europe/Moscow", monday)).toEqual(["10:00", "18:00"]);
  expect(leftToday(plan, "Asia/Vladivostok", monday)).toEqual(["18:00"]);
  expect(leftToday({ ...plan, days: ["tue"] }, "Europe/Moscow", monday)).toEqual([]);
});

it("finds the next time, at most a week ahead", () => {
  expect(nextOf(plan, "Europe/Moscow", monday)).toEqual({ inDays: 0, day: "mon", time: "10:00" });
  const evening = new Date("2026-11-16T20:30:00Z");
  expect(nextOf(plan, "Europe/Moscow", evening)).toEqual({ inDays: 2, day: "wed", time: "10:00" });
  expect(nextOf({ days: ["mon"], times: ["10:00"] }, "Europe/Moscow", evening)).toEqual({
    ...{ inDays: 7, day: "mon", time: "10:00" },
  });
  expect(nextOf({ days: [], times: ["10:00"] }, "Europe/Moscow", evening)).toBeUndefined();
});

it("keeps the order of the week and of the day, and offers 18 hours", () => {
  expect(inOrder({ days: ["sun", "mon"], times: ["18:00", "09:00", "18:00"] })).toEqual({
    ...{ days: ["mon", "sun"], times: ["09:00", "18:00"] },
  });
  expect(hours).toHaveLength(18);
  expect([hours[0], hours.at(-1)]).toEqual(["06:00", "23:00"]);
});
