import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { hostileText } from "../../../tests/hostile/fuzz/arbitraries.ts";
import { expectLinearWork } from "../../../tests/support/work.ts";
import { checkFabricated, copiedFrom, simHash } from "../checks/index.ts";
import { createMorphology, type Language, loadLanguage, stemMorphology } from "../language/index.ts";
import { renderArticle } from "../render/index.ts";
import { readFrontMatter } from "./front-matter.ts";
import { judged } from "./golden/judged.ts";
import { dimensions, gateOf, points, readArticle, readTree, type ScoreInput, scoreArticle } from "./index.ts";

let language: Language;
beforeAll(async () => {
  language = await loadLanguage();
});

const folder = new URL("golden/", import.meta.url);
const adds = { contents: true, schema: true };

function golden(file: string): ScoreInput {
  const read = readFrontMatter(readFileSync(new URL(file, folder), "utf8"));
  if (!read.ok) throw new Error(`${file}: ${read.reason}`);
  const { title, description, phrase = "", secondary, target } = read.fields;
  return {
    ...{ title, metaDescription: description, phrase, secondary, targetWords: target, adds },
    ...{ body: read.body, format: "markdown" },
  };
}

describe("the golden texts", () => {
  it.each(judged)("$file scores exactly $total", ({ file, total }) => {
    expect(scoreArticle(golden(file), language).total).toBe(total);
  });

  it("are scored nearly in their order by hand: rank correlation 0.90, the best four and the worst three the same", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
    expect(judged.map(({ file }) => file).sort()).toEqual(files.sort());
    const byScore = [...judged].sort((one, other) => other.total - one.total || one.rank - other.rank);
    const squares = byScore.reduce((sum, { rank }, index) => sum + (rank - (index + 1)) ** 2, 0);
    const n = judged.length;
    expect(1 - (6 * squares) / (n * (n * n - 1))).toBeCloseTo(0.9, 2);
    const ranks = byScore.map(({ rank }) => rank);
    expect(ranks.slice(0, 4).sort((one, other) => one - other)).toEqual([1, 2, 3, 4]);
    expect(ranks.slice(-3)).toEqual([10, 11, 12]);
  });

  it("let the good pass, send the watery to critique and block spam", () => {
    const gate = (file: string) => scoreArticle(golden(file), language).gate;
    expect(["01-sofa.md", "02-cat.md", "03-alimony.md"].map(gate)).toEqual(["pass", "pass", "pass"]);
    expect(["05-english.md", "11-crm.md", "07-autoservice.md"].map(gate)).toEqual(["warn", "warn", "warn"]);
    expect([gate("12-gym.md"), gate("08-pizza.md")]).toEqual(["may_publish", "block"]);
  });
});

it("of a rendered page is the same read from its tree and from its HTML", () => {
  const questions = [{ question: "Сколько это стоит?", answer: "Цена & срок <зависят> от замера." }];
  for (const { file } of judged) {
    const { body, title = "Статья", phrase } = golden(file);
    const rendered = renderArticle({
      ...{
        markdown: `${body}\n\n### Сколько это стоит?\n\nПо-разному.\n\n{{IMAGE_1}}`,
        title,
        mainPhrase: phrase,
      },
      ...{
        images: [{ url: "https://pictures.invalid/1.webp" }],
        faq: questions,
        disclaimer: "Спросите врача.",
      },
    });
    expect(readTree(rendered.whole)).toEqual(readArticle(rendered.html, "html"));
  }
});

