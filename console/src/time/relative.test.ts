import { describe, expect, test } from "vitest";
import { clockTime, dayOf, relativeTime } from "./relative.ts";

const now = new Date("2026-03-10T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

describe("the age of an event", () => {
  test.each([
    [0, "сейчас", "now"],
    [9, "сейчас", "now"],
    [10, "10 секунд назад", "10 seconds ago"],
    [59, "59 секунд назад", "59 seconds ago"],
    [60, "1 минуту назад", "1 minute ago"],
    [120, "2 минуты назад", "2 minutes ago"],
    [5 * 60, "5 минут назад", "5 minutes ago"],
    [3_599, "59 минут назад", "59 minutes ago"],
    [3_600, "1 час назад", "1 hour ago"],
    [23 * 3_600, "23 часа назад", "23 hours ago"],
    [86_400, "вчера", "yesterday"],
    [3 * 86_400, "3 дня назад", "3 days ago"],
  ])("%i seconds reads «%s» and “%s”", (seconds, russian, english) => {
    expect(relativeTime(ago(seconds), now, "ru")).toBe(russian);
    expect(relativeTime(ago(seconds), now, "en")).toBe(english);
  });

  test("a week and more is a date", () => {
    expect(relativeTime(ago(7 * 86_400), now, "en")).toBe(dayOf(ago(7 * 86_400), "en"));
  });

  test("a server clock a little ahead still reads as now", () => {
    expect(relativeTime(ago(-5), now, "en")).toBe("now");
  });

  test("a moment to come reads as one", () => {
    expect(relativeTime(ago(-2 * 3_600), now, "en")).toBe("in 2 hours");
  });
});

test("midnight on the clock is 00, never 24", () => {
  expect(clockTime(new Date(2026, 0, 1, 0, 5, 7), "en")).toBe("00:05:07");
  expect(clockTime(new Date(2026, 0, 1, 0, 5, 7), "ru", false)).toBe("00:05");
});
