import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExpectedPage } from "../../platforms/index.ts";
import { readHtml, readPage } from "./html-page.ts";
import { type FetchedPage, judgePage, letters } from "./judge-page.ts";
import { codeIn } from "./leftover-code.ts";

const url = "https://shop.example/kak-vybrat-stol/";

interface Themed {
  title?: string;
  body?: string;
  head?: string;
  robotsTag?: string;
}

/** A page as themes make them: menus around, the article in the middle. */
function page({
  title = "Как выбрать стол",
  body = "<h2>Размер</h2><p>Мерим.</p>",
  head = "",
  robotsTag = "",
}: Themed): FetchedPage {
  const html = `<!doctype html><html><head><title>${title} – Магазин</title>${head}<style>.a{color:red}</style>
    <script type="application/ld+json">{"@type":"Article"}</script></head>
    <body><header><h2>Магазин</h2><nav>.menu{display:none}</nav></header>
    <main><article><h1>${title}</h1><div class="entry">${body}</div></article></main>
    <footer>{"@context":"x"}</footer></body></html>`;
  return { url, html: readHtml(html), robotsTag };
}

const expected = (given: Partial<ExpectedPage> = {}): ExpectedPage => ({
  title: "Как выбрать стол",
  html: "<h2>Размер</h2><p>Мерим.</p>",
  pictures: 0,
  ...given,
});

const codes = (themed: Themed, wanted: Partial<ExpectedPage> = {}) =>
  judgePage(page(themed), expected(wanted)).map(({ code }) => code);

describe("a page is in order", () => {
  it("when it shows what was published", () => {
    expect(judgePage(page({}), expected())).toEqual([]);
  });

  it.each<[string, Themed, Partial<ExpectedPage>]>([
    ["quotes and dashes are set in type", { title: "Стол «Икс» — 3×4…" }, { title: 'Стол "Икс" - 3x4...' }],
    [
      "the theme adds headings of its own",
      { body: "<h3>Содержание</h3><h2>Размер</h2><h3>Читайте также</h3>" },
      {},
    ],
    [
      "its canonical address is its own, without the last slash",
      { head: '<link rel="canonical" href="/kak-vybrat-stol">' },
      {},
    ],
    ["it names no canonical address and none was asked for", {}, {}],
    [
      "it names the original that was asked for",
      { head: '<link rel="canonical" href="https://other.example/a">' },
      { canonicalUrl: "https://other.example/a" },
    ],
    ["noindex was asked for", { head: '<meta name="robots" content="noindex">' }, { noindex: true }],
    [
      "robots are invited",
      { head: '<meta name="robots" content="index, max-image-preview:none">', robotsTag: "index" },
      {},
    ],
    [
      "code is shown on purpose, as code",
      { body: '<h2>Размер</h2><pre>.toc{color:red}</pre><p><code>{"a":1}</code></p>' },
      {},
    ],
    [
      "code is shown on purpose, as text",
      { body: "<h2>Размер</h2><p>Пишем .toc { color: red; } и готово</p>" },
      { html: "<h2>Размер</h2><p>Пишем .toc { color: red; } и готово</p>" },
    ],
    [
      "braces stand in prose",
      { body: "<h2>Размер</h2><p>Множество {1, 2, 3} и скобки {так: бывает}</p>" },
      {},
    ],
    [
      "its pictures are lazy",
      { body: '<h2>Размер</h2><img src="data:image/gif;base64,AA" data-src="/a.jpg">' },
      { pictures: 1 },
    ],
  ])("though %s", (_, themed, wanted) => {
    expect(codes(themed, wanted)).toEqual([]);
  });
});

describe("a page is not in order", () => {
  it.each<[string, string[], Themed, Partial<ExpectedPage>]>([
    ["the title is no heading", ["title_missing"], { title: "Сайт на обслуживании" }, {}],
    ["a heading is missing", ["heading_missing"], { body: "<p>Размер</p>" }, {}],
    [
      "headings stand in another order",
      ["headings_disordered"],
      { body: "<h2>Цена</h2><h2>Размер</h2>" },
      { html: "<h2>Размер</h2><h2>Цена</h2>" },
    ],
    [
      "a picture is missing",
      ["picture_missing"],
      { body: '<h2>Размер</h2><img src="/a.jpg">' },
      { pictures: 2 },
    ],
    [
      "a style sheet is read as text",
      ["code_visible"],
      { body: "<p>.toc{border:1px solid #ddd;padding:8px}</p><h2>Размер</h2>" },
      { html: "<style>.toc{border:1px solid #ddd;padding:8px}</style><h2>Размер</h2>" },
    ],
    [
      "structured data are read as text, in printers' quotes",
      ["code_visible"],
      { body: "<h2>Размер</h2><p>{“@context”:”https://schema.org”,”@type”:”FAQPage”}</p>" },
      {},
    ],
    [
      "a meta tag keeps robots out",
      ["noindex"],
      { head: '<meta name="robots" content="NoIndex, follow">' },
      {},
    ],
    ["a meta tag keeps one robot out", ["noindex"], { head: '<meta name="yandex" content="none">' }, {}],
    ["a header keeps robots out", ["noindex"], { robotsTag: "googlebot: noindex, nofollow" }, {}],
    [
      "it names another original",
      ["canonical_differs"],
      { head: '<link rel="canonical" href="https://shop.example/">' },
      {},
    ],
    [
      "the original that was asked for is not named",
      ["canonical_differs"],
      {},
      { canonicalUrl: "https://other.example/a" },
    ],
  ])("when %s", (_, found, themed, wanted) => {
    expect(codes(themed, wanted)).toEqual(found);
  });
});

describe("whatever a page holds", () => {
  const words = fc.string({ unit: "grapheme", maxLength: 40 });
  const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

  it("headings that were published in order are found in order, whatever is between them", () => {
    const pieces = fc.array(fc.tuple(words, words), { maxLength: 8 });
    fc.assert(
      fc.property(words, pieces, (title, list) => {
        const html = list.map(([heading]) => `<h2>${escaped(heading)}</h2>`).join("");
        const body = list
          .map(([heading, between]) => `<h3>${escaped(between)}</h3><h2>${escaped(heading)}</h2>`)
          .join("");
        const found = judgePage(page({ title: escaped(title), body }), expected({ title, html })).map(
          ({ code }) => code,
        );
        expect(found.filter((code) => code !== "code_visible")).toEqual([]);
      }),
    );
  });

  it("reading it never fails, and the same page always reads the same", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (html) => {
        expect(readHtml(html)).toEqual(readHtml(html));
        expect(typeof letters(html)).toBe("string");
      }),
    );
  });

  it.each([
    ["nested deeper than a parser can go", "<div>".repeat(20_000), "its tags lie too deep in each other"],
    ["crowded with tags", "<br>".repeat(40_000), "it has more than 30000 tags"],
  ])("a page %s is told as unreadable", (_, html, fault) => {
    expect(readPage(html)).toEqual({ fault });
  });

  it("letters and blanks alone are never taken for code", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L} .,!?-]{0,80}$/u), (text) => {
        expect(codeIn(text)).toBeUndefined();
      }),
    );
  });

  it("any rule of a style sheet is taken for code", () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{1,10}$/);
    fc.assert(
      fc.property(name, fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 4 }), (selector, rules) => {
        const css = `.${selector} { ${rules.map(([property, value]) => `${property}: ${value}`).join("; ")} }`;
        expect(codeIn(css)).toBe("css");
      }),
    );
  });
});
