import { expect, test } from "vitest";
import { clockIn, daysOf, momentIn, momentsOf, spanOf } from "./days.ts";

test.each([
  ["week", "2026-11-18", "2026-11-16", "2026-11-23", 7],
  ["week", "2026-11-16", "2026-11-16", "2026-11-23", 7],
  ["week", "2026-11-22", "2026-11-16", "2026-11-23", 7],
  ["month", "2026-12-31", "2026-12-01", "2027-01-01", 31],
  ["month", "2028-02-10", "2028-02-01", "2028-03-01", 29],
] as const)("the %s of %s goes from %s until %s", (view, day, first, end, count) => {
  expect(spanOf(view, day)).toEqual({ first, end });
  expect(daysOf({ first, end })).toHaveLength(count);
});

test("a month is asked for within the 35 days that a plan covers, on every clock of the world", () => {
  const { from, to } = momentsOf(spanOf("month", "2026-10-05"));
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBeLessThan(35);
  expect(clockIn("Pacific/Kiritimati", new Date(from))).toBe("2026-10-01T00:00");
  expect(clockIn("Etc/GMT+12", new Date(to))).toBe("2026-11-01T00:00");
});

test.each([
  ["Europe/Moscow", "2026-11-18T15:00", "2026-11-18T12:00:00.000Z"],
  ["Asia/Vladivostok", "2026-01-01T00:30", "2025-12-31T14:30:00.000Z"],
  ["Asia/Kathmandu", "2026-06-01T10:00", "2026-06-01T04:15:00.000Z"],
  // Berlin goes from 02:00 to 03:00 on that night, and back from 03:00 to 02:00 in October.
  ["Europe/Berlin", "2026-03-29T03:30", "2026-03-29T01:30:00.000Z"],
  ["Europe/Berlin", "2026-03-29T12:00", "2026-03-29T10:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25T12:00", "2026-10-25T11:00:00.000Z"],
])("in %s it is %s at %s", (zone, local, at) => {
  expect(momentIn(zone, local).toISOString()).toBe(at);
  expect(clockIn(zone, new Date(at))).toBe(local);
});
