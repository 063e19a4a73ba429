import { describe, expect, it } from "vitest";
import { afterSend, afterWarning, breakerAt } from "./breaker.ts";
import type { Breaker, Warning, WarningCode } from "./pace-memory.ts";
import { defaultSettings as settings } from "./pace-settings.ts";

const hour = 3_600_000;
const now = Date.parse("2026-11-16T12:00:00Z");
const closed: Breaker = { state: "closed" };
const warning = (code: WarningCode, hoursAgo = 0, counts = true): Warning => ({
  code,
  at: now - hoursAgo * hour,
  counts,
});
const openFor = (hours: number): Breaker => ({ state: "open", until: now + hours * hour, hours });

describe("the breaker", () => {
  it.each([
    ["one flood wait leaves it closed", closed, [warning("flood_wait")], closed],
    [
      "two within two days open it for a day",
      closed,
      [warning("flood_wait", 40), warning("flood_wait")],
      openFor(24),
    ],
    ["two further apart do not", closed, [warning("flood_wait", 50), warning("flood_wait")], closed],
    [
      "slow modes do not count",
      closed,
      [warning("slow_mode", 1, false), warning("slow_mode", 0, false)],
      closed,
    ],
    ["a spam restriction opens it at once for three days", closed, [warning("peer_flood")], openFor(72)],
    ["a frozen account rests a week", closed, [warning("account_frozen")], openFor(168)],
    [
      "a warning during a trial doubles the rest",
      { state: "half_open", trialsLeft: 2, hours: 24 },
      [warning("flood_wait")],
      openFor(48),
    ],
    [
      "a rest is never longer than a month",
      { state: "half_open", trialsLeft: 2, hours: 700 },
      [warning("peer_flood")],
      openFor(720),
    ],
  ] satisfies [string, Breaker, Warning[], Breaker][])("%s", (_, before, warnings, after) => {
    expect(afterWarning(before, warnings, settings, now)).toEqual(after);
  });

  it("stays open until its time, then lets a few messages try, then closes", () => {
    const open = openFor(24);
    expect(breakerAt(open, settings, now + 24 * hour - 1)).toEqual(open);
    let breaker = breakerAt(open, settings, now + 24 * hour);
    const seen = [breaker];
    for (let sent = 0; sent < 3; sent++) {
      breaker = afterSend(breaker);
      seen.push(breaker);
    }
    expect(seen).toEqual([
      { state: "half_open", trialsLeft: 3, hours: 24 },
      { state: "half_open", trialsLeft: 2, hours: 24 },
      { state: "half_open", trialsLeft: 1, hours: 24 },
      { state: "closed" },
    ]);
  });
});
