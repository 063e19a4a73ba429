import { describe, expect, test } from "vitest";
import { longestSource, parseContent, plainText } from "./index.ts";
import type { TextFormat } from "./post.ts";

function read(source: string, format: TextFormat) {
  const parsed = parseContent(source, format);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed;
}

function refusal(source: string, format: TextFormat) {
  const parsed = parseContent(source, format);
  return parsed.ok ? undefined : parsed.error;
}

const repairsOf = (source: string, format: TextFormat) =>
  read(source, format).repairs.map(({ code, position }) => [code, position?.offset]);

describe("plain text", () => {
  test("means itself, tags and stars included", () => {
    expect(plainText(read("<b>*a*</b> & b", "plain").document)).toBe("<b>*a*</b> & b");
  });

  test("keeps every empty line its author left", () => {
    const text = "раз\n\nдва\nтри\n\n\nчетыре\n\n\n\nпять";
    expect(plainText(read(text, "plain").document)).toBe(text);
  });
});

describe("HTML", () => {
  test("of a messenger keeps its line ends", () => {
    expect(read("<b>Привет</b>\nмир\n\nконец", "html").document.blocks).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "bold", children: [{ type: "text", text: "Привет" }] },
          { type: "break" },
          { type: "text", text: "мир" },
        ],
      },
      { type: "paragraph", children: [{ type: "text", text: "конец" }] },
    ]);
  });

  test("keeps headings as places, jumps that lead to them, contents and tables", () => {
    const source =
      '<nav><a href="#one">Раз</a></nav><h2 id="one">Раз</h2><h2 id="one">Снова</h2><p><a href="#two">нет</a> <a href="#one">да</a></p>' +
      '<nav><a href="#one">Раз</a> <a href="https://a.ru/">Главная</a></nav><table><tr><th colspan="2">Цена</th></tr><tr><td>5</td><td><b>6</b></td></tr></table>';
    const { document, repairs } = read(source, "html");
    const jump = (text: string) => ({ type: "jump", id: "one", children: [{ type: "text", text }] });
    expect(document.blocks).toEqual([
      { type: "contents", blocks: [{ type: "paragraph", children: [jump("Раз")] }] },
      { type: "heading", level: 2, id: "one", children: [{ type: "text", text: "Раз" }] },
      { type: "heading", level: 2, children: [{ type: "text", text: "Снова" }] },
      {
        type: "paragraph",
        children: [{ type: "text", text: "нет" }, { type: "text", text: " " }, jump("да")],
      },
      { type: "paragraph", children: expect.arrayContaining([jump("Раз")]) },
      {
        type: "table",
        head: [],
        rows: [
          [{ isHeader: true, columns: 2, children: [{ type: "text", text: "Цена" }] }],
          [
            { isHeader: false, children: [{ type: "text", text: "5" }] },
            { isHeader: false, children: [{ type: "bold", children: [{ type: "text", text: "6" }] }] },
          ],
        ],
      },
    ]);
    expect(repairs.map(({ code }) => code)).toEqual(["link_dropped"]);
    expect(plainText(document)).toBe("Раз\n\nСнова\n\nнет да\n\nРаз Главная\n\nЦена\n5 | 6");
  });

  test("of a feed folds line ends inside its blocks", () => {
    const source = "<div>\n<p>одна\n  строка</p>\n<ul>\n<li>а</li>\n<li>б</li>\n</ul>\n</div>";
    expect(plainText(read(source, "html").document)).toBe("одна строка\n\n• а\n• б");
  });

  test.each([
    ["<b>x</b>", "bold"],
    ["<strong>x</strong>", "bold"],
    ["<i>x</i>", "italic"],
    ["<em>x</em>", "italic"],
    ["<u>x</u>", "underline"],
    ["<ins>x</ins>", "underline"],
    ["<s>x</s>", "strike"],
    ["<strike>x</strike>", "strike"],
    ["<del>x</del>", "strike"],
    ["<tg-spoiler>x</tg-spoiler>", "spoiler"],
    ['<span class="tg-spoiler">x</span>', "spoiler"],
  ])("%s is %s", (source, type) => {
    expect(read(source, "html").document.blocks).toEqual([
      { type: "paragraph", children: [{ type, children: [{ type: "text", text: "x" }] }] },
    ]);
  });

  test("knows code, quotes, mentions, custom emoji and headings", () => {
    const source =
      '<h2>З</h2><pre><code class="language-ts">\nlet a\n</code></pre><blockquote expandable>ц</blockquote>' +
      '<code>к</code><a href="tg://user?id=7">Ира</a><tg-emoji emoji-id="55">👍</tg-emoji>';
    expect(read(source, "html").document.blocks).toEqual([
      { type: "heading", level: 2, children: [{ type: "text", text: "З" }] },
      { type: "pre", language: "ts", text: "let a" },
      {
        type: "quote",
        expandable: true,
        blocks: [{ type: "paragraph", children: [{ type: "text", text: "ц" }] }],
      },
      {
        type: "paragraph",
        children: [
          { type: "code", text: "к" },
          { type: "mention", network: "telegram", userId: "7", children: [{ type: "text", text: "Ира" }] },
          { type: "emoji", id: "55", text: "👍" },
        ],
      },
    ]);
  });

  // covers autoposting: Preflight validation
  test.each([
    ["<b>открыт", "tag_unclosed", 0],
    ["a <i>b <b>c</i> d</b>", "tag_unclosed", 7],
    ["5<b 3", "tag_unfinished", 1],
    ['x <a href="https://a.ru>y</a>', "tag_unfinished", 2],
    [`${"<i><b>".repeat(40)}x`, "nested_too_deeply", 150],
  ])("%s is refused with its place", (source, code, offset) => {
    expect(refusal(source, "html")).toMatchObject({ code, position: { offset } });
  });

  test("without an end tag where HTML needs none is read", () => {
    expect(plainText(read("<p>а<p>б<br>в<ul><li>г<li>д</ul>", "html").document)).toBe(
      "а\n\nб\nв\n\n• г\n• д",
    );
  });

  test("with a sign that is no tag is text", () => {
    expect(plainText(read("1 < 2 && 3 > 2", "html").document)).toBe("1 < 2 && 3 > 2");
  });
});

