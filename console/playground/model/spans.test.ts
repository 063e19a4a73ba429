import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MarkView } from "../types.ts";
import { type Span, spansOf } from "./spans.ts";

const mark = (type: MarkView["type"], offset: number, length: number): MarkView => ({ type, offset, length });

describe("a text with marks becomes a tree of spans", () => {
  it("leaves a text without marks as it is", () => {
    expect(outline(spansOf("Привет", []))).toBe("Привет");
    expect(spansOf("", [mark("bold", 0, 3)])).toEqual([]);
  });

  it("nests a mark inside the longer one that starts with it, in whatever order they come", () => {
    const marks = [mark("italic", 0, 3), mark("bold", 0, 9)];
    expect(outline(spansOf("раз и два", marks))).toBe("bold(italic(раз) и два)");
  });

  it("cuts marks that cross each other so that every letter keeps both", () => {
    const marks = [mark("bold", 0, 4), mark("italic", 2, 4)];
    expect(outline(spansOf("abcdef", marks))).toBe("bold(abitalic(cd))italic(ef)");
  });

  it("never breaks a quote in two for the sake of letters that cross its border", () => {
    const marks = [mark("bold", 0, 6), mark("quote", 3, 6)];
    expect(outline(spansOf("абвгдежзи", marks))).toBe("bold(абв)quote(bold(где)жзи)");
  });

  it("keeps a link whole when bold letters begin in its middle", () => {
    const marks = [mark("bold", 2, 4), mark("link", 0, 4)];
    expect(outline(spansOf("abcdef", marks))).toBe("link(abbold(cd))bold(ef)");
  });

  it("puts no link inside a link", () => {
    const marks = [mark("link", 0, 6), mark("mention", 1, 2)];
    expect(outline(spansOf("abcdef", marks))).toBe("link(abcdef)");
  });

  it("takes the line break after a block for the block's own end", () => {
    expect(outline(spansOf("код\nтекст", [mark("pre", 0, 3)]))).toBe("pre(код)текст");
    expect(outline(spansOf("жир\nтекст", [mark("bold", 0, 3)]))).toBe("bold(жир)\nтекст");
  });

  it("counts in UTF-16 units and never splits an emoji", () => {
    expect(outline(spansOf("🎉 да", [mark("bold", 0, 2)]))).toBe("bold(🎉) да");
    expect(outline(spansOf("🎉 да", [mark("bold", 1, 2)]))).toBe("bold(🎉 )да");
  });

  it("ignores marks that lie outside the text or cover nothing", () => {
    const marks = [mark("bold", 10, 5), mark("italic", 1, 0), mark("code", -3, 2), mark("strike", 2, 99)];
    expect(outline(spansOf("abc", marks))).toBe("abstrike(c)");
  });

  it("keeps every letter, in order, under exactly the marks that cover it", () => {
    const letters: MarkView["type"][] = ["bold", "italic", "underline", "strike", "highlight", "spoiler"];
    const marks = fc.array(
      fc.record({
        type: fc.constantFrom(...letters),
        offset: fc.integer({ min: -2, max: 30 }),
        length: fc.integer({ min: -1, max: 30 }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[а-я ]{0,28}$/), marks, (text, marks) => {
        const drawn = lettersOf(spansOf(text, marks));
        expect(drawn.map(({ letter }) => letter).join("")).toBe(text);
        drawn.forEach(({ types }, at) => {
          const covering = marks.filter((m) => m.offset <= at && at < m.offset + m.length);
          expect(types).toEqual([...new Set(covering.map(({ type }) => type))].sort());
        });
      }),
    );
  });
});

function outline(spans: readonly Span[]): string {
  return spans
    .map((span) => (span.kind === "text" ? span.text : `${span.mark.type}(${outline(span.children)})`))
    .join("");
}

function lettersOf(
  spans: readonly Span[],
  types: readonly string[] = [],
): { letter: string; types: string[] }[] {
  return spans.flatMap((span) =>
    span.kind === "text"
      ? [...span.text].map((letter) => ({ letter, types: [...types].sort() }))
      : lettersOf(span.children, [...types, span.mark.type]),
  );
}
