import { describe, expect, test } from "vitest";
import { en } from "./en.ts";
import { numbersIn } from "./numbers.ts";
import { ru } from "./ru.ts";

describe.each([
  ["Russian", ru],
  ["English", en],
])("events in %s", (_language, texts) => {
  test.each(Object.entries(texts.events))(
    "%s names its channel once, or none at all",
    (_action, [named, alone]) => {
      expect(named.split("{channel}")).toHaveLength(2);
      expect(alone).not.toContain("{channel}");
    },
  );
});

describe("a count with its word", () => {
  const channels = { one: "канал", few: "канала", other: "каналов" };

  test.each([
    [0, "0 каналов"],
    [1, "1 канал"],
    [2, "2 канала"],
    [5, "5 каналов"],
    [11, "11 каналов"],
    [12, "12 каналов"],
    [21, "21 канал"],
    [22, "22 канала"],
    [111, "111 каналов"],
  ])("%i in Russian is «%s»", (count, expected) => {
    expect(numbersIn("ru").count(count, channels)).toBe(expected);
  });

  test("English has a singular and a plural, and groups thousands", () => {
    const { count } = numbersIn("en");
    expect(count(1, { one: "channel", other: "channels" })).toBe("1 channel");
    expect(count(1_200, { one: "channel", other: "channels" })).toBe("1,200 channels");
  });
});
