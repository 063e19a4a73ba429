import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayAfter, dayAt, instantAt } from "./time-zone.ts";

describe("wall clocks of zones", () => {
  it.each([
    ["2026-11-16", "08:00", "Europe/Moscow", "2026-11-16T05:00:00.000Z"],
    ["2026-11-16", "08:00:00", "Asia/Kamchatka", "2026-11-15T20:00:00.000Z"],
    ["2026-11-16", "24:00", "Europe/Moscow", "2026-11-16T21:00:00.000Z"],
    // Summer time begins and ends.
    ["2026-03-29", "08:00", "Europe/Berlin", "2026-03-29T06:00:00.000Z"],
    ["2026-03-28", "08:00", "Europe/Berlin", "2026-03-28T07:00:00.000Z"],
    ["2026-10-25", "08:00", "Europe/Berlin", "2026-10-25T07:00:00.000Z"],
    // Skipped by the clock: as long after the change as it lies in the gap.
    ["2026-03-29", "02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    // Shown twice by the clock: the first of the two.
    ["2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    // Half an hour of summer time, and a midnight that is skipped.
    ["2026-10-04", "08:00", "Australia/Lord_Howe", "2026-10-03T21:00:00.000Z"],
    ["2026-09-06", "00:00", "America/Santiago", "2026-09-06T04:00:00.000Z"],
  ])("%s %s in %s is %s", (day, time, zone, instant) => {
    expect(instantAt(day, time, zone).toISOString()).toBe(instant);
  });

  it("an instant belongs to the day that its wall clock shows", () => {
    expect(dayAt(new Date("2026-11-16T20:59:59.999Z"), "Europe/Moscow")).toBe("2026-11-16");
    expect(dayAt(new Date("2026-11-16T21:00:00.000Z"), "Europe/Moscow")).toBe("2026-11-17");
    expect(dayAfter("2026-12-31")).toBe("2027-01-01");
  });

  it("every instant is between the beginning of its day and the next", () => {
    const zones = [
      "Europe/Moscow",
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kolkata",
      "Australia/Lord_Howe",
    ];
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2025-01-01"), max: new Date("2028-01-01"), noInvalidDate: true }),
        fc.constantFrom(...zones),
        (instant, zone) => {
          const day = dayAt(instant, zone);
          expect(instantAt(day, "00:00", zone).getTime()).toBeLessThanOrEqual(instant.getTime());
          expect(instantAt(dayAfter(day), "00:00", zone).getTime()).toBeGreaterThan(instant.getTime());
        },
      ),
    );
  });
});
