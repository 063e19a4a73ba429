import { expect, test } from "vitest";
import { preferredLocale } from "./locale.ts";

test.each([
  [["ru-RU", "en"], "ru"],
  [["RU"], "ru"],
  [["en-GB", "ru"], "en"],
  [["de-DE", "ru", "en"], "ru"],
  [["de-DE"], "en"],
  [[], "en"],
])("a browser that prefers %j reads %s", (languages, expected) => {
  expect(preferredLocale(languages)).toBe(expected);
});
