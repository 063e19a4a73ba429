import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLossLog, type MarkedText, markedTextOf, parseContent, splitMarkedText } from "./index.ts";

function markedTextFrom(source: string, format: "html" | "plain" = "plain"): MarkedText {
  const parsed = parseContent(source, format);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return markedTextOf(parsed.document, { losses: createLossLog(), linkSchemes: new Set(["https:"]) });
}

const upTo = (longest: number) => ({ longest, fits: ({ text }: MarkedText) => text.length <= longest });
const texts = (source: string, longest: number) =>
  splitMarkedText(markedTextFrom(source), upTo(longest))?.map(({ text }) => text);

describe("a text is cut", () => {
  test("between paragraphs, as late as they fit", () => {
    expect(texts("раз раз\n\nдва два\n\nтри", 16)).toEqual(["раз раз\n\nдва два", "три"]);
  });

  test("between lines where a paragraph is too long by itself", () => {
    expect(texts("раз раз\nдва два\nтри", 16)).toEqual(["раз раз\nдва два", "три"]);
  });

  test("between sentences where a line is too long, but not at an abbreviation", () => {
    expect(texts("Первое слово. Живу в г. Москва давно. Третье", 38)).toEqual([
      "Первое слово. Живу в г. Москва давно.",
      "Третье",
    ]);
    expect(texts("Первое слово. Живу в г. Москва давно.", 30)).toEqual([
      "Первое слово.",
      "Живу в г. Москва давно.",
    ]);
  });

  test("between words where a sentence is too long", () => {
    expect(texts("раз два три четыре", 9)).toEqual(["раз два", "три", "четыре"]);
  });

  test("between characters as readers see them where a word is too long", () => {
    expect(texts("👨‍👩‍👧‍👦".repeat(3), 12)).toEqual(["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]);
    expect(texts("🇷🇺🇺🇸🇫🇷", 9)).toEqual(["🇷🇺🇺🇸", "🇫🇷"]);
    expect(texts("е\u0308".repeat(4), 3)).toEqual(["е\u0308", "е\u0308", "е\u0308", "е\u0308"]);
  });

  test("inside one character only when nothing else is left, and never inside a pair", () => {
    expect(texts(`а${"\u0301".repeat(9)}`, 4)).toEqual([
      "а\u0301\u0301\u0301",
      ...Array(1).fill("\u0301".repeat(4)),
      "\u0301\u0301",
    ]);
    expect(texts("😀😀", 1)).toBeUndefined();
  });

  test("so that a heading stays with what it heads", () => {
    const marked = markedTextFrom("<p>раз раз раз</p><h2>Глава</h2><p>два два два</p>", "html");
    expect(splitMarkedText(marked, upTo(22))?.map(({ text }) => text)).toEqual([
      "раз раз раз",
      "Глава\n\nдва два два",
    ]);
  });
});

test("a mark that a cut goes through is closed before it and opened again behind it", () => {
  const marked = markedTextFrom('<b>раз <a href="https://a.ru">два три</a></b> четыре', "html");
  expect(splitMarkedText(marked, upTo(8))).toEqual([
    {
      text: "раз два",
      marks: [
        { kind: { type: "bold" }, offset: 0, length: 7 },
        { kind: { type: "link", url: "https://a.ru" }, offset: 4, length: 3 },
      ],
    },
    {
      text: "три",
      marks: [
        { kind: { type: "link", url: "https://a.ru" }, offset: 0, length: 3 },
        { kind: { type: "bold" }, offset: 0, length: 3 },
      ],
    },
    { text: "четыре", marks: [] },
  ]);
});

test("parts fit, are never blank, and together say all that was said", () => {
  const pieces = fc.constantFrom(
    "слово",
    "Конец.",
    " ",
    "\n",
    "\n\n",
    "👩🏽‍💻",
    "🇷🇺",
    "مرحبا",
    "<b>а б</b>",
    "е\u0308",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 80 }), fc.integer({ min: 12, max: 60 }), (words, longest) => {
      const marked = markedTextFrom(words.join(""), "html");
      const parts = splitMarkedText(marked, upTo(longest));
      expect(parts).toBeDefined();
      for (const { text, marks } of parts ?? []) {
        expect(text.length).toBeLessThanOrEqual(longest);
        expect(text.trim()).toBe(text);
        expect(text).not.toBe("");
        expect(text.isWellFormed()).toBe(true);
        for (const { offset, length } of marks)
          expect(text.slice(offset, offset + length).trim()).not.toBe("");
      }
      const bare = (text: string) => text.replace(/\s+/g, "");
      expect(bare((parts ?? []).map(({ text }) => text).join(""))).toBe(bare(marked.text));
    }),
  );
});
