import { expect, it } from "vitest";
import { counted, cut, inTime, lasting } from "./index.ts";

const chats = { one: "чат", few: "чата", many: "чатов", other: "чата" };

it.each([
  [0, "0 чатов"],
  [1, "1 чат"],
  [4, "4 чата"],
  [11, "11 чатов"],
  [21, "21 чат"],
  [1.5, "1,5 чата"],
])("%s chats are %s", (count, said) => expect(counted(count, chats, "ru")).toBe(said));

it("an English noun has two forms", () => {
  const forms = { one: "task goes on", other: "tasks go on" };
  expect([counted(1, forms, "en"), counted(2, forms, "en")]).toEqual(["1 task goes on", "2 tasks go on"]);
});

it.each([
  [0, "через 1 секунду", "in 1 second"],
  [25, "через 25 секунд", "in 25 seconds"],
  [100, "через 2 минуты", "in 2 minutes"],
  [301 * 60, "через 6 часов", "in 6 hours"],
  [14 * 86_400, "через 14 дней", "in 14 days"],
])("%s seconds from now is %s", (seconds, ru, en) =>
  expect([inTime(seconds, "ru"), inTime(seconds, "en")]).toEqual([ru, en]),
);

it("a text is cut between characters", () => {
  expect(cut("а😀б", 2)).toBe("а");
  expect(cut("а😀б", 3)).toBe("а😀");
  expect(cut("а😀б", 9)).toBe("а😀б");
});

it.each([
  [0, "1 секунду", "1 second"],
  [61, "61 секунду", "61 seconds"],
  [11 * 60, "11 минут", "11 minutes"],
  [301 * 60, "5 часов", "5 hours"],
  [21 * 3_600, "21 час", "21 hours"],
  [86_400, "24 часа", "24 hours"],
])("%s seconds last %s", (seconds, ru, en) =>
  expect([lasting(seconds, "ru"), lasting(seconds, "en")]).toEqual([ru, en]),
);