describe("the score", () => {
  it("has a hundred points, shared out as the document says", () => {
    const sum = (dimension?: string) =>
      Object.values(points)
        .filter((check) => dimension === undefined || check.dimension === dimension)
        .reduce((total, { max }) => total + max, 0);
    for (const [dimension, max] of Object.entries(dimensions)) expect(sum(dimension)).toBe(max);
    expect(sum()).toBe(100);
  });

  it.each([
    [100, "pass"],
    [80, "pass"],
    [79, "warn"],
    [60, "warn"],
    [59, "may_publish"],
    [40, "may_publish"],
    [39, "block"],
    [0, "block"],
  ] as const)("of %i opens the gate %s", (total, gate) => expect(gateOf(total)).toBe(gate));

  it("explains every lost point in both languages, most valuable first", () => {
    const { issues, checks, total, breakdown } = scoreArticle(golden("07-autoservice.md"), language);
    const lost = issues.map((issue) => issue.max - issue.points);
    expect(lost).toEqual([...lost].sort((one, other) => other - one));
    for (const { label, found, wanted, change } of issues)
      for (const text of [label, found, wanted, change]) {
        expect(text.ru).toMatch(/\S/);
        expect(text.en).toMatch(/\S/);
        expect(`${text.ru}${text.en}`).not.toMatch(/undefined|NaN/);
      }
    expect(checks).toHaveLength(Object.keys(points).length);
    expect(total).toBe(Math.round(Object.values(breakdown).reduce((sum, each) => sum + each, 0)));
    expect(issues.find(({ id }) => id === "filler")?.found.ru).toContain("«осуществляют» ×");
  });

  it("takes points away above the range of density, and gives few inside it", () => {
    const density = (times: number) => {
      const body = `${"Слово ".repeat(200 - 2 * times)}. ${"Купите диван. ".repeat(times)}`;
      return scoreArticle({ body, format: "markdown", phrase: "купить диван" }, language).checks.find(
        ({ id }) => id === "density",
      )?.points;
    };
    expect([density(0), density(2), density(3)]).toEqual([0, 4, 2]);
    expect(density(6)).toBeLessThan(0);
    expect(density(60)).toBe(-20);
  });

  it("reads rendered HTML like its Markdown, and sees contents, Schema.org, pictures and tables", () => {
    const html = `
      <nav><ul><li><a href="#a">Раз</a></li><li><a href="#b">Два</a></li><li><a href="#c">Три</a></li></ul></nav>
      <h2 id="a">Раз</h2><p>Первый абзац о диване.</p><figure><img src="a.webp" alt="Диван"><figcaption>Вид</figcaption></figure>
      <h2 id="b">Два</h2><ul><li>один</li><li>два</li><li>три</li></ul><table><tr><td>Цена</td><td>5 руб.</td></tr></table>
      <h2 id="c">Три</h2><p>См. <a href="/katalog">каталог</a> и <a href="https://shop.ru/b">наш магазин</a>.</p>
      <style>p { color: red }</style>
      <script type="application/ld+json">{"@context":"https://schema.org","@type":"Article"}</script>`;
    const article = readArticle(html, "html");
    expect(article).toMatchObject({
      ...{ contents: true, schemaTypes: ["Article"], tables: 1, lists: [3], images: [{ alt: "Диван" }] },
      links: ["/katalog", "https://shop.ru/b"],
    });
    expect(article.blocks.map((block) => block.text).join(" ")).not.toMatch(/color|schema/);
    const { checks } = scoreArticle(
      { title: "Диван", body: html, format: "html", phrase: "диван", site: "https://www.shop.ru" },
      language,
    );
    const got = Object.fromEntries(checks.map((check) => [check.id, check.points]));
    expect(got).toMatchObject({
      schema: 2,
      contents: 2,
      internalLinks: 3,
      oneH1: 4,
      h2: 5,
      lists: 2,
      images: 2,
    });
  });

  // covers seo: E45
  it("E45: a crash of the language part leaves readability and naturalness at zero, with a named warning", () => {
    const broken = {
      morphology: createMorphology("dictionary", () => {
        throw new Error("out of memory");
      }),
    };
    const score = scoreArticle(golden("01-sofa.md"), broken);
    expect(score.warnings).toEqual([{ code: "nlp_scorer_fallback", detail: "Error: out of memory" }]);
    expect(score.breakdown).toMatchObject({ readability: 0, naturalness: 0 });
    expect(score.breakdown.seo).toBeGreaterThan(15);
    expect(score.issues.find(({ id }) => id === "flesch")?.found.en).toBe("could not be measured");
  });

  // covers seo: E47
  it("E47: markup that cannot be read is read as plain text, with a named warning", () => {
    const score = scoreArticle({ body: "<b><p>Диван".repeat(60), format: "html", phrase: "диван" }, language);
    expect(score.warnings.map(({ code }) => code)).toEqual(["markdown_parse_failed"]);
    expect(score.words).toBeGreaterThan(0);
  });

  it("is zero points for no text", () => {
    const { breakdown, gate } = scoreArticle({ body: "", format: "markdown", phrase: "диван" }, language);
    expect(breakdown).toEqual({ seo: 0, readability: 0, structure: 0, naturalness: 0, depth: 0 });
    expect(gate).toBe("block");
  });

  it("is the same every time, within its bounds, and never throws, whatever the text", () => {
    const input = fc.record({
      body: fc.oneof(hostileText, fc.string({ unit: "grapheme" })),
      format: fc.constantFrom("markdown" as const, "html" as const),
      phrase: fc.oneof(hostileText, fc.constant("купить диван")),
      title: fc.option(hostileText, { nil: undefined }),
      secondary: fc.array(hostileText, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(input, (given) => {
        const score = scoreArticle(given, language);
        expect(scoreArticle(given, language)).toEqual(score);
        expect(score.total).toBeGreaterThanOrEqual(0);
        expect(score.total).toBeLessThanOrEqual(100);
        for (const [dimension, max] of Object.entries(dimensions)) {
          const got = score.breakdown[dimension as keyof typeof dimensions];
          expect(got).toBeGreaterThanOrEqual(0);
          expect(got).toBeLessThanOrEqual(max);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("the work of judging a text", () => {
  const pieces = [
    "а",
    "аб-",
    "а. ",
    "т. ",
    "1. ",
    "1 ",
    "1 111 ",
    "5 руб. ",
    "диван ",
    "купить диван ",
    "не только ",
    "8 495 ",
  ];

  it.each(pieces)(
    "grows with its length and no faster for %j many times over",
    async (piece) => {
      const stems = { morphology: stemMorphology() };
      await expectLinearWork(
        (share) => `${piece.repeat(Math.floor((99_000 * share) / piece.length))}x`,
        (body) => {
          const input = {
            body,
            format: "markdown",
            phrase: "купить диван",
            title: body,
            secondary: ["диван"],
          } as const;
          scoreArticle(input, language);
          scoreArticle(input, stems);
          checkFabricated(body, { prices: [100], companyData: body });
          simHash(body);
          copiedFrom(body, [{ id: 1, text: body }]);
        },
      );
    },
    300_000,
  );
});
