import { z } from "zod";
import { countWords, plainly } from "../language/index.ts";
import { type Block, readArticle } from "../score/index.ts";

export const textLimits = { least: 3, most: 5, characters: 40_000, words: 40 } as const;

export const textFormats = ["text", "markdown", "html"] as const;

/** A text that somebody likes: given as it is, or by the address of its page. */
export const givenText = z.strictObject({
  name: z.string().trim().max(200).default("").describe("By which it is shown later"),
  text: z.string().min(1).max(textLimits.characters),
  format: z.enum(textFormats).default("text").describe("text: every line is a paragraph"),
});
export type GivenText = z.infer<typeof givenText>;

export const givenPage = z.string().trim().min(1).max(2_000);

/** The blocks of a text that a reader sees. */
export function blocksOf({ text, format }: Pick<GivenText, "text" | "format">): readonly Block[] {
  if (format === "text") return linesOf(text);
  return readArticle(format === "html" ? mainPart(text) : text, format).blocks;
}

/** Posts and letters have no marks: a line is a paragraph, one that begins like an item is an item. */
function linesOf(text: string): Block[] {
  return text.split(/\r\n|[\n\r]/).flatMap((line): Block[] => {
    const plain = plainly(line);
    if (plain === "") return [];
    const item = /^(?:[-–—•*·]|\d{1,2}[.)])\s+(\S.*)$/.exec(plain)?.[1];
    return [{ kind: item ? "item" : "paragraph", level: 0, text: item ?? plain }];
  });
}

/** The article of a page, or its main part; menus and footers are nobody's style. */
function mainPart(html: string): string {
  const small = html.toLowerCase();
  for (const name of ["article", "main"]) {
    const start = small.indexOf(`<${name}`);
    const end = small.lastIndexOf(`</${name}>`);
    if (start >= 0 && end > start) return html.slice(start, end + name.length + 3);
  }
  return html;
}

/** Words of everything that is measured. */
export const wordsOfBlocks = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, { kind, text }) => (kind === "heading" || kind === "cell" ? sum : sum + countWords(text)),
    0,
  );

/** The text without marks, for a model to read. */
export const proseOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join("\n");
