import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, it } from "vitest";
import { markdownTree } from "./markdown-tree.ts";

const parser = unified().use(remarkParse).use(remarkGfm);
const golden = new URL("../seo/score/golden/", import.meta.url);
const articles = readdirSync(golden).filter((name) => name.endsWith(".md"));

/** Lines that begin, go on with or end every kind of block, and some that only look like it. */
const line = fc.constantFrom(
  ...["Простой абзац.", "Ещё один, с «кавычками» — и тире.", "(скобки) сначала", "Latin, 3,5 % and 12 500 ₽"],
  ...["## Заголовок", "### Сколько это стоит?", "#Не заголовок", "# Закрытый #", "####### Семь", "## ", "#"],
  ...[
    "- пункт",
    "* пункт",
    "+ пункт",
    "1. первый",
    "2) второй",
    "  - вложенный",
    "    отступ",
    "\tтабуляция",
  ],
  ...["> цитата", ">", "***", "---", "===", "| а | б |", "| --- | --- |", "текст | с чертой", "- ", "1."],
  ...[
    "**жирный** и *курсив*",
    "[ссылка](/a)",
    "[имя]",
    "![рисунок](/i.png)",
    "~~нет~~",
    "`код`",
    "- [ ] дело",
  ],
  ...["www.example.org рядом", "адрес https://example.org/а и дальше", "почта a@b.ru", "http: не адрес"],
  ...[
    "&amp; и &нет;",
    "знак \\* и \\",
    "пробелы в конце  ",
    " пробел в начале",
    "   три",
    "сочетание\u00A0слов",
  ],
  ...["Строка без точки", "Итог: да!", "«Цитата», — сказал он.", "{{IMAGE_1}}", "", "", "", "", " ", "\t"],
);
/** What reaches over blank lines. */
const reaching = fc.constantFrom(
  ...["```", "~~~ js", "[имя]: /b", "[^1]", "[^1]: сноска", "<div>", "</div>", "<!--", "a < b", "Текст\r"],
);
const lines = fc.array(fc.oneof({ weight: 40, arbitrary: line }, { weight: 1, arbitrary: reaching }), {
  maxLength: 14,
});

describe("the tree of Markdown", () => {
  it("is the parser's own, to the last position", () => {
    fc.assert(
      fc.property(lines, (given) => {
        const source = given.join("\n");
        expect(markdownTree(source)).toEqual(parser.parse(source));
      }),
      { numRuns: 1_000 },
    );
  });

  it("is the parser's own for any signs in any order", () => {
    const sign = fc.constantFrom(..."аБz1 \n\n#*_-+.>|`~[](){}!&;:\\\"'«»—=/@^wht");
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        const source = signs.join("");
        expect(markdownTree(source)).toEqual(parser.parse(source));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(articles)("is the parser's own for the article %s", (name) => {
    const source = readFileSync(new URL(name, golden), "utf8");
    expect(markdownTree(source)).toEqual(parser.parse(source));
  });
});
