import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearWork } from "../../../../tests/support/work.ts";
import { postFromPayload } from "../../../content/index.ts";
import { cleanHtml } from "./clean-html.ts";
import { titleText } from "./title-text.ts";

const clean = (source: string, longest = 1000) =>
  cleanHtml(source, { base: "https://site.example/a/b", longest }).html;

describe("HTML of a feed", () => {
  it("keeps the allowed tags without their attributes and closes them", () => {
    expect(clean('<p class="x" onclick="evil()">Раз <strong>два <em>три</p>')).toBe(
      "<p>Раз <b>два <i>три</i></b></p>",
    );
  });

  it("loses scripts, frames and addresses that are no web addresses", () => {
    expect(
      clean('До<script>alert(1)</script><iframe src="x"></iframe> <a href="javascript:x">сюда</a>'),
    ).toBe("До сюда");
  });

  it("completes relative links", () => {
    expect(clean('<a href="../c?x=1&y=2">там</a>')).toBe(
      '<a href="https://site.example/c?x=1&amp;y=2">там</a>',
    );
  });

  it("is cut at a word, outside of tags, with an ellipsis", () => {
    expect(clean("<p>Первое <b>второе третье</b> четвёртое</p>", 18)).toBe("<p>Первое <b>второе…</b></p>");
    expect(clean("ровно", 5)).toBe("ровно");
  });

  it("never cuts a character in two", () => {
    expect(clean("😀😀😀", 3)).toBe("😀…");
  });

  it("takes line ends for spaces in markup and for lines in bare text", () => {
    expect(clean("<p>одна\n строка</p>")).toBe("<p>одна строка</p>");
    expect(clean("первая\nвторая")).toBe("первая\nвторая");
  });

  it("counts the lines of a preformatted text", () => {
    expect(clean("<pre>а<br>б<br>в</pre>", 2)).toBe("<pre>а\n…</pre>");
  });

  it("gives its images in order, without counters and inline data", () => {
    const { images } = cleanHtml(
      '<img src="/1.jpg"><img src="p.gif" width="1" height="1"><img src="data:image/png;base64,AA"><p>т<img src="2.png"></p>',
      { base: "https://site.example/", longest: 0 },
    );
    expect(images).toEqual(["https://site.example/1.jpg", "https://site.example/2.png"]);
  });

  it.each<[string, number, (at: number) => string]>([
    ["formatting that is never closed", 5_000, (at) => `<font c=${at}><p>x`],
    ["comments that are never closed", 25_000, () => "<!--"],
    ["quotes that are never closed", 25_000, () => '<a "'],
    ["nesting without end", 12_500, () => "<div><b>"],
    ["lines without end", 25_000, () => "<br>"],
    ["images without end", 5_000, (at) => `<img src="/${at}.png">`],
  ])(
    "takes work that grows with its length, whatever it does to parsers: %s",
    async (_what, length, piece) => {
      const source = (share: number) =>
        Array.from({ length: Math.floor(length * share) }, (_, at) => piece(at)).join("");
      await expectLinearWork(source, (given) => clean(given, 50_000));
    },
  );

  it("whatever it was, comes out as a text that can be read, no longer than asked", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<i",
        "<ul><li>",
        "</ul>",
        "<a href='/x'>",
        "</a>",
        "<pre>",
        "&lt;",
        "&",
        "<br>",
        "<td>",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (pieces, longest) => {
        const html = clean(pieces.join("").replaceAll("\0", "").toWellFormed(), longest);
        expect(postFromPayload({ text: html, parse_mode: "HTML" })).toMatchObject({ ok: true });
        const visible = html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|amp|quot);/g, "x");
        expect(visible.length).toBeLessThanOrEqual(longest + 1);
      }),
    );
  });
});

describe("a title", () => {
  it.each([
    ["Как мы <b>ускорили</b> R&amp;D &laquo;в&nbsp;два раза&raquo;", "Как мы ускорили R&D «в два раза»"],
    ["List<String> и Map<K, V>", "List<String> и Map<K, V>"],
    ["a < b & c", "a < b & c"],
  ])("%s", (source, title) => {
    expect(titleText(source)).toBe(title);
  });
});
