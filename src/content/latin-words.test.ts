import fc from "fast-check";
import { expect, test } from "vitest";
import { latinWords } from "./index.ts";

test.each([
  ["Как выбрать диван", "kak-vybrat-divan"],
  ["Щётки, ёж & «объём»: 5 шагов!", "shchetki-ezh-obem-5-shagov"],
  ["Їжак і ґава", "yizhak-i-gava"],
  ["Crème brûlée, Straße", "creme-brulee-strasse"],
  ["Don't panic", "dont-panic"],
  ["  -- C++ --  ", "c"],
  ["春のお茶", ""],
  ["👍", ""],
])("%s is %s", (text, words) => {
  expect(latinWords(text, 80)).toBe(words);
});

test("a long text is cut between words, a long word where it must be", () => {
  expect(latinWords("один два три", 8)).toBe("odin-dva");
  expect(latinWords("один два три", 7)).toBe("odin");
  expect(latinWords("электрификация", 6)).toBe("elektr");
});

test("whatever the text, the words can be used in an address", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      (text, longest) => {
        const words = latinWords(text, longest);
        expect(words).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(words.length).toBeLessThanOrEqual(longest);
      },
    ),
  );
});
