import { meaningOf, stem } from "../links/index.ts";
import type { Competitor } from "./shape.ts";

export interface Analysis {
  /** Topics that fewer than two of the pages have. */
  readonly gaps: readonly string[];
  readonly words: { readonly min: number; readonly max: number };
  /** For prompts: titles, headings and summaries. */
  readonly pages: string;
}

const shortest = 1_500;
const longest = 5_000;
const mostGaps = 8;
/** How much of their words two headings about one thing share. */
const sameTopic = 0.5;

/** What to write about and how much, from the pages that rank. Pure. Without pages the settings decide. */
export function analyseCompetitors(
  competitors: readonly Competitor[],
  phrase: string,
  settings: { readonly words_min: number; readonly words_max: number },
): Analysis {
  return {
    gaps: gapsOf(competitors, phrase),
    words: wordsFor(
      competitors.map(({ words }) => words),
      settings,
    ),
    pages: competitors.map(pageText).join("\n\n"),
  };
}

export function wordsFor(
  lengths: readonly number[],
  settings: { readonly words_min: number; readonly words_max: number },
): Analysis["words"] {
  const known = lengths.filter((length) => length > 0).toSorted((one, other) => one - other);
  if (known.length === 0)
    return { min: Math.min(settings.words_min, settings.words_max), max: settings.words_max };
  const middle = Math.floor(known.length / 2);
  const median =
    known.length % 2 === 1 ? (known[middle] ?? 0) : ((known[middle - 1] ?? 0) + (known[middle] ?? 0)) / 2;
  const wanted = Math.max(shortest, Math.ceil(median * 1.1));
  const max = Math.min(longest, wanted + 500);
  return { min: Math.min(wanted, max), max };
}

function gapsOf(competitors: readonly Competitor[], phrase: string): string[] {
  // One page covers everything it covers alone: that says nothing about the others.
  if (competitors.length < 2) return [];
  const subject = new Set(meaningOf(phrase, stem));
  const topics: { text: string; words: Set<string>; pages: Set<number> }[] = [];
  for (const [page, { headings }] of competitors.entries())
    for (const { level, text } of headings) {
      const words = new Set(meaningOf(text, stem).filter((word) => !subject.has(word)));
      if (level !== 2 || words.size === 0) continue;
      const known = topics.find((topic) => likeness(topic.words, words) >= sameTopic);
      if (known) known.pages.add(page);
      else topics.push({ text, words, pages: new Set([page]) });
    }
  return topics
    .filter(({ pages }) => pages.size < 2)
    .map(({ text }) => text)
    .slice(0, mostGaps);
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  return common / (one.size + other.size - common);
}

function pageText({ title, summary, headings }: Competitor): string {
  const sections = headings.filter(({ level }) => level > 1 && level < 4).map(({ text }) => `- ${text}`);
  return [title, summary.slice(0, 600), ...sections.slice(0, 20)].filter((text) => text !== "").join("\n");
}
