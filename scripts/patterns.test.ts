import { describe, expect, it } from "vitest";
import { errorsOf } from "./patterns/pattern-errors.js";
import { allPatterns, judge, patternsIn } from "./patterns.js";

describe("patterns that read strangers' texts", () => {
  it("all work in linear time, or an exception says why no stranger writes what they read", () => {
    expect(judge(allPatterns())).toEqual([]);
  });

  it("are found as literals and as calls, wherever they are", () => {
    const text =
      "const a = /a+$/g;\nf(x as string, new RegExp(a + 1));\n// /not+this/\nconst b = 'x'.split(/,/);";
    expect(patternsIn("a.ts", text)).toEqual([
      { file: "a.ts", line: 1, source: "a+$", flags: "g" },
      { file: "a.ts", line: 2, code: "new RegExp(a + 1)" },
      { file: "a.ts", line: 4, source: ",", flags: "" },
    ]);
  });

  it("need an example when they are put together, and no exception outlives its pattern", () => {
    const call = { file: "a.ts", line: 3, code: "new RegExp(word + 1)" };
    expect(judge([call], [], [])).toEqual([expect.stringContaining("a.ts:3 makes a pattern from parts")]);
    expect(judge([call], [], [{ file: "a.ts", code: "word", examples: [/x+$/] }])).toEqual([
      expect.stringContaining("a.ts:3 /x+$/"),
    ]);
    const exception = { file: "a.ts", source: "x+$", why: "test" };
    expect(judge([{ file: "a.ts", line: 1, source: "x+$", flags: "" }], [exception], [])).toEqual([]);
    expect(judge([], [exception], [])).toEqual([expect.stringContaining("nothing in a.ts is x+$")]);
  });

  it.each([
    /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])[ \t]*){50,}/m,
    /^(?:a+)+$/,
    /^(?:a|ab|b)*$/,
    /(a|a)*b/,
    /\s+$/,
    /[ \t]+$/gm,
    /<!--[\s\S]*?-->/,
    /<[^>]*>/,
    /<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/gi,
    /^[A-Z\s]*={0,2}\s*$/,
    /(?<=[.!?]+[)"]*)\s/,
    /вздут\S* живот/i,
    /[a-z]+@[a-z]+/,
    /^#+[ \t]+(.*)$/,
  ])("are refused when their work grows faster than the text: %s", (pattern) => {
    expect(errorsOf(pattern)).not.toEqual([]);
  });

  it.each([
    /^\s+$/,
    /^\s*(\S.*)?$/s,
    /(?<!\s)\s+$/,
    /\s+/g,
    /<[^<>]*>/g,
    /<!--[\s\S]*?(?:-->|$)/,
    /<[!?][^>]*(?:>|$)/,
    /вздут\S{0,20} живот/i,
    /^[a-z]+(?:-[a-z]+)*$/,
    /(?<![\w.])[\w.]+@[a-z]+/,
    /^\d{4}-\d\d-\d\d$/,
  ])("are taken when it does not: %s", (pattern) => {
    expect(errorsOf(pattern)).toEqual([]);
  });
});
