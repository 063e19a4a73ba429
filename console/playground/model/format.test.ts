import { expect, it } from "vitest";
import { en } from "../texts/en.ts";
import { ru } from "../texts/ru.ts";
import { dayName, fileSize, listTime, playTime, viewCount } from "./format.ts";

const now = new Date(2026, 10, 15, 12, 30).getTime();
const daysAgo = (days: number) => new Date(2026, 10, 15 - days, 23, 5).getTime();

it("the list shows the time today, the weekday this week and the date before", () => {
  expect(listTime(daysAgo(0), now, "ru")).toBe("23:05");
  expect(listTime(daysAgo(2), now, "ru")).toBe("пт");
  expect(listTime(daysAgo(20), now, "ru")).toBe("26.10");
  expect(listTime(daysAgo(400), now, "en")).toMatch(/^\d\d\/\d\d\/25$/);
});

it("days are named as people name them", () => {
  expect(dayName(daysAgo(0), now, ru, "ru")).toBe("Сегодня");
  expect(dayName(daysAgo(1), now, en, "en")).toBe("Yesterday");
  expect(dayName(daysAgo(2), now, ru, "ru")).toBe("13 ноября");
  expect(dayName(daysAgo(365), now, en, "en")).toBe("15 November 2025");
});

it("sizes, views and lengths read naturally", () => {
  expect(fileSize(1_843_200, "ru")).toBe("1,8 МБ");
  expect(fileSize(700, "en")).toBe("700 bytes");
  expect(viewCount(12_480, "ru")).toBe("12,5\u00a0тыс.");
  expect(viewCount(950, "en")).toBe("950");
  expect(playTime(187.6)).toBe("3:07");
  expect(playTime(Number.POSITIVE_INFINITY)).toBe("0:00");
});

it("counted words agree with their number", () => {
  expect([1, 3, 11, 25].map(ru.posts)).toEqual(["1 пост", "3 поста", "11 постов", "25 постов"]);
  expect([1, 2].map(en.posts)).toEqual(["1 post", "2 posts"]);
});
