import { expect, it } from "vitest";
import { firings, nextFiring, readCron } from "./cron.ts";
import { delayOf } from "./retry-delay.ts";

function fired(text: string, from: string, until: string): string[] {
  const cron = readCron(text);
  if (!cron) throw new Error(`${text} is no cron`);
  return firings(cron, Date.parse(from), Date.parse(until), 100).map((at) =>
    new Date(at).toISOString().slice(0, 16),
  );
}

it("keeps its hour on the wall across a change of the clocks", () => {
  const berlin = "CRON_TZ=Europe/Berlin 0 10 * * *";
  expect(fired(berlin, "2027-03-27T00:00Z", "2027-03-29T00:00Z")).toEqual([
    "2027-03-27T09:00",
    "2027-03-28T08:00",
  ]);
  expect(fired(berlin, "2026-10-24T00:00Z", "2026-10-26T00:00Z")).toEqual([
    "2026-10-24T08:00",
    "2026-10-25T09:00",
  ]);
});

it("skips an hour that the clocks skip, and fires twice in one that they repeat", () => {
  const night = "CRON_TZ=Europe/Berlin 30 2 * * *";
  expect(fired(night, "2027-03-27T12:00Z", "2027-03-29T12:00Z")).toEqual(["2027-03-29T00:30"]);
  expect(fired(night, "2026-10-24T12:00Z", "2026-10-25T12:00Z")).toEqual([
    "2026-10-25T00:30",
    "2026-10-25T01:30",
  ]);
});

it.each([
  ["*/20 9-10 * * *", ["16T09:00", "16T09:20", "16T09:40", "16T10:00", "16T10:20", "16T10:40", "17T09:00"]],
  ["5/25 9 * * *", ["16T09:05", "16T09:30", "16T09:55"]],
  ["0 9 18 * mon", ["16T09:00", "18T09:00", "23T09:00"]],
  ["0 9 * nov 7,tue", ["17T09:00", "22T09:00", "24T09:00"]],
])("reads %s", (text, expected) => {
  // The 16th is a Monday.
  const found = fired(text, "2026-11-16T00:00Z", "2026-11-26T00:00Z");
  expect(found.slice(0, expected.length)).toEqual(expected.map((each) => `2026-11-${each}`));
});

it("finds the 29th of February, and no 30th", () => {
  expect(fired("0 0 29 2 *", "2028-02-01T00:00Z", "2028-04-01T00:00Z")).toEqual(["2028-02-29T00:00"]);
  const never = readCron("0 0 30 2 *");
  expect(never && nextFiring(never, Date.parse("2026-11-16T00:00Z"))).toBeUndefined();
});

it.each([
  ["pow(2, retried) * 1000", 3, 8_000],
  ["min(60000, max(1000, retried * 2500 + 500))", 2, 5_500],
  ["-(1 - 3) / 4", 0, 0.5],
  ["retried", 7, 7],
  ["pow(2, ", 1, undefined],
  ["1000; 2", 1, undefined],
  ["constructor(1)", 1, undefined],
])("reads the pause %s", (text, retried, pause) => {
  expect(delayOf(text, retried)).toBe(pause);
});
