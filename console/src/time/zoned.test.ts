import { expect, test } from "vitest";
import { zonedTime } from "./zoned.ts";

const at = new Date("2026-03-10T12:00:00Z");

test("a moment is told by the clock of its zone, and the zone is named", () => {
  expect(zonedTime(at, "Asia/Vladivostok", "ru")).toBe("10 мар., 22:00 GMT+10");
  expect(zonedTime(at, "Asia/Vladivostok", "en", "long")).toBe("March 10, 2026 at 22:00 GMT+10");
});

test("the browser's own zone goes without a name", () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(zonedTime(at, own, "en")).not.toMatch(/GMT|UTC/);
});
