import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatted } from "./index.ts";

describe("HTML", () => {
  test("is returned stripped, with its formatting as markup in UTF-16 units", () => {
    const source = '<b>Новинка</b>: <a href="https://ex.ru">читать</a>';
    expect(formatted(source, "html")).toEqual({
      text: "Новинка: читать",
      markup: [
        { type: "strong", from: 0, length: 7 },
        { type: "link", from: 9, length: 6, url: "https://ex.ru" },
      ],
    });
    expect(formatted("🦊<b>x</b>", "html").markup).toEqual([{ type: "strong", from: 2, length: 1 }]);
  });

  test.each([
    ["b", "strong"],
    ["strong", "strong"],
    ["i", "emphasized"],
    ["em", "emphasized"],
    ["s", "strikethrough"],
    ["del", "strikethrough"],
    ["u", "underline"],
    ["ins", "underline"],
    ["pre", "monospaced"],
    ["code", "monospaced"],
    ["mark", "highlighted"],
    ["h1", "heading"],
    ["blockquote", "quote"],
  ])("<%s> becomes %s", (tag, type) => {
    expect(formatted(`a <${tag}>b</${tag}>`, "html")).toEqual({
      text: "a b",
      markup: [{ type, from: 2, length: 1 }],
    });
  });

  test("unknown tags are stripped and their text stays", () => {
    expect(formatted("<span>a</span><h2>b</h2><tg-spoiler>c</tg-spoiler><br>d", "html")).toEqual({
      text: "abcd",
      markup: [],
    });
  });

  test("marks nest, entities are decoded, a lone bracket is text", () => {
    expect(formatted("<b>a <i>&lt;b&gt;</i></b> 1 < 2 &amp; 3", "html")).toEqual({
      text: "a <b> 1 < 2 & 3",
      markup: [
        { type: "strong", from: 0, length: 5 },
        { type: "emphasized", from: 2, length: 3 },
      ],
    });
  });

  test("code inside pre is one mark, an empty tag is none", () => {
    expect(formatted("<pre><code>x</code></pre><b></b>", "html").markup).toEqual([
      { type: "monospaced", from: 0, length: 1 },
    ]);
  });

  test("a link to a user is a mention", () => {
    expect(formatted('<a href="max://user/42">Ира</a>', "html").markup).toEqual([
      { type: "user_mention", from: 0, length: 3, user_id: 42 },
    ]);
  });
});

describe("Markdown", () => {
  test.each([
    ["*b*", "emphasized"],
    ["_b_", "emphasized"],
    ["**b**", "strong"],
    ["__b__", "strong"],
    ["~~b~~", "strikethrough"],
    ["++b++", "underline"],
    ["`b`", "monospaced"],
    ["^^b^^", "highlighted"],
  ])("%s becomes %s", (source, type) => {
    expect(formatted(`a ${source} c`, "markdown")).toEqual({
      text: "a b c",
      markup: [{ type, from: 2, length: 1 }],
    });
  });

  test("headings, links and mentions are read", () => {
    expect(formatted("# Заголовок\n[сайт](https://ex.ru/a_(b)) и [Ира](max://user/42)", "markdown")).toEqual({
      text: "Заголовок\nсайт и Ира",
      markup: [
        { type: "heading", from: 0, length: 9 },
        { type: "link", from: 10, length: 4, url: "https://ex.ru/a_(b)" },
        { type: "user_mention", from: 17, length: 3, user_id: 42 },
      ],
    });
  });

  test("marks nest", () => {
    expect(formatted("***a*** and **b *c***", "markdown")).toEqual({
      text: "a and b c",
      markup: [
        { type: "strong", from: 0, length: 1 },
        { type: "emphasized", from: 0, length: 1 },
        { type: "strong", from: 6, length: 3 },
        { type: "emphasized", from: 8, length: 1 },
      ],
    });
  });

  test.each([
    ["2 * 3 * 4"],
    ["snake_case_name"],
    ["**open"],
    ["[a] (b)"],
    ["`tick"],
    ["C++ and C++"],
    ["~"],
    ["#tag"],
  ])("%s stays as it is", (source) => {
    expect(formatted(source, "markdown")).toEqual({ text: source, markup: [] });
  });

  test("a backslash keeps a character from formatting, code keeps all of them", () => {
    expect(formatted("\\*a\\* `*b*`", "markdown")).toEqual({
      text: "*a* *b*",
      markup: [{ type: "monospaced", from: 4, length: 3 }],
    });
  });
});

test("without a format the text is taken literally", () => {
  expect(formatted("<b>*a*</b>", undefined)).toEqual({ text: "<b>*a*</b>", markup: [] });
});

test("markup is always inside the text", () => {
  const piece = fc.constantFrom(
    "*",
    "**",
    "_",
    "__",
    "~~",
    "++",
    "^^",
    "`",
    "[",
    "](u)",
    "<b>",
    "</b>",
    "\\",
    "# ",
    "\n",
    "a",
    " ",
    "🦊",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom("html", "markdown"), (pieces, format) => {
      const { text, markup } = formatted(pieces.join(""), format);
      for (const mark of markup) {
        expect(mark.length).toBeGreaterThan(0);
        expect(mark.from + mark.length).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});