describe("Markdown", () => {
  test("is read with GitHub's additions, and a single line end stays one", () => {
    const source = "# Т\n\n**ж** _к_ ~~з~~ `c` https://a.ru\nвторая\n\n1. а\n2. б\n   - в\n\n> ц";
    expect(plainText(read(source, "markdown").document)).toBe(
      "Т\n\nж к з c https://a.ru\nвторая\n\n1. а\n2. б\n   • в\n\nц",
    );
  });

  test("keeps HTML inside it as text and says so", () => {
    const parsed = read("а <script>alert(1)</script>", "markdown");
    expect(plainText(parsed.document)).toBe("а <script>alert(1)</script>");
    expect(parsed.repairs.map(({ code }) => code)).toEqual(["html_as_text", "html_as_text"]);
  });

  test("turns tables, tasks and footnotes into lines", () => {
    const source = "| а | б |\n|---|---|\n| 1 | 2 |\n\n- [x] готово[^1]\n\n[^1]: сноска";
    expect(plainText(read(source, "markdown").document)).toBe(
      "а | б\n1 | 2\n\n• ☑ готово[1]\n\nПримечания\n\n1. сноска",
    );
  });

  test.each([
    [">".repeat(5_000)],
    [`${"- ".repeat(5_000)}x`],
    ["*a _b ".repeat(5_000)],
    ["[".repeat(50_000)],
  ])("a nesting bomb is refused before it is parsed", (bomb) => {
    expect(refusal(bomb, "markdown")).toMatchObject({ code: "nested_too_deeply", position: { line: 1 } });
  });

  test.each([
    "-".repeat(40),
    "-".repeat(60),
    "- ".repeat(40),
    "- ".repeat(60),
    "*".repeat(60),
    "_".repeat(45),
  ])("a divider is one, however long: %s", (divider) => {
    expect(plainText(read(`раз\n\n${divider}\n\nдва`, "markdown").document)).toBe("раз\n\nдва");
  });

  test.each([`${"> ".repeat(24)}x`, `${"- ".repeat(20)}x`, `${"-".repeat(49)}x`, `${"1. ".repeat(20)}x`])(
    "markers that fit are read, whatever follows them: %s",
    (source) => {
      expect(plainText(read(source, "markdown").document)).toMatch(/x$/);
    },
  );

  test("too many markers over many lines are refused", () => {
    expect(refusal(`${"> ".repeat(30)}x\n`.repeat(900), "markdown")).toMatchObject({
      code: "nested_too_deeply",
      position: { line: 34 },
    });
  });
});

