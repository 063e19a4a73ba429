import fc from "fast-check";
import { expect, test } from "vitest";
import { anyDocument, essence } from "../../../tests/contract/posts.ts";
import { createLossLog, type Document, plainText } from "../../content/index.ts";
import { blocksHtml } from "./html.ts";
import { readHtml } from "./read-html.ts";

const htmlOf = (document: Document) => blocksHtml(document, createLossLog());

/** Addresses that a site does not accept are spelt out, which adds letters. */
const withoutForeignLinks = (document: Document): Document =>
  JSON.parse(JSON.stringify(document).replaceAll(/"tg:[^"]*"/g, '"https://example.ru/"'));

test("a page reads back as every letter of the document, in order", () => {
  fc.assert(
    fc.property(anyDocument.map(withoutForeignLinks), (document) => {
      expect(essence(readHtml(htmlOf(document)).text)).toBe(essence(plainText(document)));
    }),
    { numRuns: 100 },
  );
});

test("every tag of a page is closed in its turn, and no word of an author makes one", () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const open: string[] = [];
      for (const [, slash, tag = ""] of htmlOf(document)
        .replace(/<!--[\s\S]*?-->/g, "")
        .matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
        if (tag === "br") continue;
        if (slash) expect(open.pop()).toBe(tag);
        else open.push(tag);
      }
      expect(open).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("marks lie over the words that they belong to", () => {
  const document: Document = {
    blocks: [
      { type: "heading", level: 2, children: [{ type: "text", text: "Шаг" }] },
      {
        type: "paragraph",
        children: [
          { type: "bold", children: [{ type: "text", text: "вода" }] },
          { type: "text", text: " и " },
          { type: "link", url: "https://a.ru/?a=1&b=2", children: [{ type: "text", text: "чай" }] },
        ],
      },
    ],
  };
  expect(readHtml(htmlOf(document))).toEqual({
    text: "Шаг\n\nвода и чай",
    marks: [
      { kind: { type: "heading", level: 2 }, offset: 0, length: 3 },
      { kind: { type: "bold" }, offset: 5, length: 4 },
      { kind: { type: "link", url: "https://a.ru/?a=1&b=2" }, offset: 12, length: 3 },
    ],
  });
});
