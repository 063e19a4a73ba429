import { describe, expect, test } from "vitest";
import { parseContent, plainText } from "./index.ts";
import type { MarkdownDialect } from "./post.ts";

function read(source: string, dialect: MarkdownDialect) {
  const parsed = parseContent(source, "markdown", dialect);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed;
}

const blocks = (source: string, dialect: MarkdownDialect) => read(source, dialect).document.blocks;
const text = (source: string, dialect: MarkdownDialect) => plainText(read(source, dialect).document);
const refusal = (source: string, dialect: MarkdownDialect) => {
  const parsed = parseContent(source, "markdown", dialect);
  return parsed.ok ? undefined : parsed.error;
};
const repairs = (source: string, dialect: MarkdownDialect) =>
  read(source, dialect).repairs.map(({ code, position }) => [code, position?.offset]);

const said = (value: string) => ({ type: "text", text: value });
const paragraph = (...children: unknown[]) => [{ type: "paragraph", children }];

describe("Telegram's MarkdownV2", () => {
  test.each([
    ["*x*", "bold"],
    ["_x_", "italic"],
    ["__x__", "underline"],
    ["~x~", "strike"],
    ["||x||", "spoiler"],
  ])("%s is %s", (source, type) => {
    expect(blocks(source, "telegram")).toEqual(paragraph({ type, children: [said("x")] }));
  });

  test("nests marks, and two underscores are never two italics", () => {
    expect(blocks("*a _b __c__ d_*", "telegram")).toEqual(
      paragraph({
        type: "bold",
        children: [
          said("a "),
          {
            type: "italic",
            children: [said("b "), { type: "underline", children: [said("c")] }, said(" d")],
          },
        ],
      }),
    );
  });

  test("knows links, mentions, custom emoji and code", () => {
    const source =
      "[сайт](https://a.ru/\\)x) [Ира](tg://user?id=7) ![👍](tg://emoji?id=55) `a\\`b` \n```ts\nlet a = 1\n```";
    expect(blocks(source, "telegram")).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "link", url: "https://a.ru/)x", children: [said("сайт")] },
          said(" "),
          { type: "mention", network: "telegram", userId: "7", children: [said("Ира")] },
          said(" "),
          { type: "emoji", id: "55", text: "👍" },
          said(" "),
          { type: "code", text: "a`b" },
        ],
      },
      { type: "pre", language: "ts", text: "let a = 1" },
    ]);
  });

  test("knows quotes, and those that fold", () => {
    expect(blocks("до\n>раз\n>*два*\nпосле\n**>три\n>четыре||", "telegram")).toMatchObject([
      { type: "paragraph" },
      { type: "quote", expandable: false, blocks: [{ type: "paragraph" }] },
      { type: "paragraph" },
      { type: "quote", expandable: true },
    ]);
    expect(text(">раз\n>два\nпосле", "telegram")).toBe("раз\nдва\n\nпосле");
  });

  test("takes every escaped sign as it is", () => {
    const signs = "_*[]()~`>#+-=|{}.!\\";
    expect(text(signs.replace(/./g, "\\$&"), "telegram")).toBe(signs);
    expect(repairs(signs.replace(/./g, "\\$&"), "telegram")).toEqual([]);
  });

  test("takes a reserved sign that opens nothing as it is, and says so with its place", () => {
    expect(text("Цена 1.5 (скидка) — #1!", "telegram")).toBe("Цена 1.5 (скидка) — #1!");
    expect(repairs("а.б", "telegram")).toEqual([["sign_as_text", 1]]);
    expect(text("[скобки] и ![знак]", "telegram")).toBe("[скобки] и ![знак]");
  });

  // covers autoposting: Preflight validation
  test.each([
    ["*жирный", 0, "* is not closed, at line 1, column 1"],
    ["а\n*б _в*", 7, "* is not closed, at line 2, column 6"],
    ["`код", 0, "code is not closed, at line 1, column 1"],
    ["[ссылка", 0, "[ is not closed, at line 1, column 1"],
    ["[ссылка](https://a.ru", 8, "the address of a link is not closed, at line 1, column 9"],
    [">*цитата\nпосле*", 1, "* is not closed, at line 1, column 2"],
  ])("%j is refused with its place", (source, offset, message) => {
    expect(refusal(source, "telegram")).toMatchObject({
      code: "mark_unclosed",
      message,
      position: { offset },
    });
  });

  test("gives positions in the text that was sent, hidden characters and long line ends included", () => {
    expect(refusal("а\u200Bб\r\n\u{E0041}*в", "telegram")).toMatchObject({
      position: { offset: 7, line: 2, column: 3 },
    });
    expect(repairs("а\u202Eб.", "telegram")).toEqual([
      ["characters_removed", 1],
      ["sign_as_text", 3],
    ]);
  });
});