describe("Markdown of many lines", () => {
  const lines = (count: number, line: string, end: string) => Array(count).fill(line).join(end);

  test.each(["\n", "\r", "\r\n"])("is read up to 1,000 of them, with %j between", (end) => {
    expect(refusal(lines(1_000, "а", end), "markdown")).toBeUndefined();
    expect(refusal(lines(1_001, "а", end), "markdown")).toMatchObject({
      code: "text_too_large",
      message: expect.stringContaining("more than 1000 lines"),
      position: { offset: 1_000 * (1 + end.length) },
    });
  });

  test("is refused before it is parsed, blank lines too", () => {
    expect(refusal("\n".repeat(longestSource), "markdown")).toMatchObject({
      code: "text_too_large",
      position: { line: 1_001, column: 1 },
    });
  });

  test.each(["commonmark", "telegram", "telegram_legacy", "max"] as const)("is refused as %s", (dialect) => {
    expect(parseContent("\n".repeat(longestSource), "markdown", dialect)).toMatchObject({ ok: false });
  });

  test("is no trouble as plain text and HTML", () => {
    for (const format of ["plain", "html"] as const)
      expect(refusal(lines(2_000, "а", "\n"), format)).toBeUndefined();
  });
});

describe("hostile input", () => {
  test.each(["html", "markdown", "plain"] as const)(
    "with half a character or NUL is refused as %s",
    (format) => {
      expect(refusal("а\nб\uD83Dв", format)).toMatchObject({
        code: "lone_surrogate",
        message: "half of a surrogate pair at line 2, column 2",
        position: { offset: 3, line: 2, column: 2 },
      });
      expect(refusal("а\0б", format)).toMatchObject({ code: "nul_character", position: { offset: 1 } });
    },
  );

  test("longer than any text is refused before it is parsed", () => {
    expect(refusal("а".repeat(longestSource), "plain")).toBeUndefined();
    expect(refusal("а".repeat(longestSource + 1), "plain")).toMatchObject({ code: "text_too_large" });
  });

  test.each([
    ["javascript:alert(1)"],
    ["  JaVaScRiPt:alert(1)"],
    ["java&#9;script:alert(1)"],
    ["java\u200Bscript:alert(1)"],
    ["data:text/html,x"],
    ["vbscript:x"],
    ["file:///etc/passwd"],
    ["//evil.example"],
    ["/relative"],
  ])("the link %s is dropped and its text stays", (href) => {
    const parsed = read(`а <a href="${href}">б</a>`, "html");
    expect(plainText(parsed.document)).toBe("а б");
    expect(JSON.stringify(parsed.document)).not.toContain('"link"');
    expect(parsed.repairs).toContainEqual(expect.objectContaining({ code: "link_dropped" }));
  });

  test("never brings scripts, styles or frames along", () => {
    const source =
      "<style>b{}</style>а<script>alert('<b>')</script><iframe src=x></iframe><svg><text>z</text></svg>";
    expect(plainText(read(source, "html").document)).toBe("а");
    expect(repairsOf(source, "html").map(([code]) => code)).toEqual(Array(4).fill("content_dropped"));
  });

  test("that overrides direction or hides characters is cleaned, with each place named", () => {
    expect(repairsOf("счёт\u202Egpj.exe\u2066\u200B", "plain")).toEqual([
      ["characters_removed", 4],
      ["characters_removed", 12],
      ["characters_removed", 13],
    ]);
    expect(plainText(read("a&#x202E;b&#8203;c", "html").document)).toBe("abc");
  });

  test("named like a part of the language is an unknown tag", () => {
    const source = "<constructor>а</constructor><valueof>б</valueof>";
    expect(plainText(read(source, "html").document)).toBe("аб");
  });

  test("a stray end tag and an unknown tag are dropped and told", () => {
    expect(repairsOf("а</i> <blink>б</blink>", "html")).toEqual([
      ["tag_dropped", 1],
      ["tag_dropped", 6],
    ]);
  });
});

test.each([
  ["a family joined into one emoji", "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈"],
  ["a flag of tag characters", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["a Persian word with a joiner's opposite", "می‌خواهم"],
  ["Arabic beside Latin with a direction mark", "\u200Fمرحبا\u200E abc"],
  ["composed and combining letters", "ё е\u0308 й"],
])("%s passes unharmed", (_, text) => {
  const parsed = read(`x${text}x`, "plain");
  expect(plainText(parsed.document)).toBe(`x${text}x`);
  expect(parsed.repairs).toEqual([]);
});

test("an image inside a text becomes a link", () => {
  const [block] = read('<p>а <img src="https://a.ru/к.png" alt="кот"></p>', "html").document.blocks;
  expect(block).toMatchObject({
    children: [{ text: "а " }, { type: "link", url: "https://a.ru/к.png", children: [{ text: "кот" }] }],
  });
});
