import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SitePage } from "../../src/seo/links/index.ts";

/** Texts of the length that is measured, made of the scorer's golden texts. */

// The compiled bench lies in dist/bench, the texts with the sources.
const golden = new URL("../../../../src/seo/score/golden/", import.meta.url);

const bodies = readdirSync(fileURLToPath(golden))
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map((name) => readFileSync(new URL(name, golden), "utf8").replace(/^---\n[\s\S]*?\n---\n/, ""));

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)?.length ?? 0;

/** An article of at least so many words; other paragraphs for other numbers. */
export function articleOf(words: number, number: number): string {
  const paragraphs = bodies.flatMap((_, index) =>
    (bodies[(number * 5 + index) % bodies.length] ?? "").split(/\n{2,}/),
  );
  const chosen: string[] = [];
  let count = 0;
  for (const paragraph of paragraphs) {
    // Whoever counts otherwise still finds enough.
    if (count >= words * 1.1) break;
    chosen.push(paragraph);
    count += wordsIn(paragraph);
  }
  return chosen.join("\n\n");
}

/** A site's map: titles and descriptions of words that articles use too. */
export function siteMap(site: string, pages: number): SitePage[] {
  const words = [...new Set(bodies.join(" ").match(/[а-яё]{4,}/gi) ?? [])];
  const pick = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => words[(from * 31 + at * at * 17 + at) % words.length]).join(" ");
  return Array.from({ length: pages }, (_, index) => ({
    url: `${site}/stati/${index}-${pick(index, 2).replaceAll(" ", "-")}/`,
    title: `${pick(index, 3 + (index % 5))} — Своё дело`,
    description: pick(index + 7, 12 + (index % 9)),
  }));
}