describe("Telegram's first Markdown", () => {
  test("knows four signs and nothing inside them", () => {
    expect(blocks("*ж _к_* _к_ `c` [с](https://a.ru)\n```\nпре\n```", "telegram_legacy")).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "bold", children: [said("ж _к_")] },
          said(" "),
          { type: "italic", children: [said("к")] },
          said(" "),
          { type: "code", text: "c" },
          said(" "),
          { type: "link", url: "https://a.ru", children: [said("с")] },
        ],
      },
      { type: "pre", text: "пре" },
    ]);
  });

  test("needs no escapes but for its own signs", () => {
    expect(text("1.5 - 2 + 3! \\_имя\\_ \\*", "telegram_legacy")).toBe("1.5 - 2 + 3! _имя_ *");
  });

  test.each([
    ["snake_case", 5],
    ["*а", 0],
    ["`а", 0],
    ["а [б", 2],
  ])("%j is refused with its place", (source, offset) => {
    expect(refusal(source, "telegram_legacy")).toMatchObject({ code: "mark_unclosed", position: { offset } });
  });
});

describe("MAX's Markdown", () => {
  test.each([
    ["**x**", "bold"],
    ["__x__", "bold"],
    ["*x*", "italic"],
    ["_x_", "italic"],
    ["~~x~~", "strike"],
    ["++x++", "underline"],
    ["^^x^^", "highlight"],
  ])("%s is %s", (source, type) => {
    expect(blocks(source, "max")).toEqual(paragraph({ type, children: [said("x")] }));
  });

  test("knows headings, links, mentions and code", () => {
    expect(blocks("# З **ж**\nтекст [с](https://a.ru/(x)) [Ира](max://user/7) ``a`b``", "max")).toEqual([
      { type: "heading", level: 1, children: [said("З "), { type: "bold", children: [said("ж")] }] },
      {
        type: "paragraph",
        children: [
          said("текст "),
          { type: "link", url: "https://a.ru/(x)", children: [said("с")] },
          said(" "),
          { type: "mention", network: "max", userId: "7", children: [said("Ира")] },
          said(" "),
          { type: "code", text: "a`b" },
        ],
      },
    ]);
  });

  test("three signs are a pair and a single one", () => {
    const both = paragraph({ type: "bold", children: [{ type: "italic", children: [said("x")] }] });
    expect(blocks("***x***", "max")).toEqual(both);
    expect(blocks("**a *b***", "max")).toEqual(
      paragraph({ type: "bold", children: [said("a "), { type: "italic", children: [said("b")] }] }),
    );
  });

  test.each([
    ["2 * 3 * 4"],
    ["snake_case_name"],
    ["C++ и C#"],
    ["**не закрыт"],
    ["x^2 ~ y^2"],
    ["[скобки] и (круглые)"],
    ["****"],
    ["#хештег"],
    ["> не цитата"],
    ["`тик"],
  ])("%j has no marks", (source) => {
    expect(text(source, "max")).toBe(source);
    expect(blocks(source, "max")).toEqual(paragraph(said(source)));
  });

  test("a mark that crosses another means itself", () => {
    expect(text("**a _b** c_", "max")).toBe("a _b c_");
  });
});

describe("a bomb in any dialect is read or refused quickly", () => {
  const bombs = [
    "*_".repeat(5_000),
    "[".repeat(50_000),
    "`a``b".repeat(10_000),
    "||_".repeat(9_000),
    "**a".repeat(30_000),
  ];
  const dialects = ["commonmark", "telegram", "telegram_legacy", "max"] as const;
  test.each(dialects.flatMap((dialect) => bombs.map((bomb) => [dialect, bomb.slice(0, 6), bomb] as const)))(
    "%s: %s…",
    (dialect, _, bomb) => {
      const parsed = parseContent(bomb, "markdown", dialect);
      if (!parsed.ok) expect(parsed.error.position).toBeDefined();
    },
    2_000,
  );
});

test.each(["telegram", "telegram_legacy", "max"] as const)(
  "a link to a script is dropped in %s",
  (dialect) => {
    expect(text("[б](javascript:alert)", dialect)).toBe("б");
    expect(repairs("[б](javascript:alert)", dialect)).toEqual([["link_dropped", 0]]);
  },
);
