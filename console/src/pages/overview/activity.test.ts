import { describe, expect, test } from "vitest";
import { ceilingOf, minuteUnder, quartersOf, totalsOf } from "./activity.ts";

const minute = (sent: number, failed = 0, at = "2026-03-10T12:00:00Z") => ({ at, sent, failed });

test("the hour's totals are the sums of its minutes", () => {
  expect(totalsOf([minute(2, 1), minute(3), minute(0, 4)])).toEqual({ sent: 5, failed: 5 });
  expect(totalsOf([])).toEqual({ sent: 0, failed: 0 });
});

describe("the top of the scale", () => {
  test.each([
    [0, 2],
    [2, 2],
    [3, 4],
    [8, 8],
    [9, 20],
    [35, 40],
    [81, 200],
    [12_345, 20_000],
  ])("holds a busiest minute of %i under %i", (busiest, top) => {
    expect(ceilingOf([minute(0), minute(busiest)])).toBe(top);
  });

  test("counts deliveries and errors of a minute together", () => {
    expect(ceilingOf([minute(3, 2)])).toBe(6);
  });
});

describe("the minute under the pointer", () => {
  test.each([
    [0, 0],
    [9.9, 0],
    [10, 1],
    [599, 59],
    [600, 59],
    [-3, 0],
    [900, 59],
  ])("at %d of 600 pixels is number %i", (x, index) => {
    expect(minuteUnder(x, 600, 60)).toBe(index);
  });
});

test("labels are at the quarters of the clock", () => {
  const start = Date.parse("2026-03-10T12:07:00Z");
  const hour = Array.from({ length: 60 }, (_, index) =>
    minute(0, 0, new Date(start + index * 60_000).toISOString()),
  );
  expect(quartersOf(hour)).toEqual([8, 23, 38, 53]);
});
