import fc from "fast-check";
import { expect, test } from "vitest";
import { lineDiff } from "./line-diff.ts";

const signs = { same: " ", added: "+", dropped: "-" } as const;
const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${signs[kind]}${text}`);

test("a changed line stands between those that stayed", () => {
  expect(shown("а\nб\nв", "а\nг\nв")).toEqual([" а", "-б", "+г", " в"]);
});

test("equal texts have no changes, and a longer one has additions only", () => {
  expect(shown("а\nб", "а\nб")).toEqual([" а", " б"]);
  expect(shown("а\nа", "а\nа\nа")).toEqual([" а", " а", "+а"]);
});

test("both texts can be read back from their difference", () => {
  const text = fc
    .array(fc.constantFrom("а", "б", "в", ""), { maxLength: 12 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join("\n");
      expect(without("added")).toBe(before);
      expect(without("dropped")).toBe(after);
    }),
  );
});
