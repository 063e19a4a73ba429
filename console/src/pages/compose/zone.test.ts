import { expect, test } from "vitest";
import { localIn, momentIn } from "./zone.ts";

test.each([
  ["Europe/Moscow", "2030-05-01T09:00", "2030-05-01T06:00:00.000Z"],
  ["UTC", "2030-01-01T00:00", "2030-01-01T00:00:00.000Z"],
  ["Asia/Kolkata", "2030-01-01T00:15", "2029-12-31T18:45:00.000Z"],
  ["America/New_York", "2030-07-04T23:30", "2030-07-05T03:30:00.000Z"],
  ["Europe/Berlin", "2030-03-31T01:59", "2030-03-31T00:59:00.000Z"],
  ["Europe/Berlin", "2030-03-31T03:00", "2030-03-31T01:00:00.000Z"],
])("%s shows %s at %s", (zone, local, moment) => {
  expect(momentIn(zone, local)?.toISOString()).toBe(moment);
  expect(localIn(zone, new Date(moment))).toBe(local);
});

test("a time that the clock leaps over is no time", () => {
  expect(momentIn("Europe/Berlin", "2030-03-31T02:30")).toBeUndefined();
});

test("a time that comes twice is one of the two", () => {
  const found = momentIn("Europe/Berlin", "2030-10-27T02:30")?.toISOString();
  expect(["2030-10-27T00:30:00.000Z", "2030-10-27T01:30:00.000Z"]).toContain(found);
});

test("what is not a time is no time", () => {
  expect(momentIn("UTC", "")).toBeUndefined();
});
