import { isStopWord, meaningOf, type WrittenWord, writtenWords } from "../language/index.ts";
import { type Prose, proseIn, type Span } from "../render/prose.ts";
import { markdownTree } from "../render/read-markdown.ts";
import { markdownLinks } from "./markdown-links.ts";
import { pageKey } from "./site-address.ts";
import type { IndexedPage, SiteIndex } from "./site-index.ts";

export interface LinkOptions {
  /** At most this many links. */
  readonly most: number;
  /** The address of the article itself, if it has one. */
  readonly self?: string;
}

export interface ChosenLink {
  readonly url: string;
  readonly title: string;
  /** Words of the article that become the link. */
  readonly anchor: string;
  /** Place of the anchor in the Markdown. */
  readonly source: Span;
  readonly heading: string;
  readonly score: number;
}

const perSection = 2;
const candidatesPerSection = 25;
const termsPerSection = 40;
const longestAnchor = 6;
const marks = new Set("*_~");
/** How much of a title, by weight, an anchor must say. */
const leastCoverage = { one: 0.8, more: 0.4 };

/**
 * Chooses pages of the site for the sections of an article, by meaning: each page once, never the article itself or a page it
 * already links to; the anchor is words of the section that the page's title has too.
 */
export function chooseLinks(markdown: string, index: SiteIndex, { most, self }: LinkOptions): ChosenLink[] {
  const tree = markdownTree(markdown);
  const excluded = new Set([...markdownLinks(tree).map(pageKey), ...(self ? [pageKey(self)] : [])]);
  const candidates = sectionsOf(proseIn(tree, markdown), index)
    .flatMap((section) => candidatesFor(section, index, excluded))
    .filter(({ source }) => !changesEmphasis(markdown, source));
  candidates.sort((a, b) => b.score - a.score || a.source.start - b.source.start);
  const chosen: (ChosenLink & Pick<Candidate, "prose" | "section" | "key">)[] = [];
  for (const candidate of candidates) {
    if (chosen.length >= most) break;
    const inSection = chosen.filter(({ section }) => section === candidate.section).length;
    const isTaken = chosen.some(({ key, prose }) => key === candidate.key || prose === candidate.prose);
    if (!isTaken && inSection < perSection) chosen.push(candidate);
  }
  return chosen
    .sort((a, b) => a.source.start - b.source.start)
    .map(({ prose: _, section: __, key: ___, ...link }) => link);
}

/**
 * Stars and underscores beside letters mean something else beside a bracket, unless a space or the end is on their other side: then they
 * open or close an emphasis before as after. So do those that are closed before the end of a sentence or a part of it.
 */
function changesEmphasis(markdown: string, { start, end }: Span): boolean {
  const isMark = (place: number) => marks.has(markdown[place] ?? "");
  const isSpace = (place: number) => !/\S/.test(markdown[place] ?? "");
  let opened = start;
  while (isMark(opened - 1)) opened -= 1;
  let closed = end;
  while (isMark(closed)) closed += 1;
  const opens = opened < start;
  if (opens && !isSpace(opened - 1)) return true;
  return closed > end && !isSpace(closed) && !(opens && /[.,;:!?]/.test(markdown[closed] ?? ""));
}

/** Writes chosen links into the Markdown they were chosen for. */
export function insertLinks(markdown: string, links: readonly ChosenLink[]): string {
  let result = markdown;
  for (const { url, source } of [...links].sort((a, b) => b.source.start - a.source.start)) {
    const anchor = result.slice(source.start, source.end);
    result = `${result.slice(0, source.start)}[${anchor}](${url})${result.slice(source.end)}`;
  }
  return result;
}

interface SectionProse extends Prose {
  readonly words: readonly LemmaWord[];
}

interface Section {
  readonly number: number;
  readonly heading: string;
  readonly proses: readonly SectionProse[];
}

interface Candidate extends ChosenLink {
  readonly key: string;
  readonly section: number;
  readonly prose: Prose;
}

function sectionsOf(proses: readonly Prose[], { lemmas }: SiteIndex): Section[] {
  const sections = new Map<number, { number: number; heading: string; proses: SectionProse[] }>();
  for (const prose of proses) {
    const { section: number, heading } = prose;
    const section = sections.get(number) ?? { number, heading, proses: [] };
    const words = writtenWords(prose.text).map((word) => ({
      ...word,
      lemma: lemmas(word.text.toLowerCase().replaceAll("ё", "е")),
    }));
    section.proses.push({ ...prose, words });
    sections.set(number, section);
  }
  return [...sections.values()];
}

function candidatesFor(
  section: Section,
  index: SiteIndex,
  excluded: ReadonlySet<string | undefined>,
): Candidate[] {
  const found = index.search(subjectOf(section, index), candidatesPerSection);
  const best = found[0]?.score ?? 1;
  return found.flatMap(({ page, score }) => {
    if (excluded.has(page.key)) return [];
    const anchor = bestAnchor(page, section, index);
    if (!anchor) return [];
    const { url, key, title } = page;
    return [
      {
        url,
        key,
        title,
        section: section.number,
        heading: section.heading,
        ...anchor,
        score: (score / best) * anchor.coverage,
      },
    ];
  });
}

/** The most frequent words of a section, those of its heading before all. */
function subjectOf({ heading, proses }: Section, { lemmas }: SiteIndex): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of proses)
    for (const lemma of meaningOf(text, lemmas)) counts.set(lemma, (counts.get(lemma) ?? 0) + 1);
  for (const lemma of meaningOf(heading, lemmas)) counts.set(lemma, (counts.get(lemma) ?? 0) + 3);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, termsPerSection);
  return new Map(frequent.map(([lemma, count]) => [lemma, 1 + Math.log(count)]));
}

interface Anchor {
  readonly anchor: string;
  readonly source: Span;
  readonly prose: Prose;
  readonly coverage: number;
}

function bestAnchor(page: IndexedPage, { proses }: Section, index: SiteIndex): Anchor | undefined {
  const whole = weightOf(page.words, index);
  let best: Anchor | undefined;
  for (const prose of proses)
    for (const run of runsOf(prose, page)) {
      const lemmas = new Set(run.filter(({ isOfPage }) => isOfPage).map(({ lemma }) => lemma));
      const coverage = weightOf(lemmas, index) / whole;
      if (coverage < (lemmas.size > 1 ? leastCoverage.more : leastCoverage.one)) continue;
      if (best && coverage <= best.coverage) continue;
      const anchor = anchorAt(prose, run);
      if (anchor) best = { ...anchor, prose, coverage };
    }
  return best;
}

const weightOf = (lemmas: Iterable<string>, index: SiteIndex): number =>
  [...lemmas].reduce((sum, lemma) => sum + index.weightOf(lemma), 0);

interface LemmaWord extends WrittenWord {
  readonly lemma: string;
}

interface RunWord extends LemmaWord {
  readonly isOfPage: boolean;
}

/** Neighbouring words of a text that belong to a page's title, with small words between them. */
function runsOf({ text, words }: SectionProse, page: IndexedPage): RunWord[][] {
  const runs: RunWord[][] = [];
  let run: RunWord[] = [];
  const close = () => {
    const words = run.slice(0, longestAnchor);
    while (words.length > 0 && !words.at(-1)?.isOfPage) words.pop();
    if (words.length > 0) runs.push(words);
    run = [];
  };
  let before: WrittenWord | undefined;
  for (const word of words) {
    const isOfPage = page.words.has(word.lemma);
    const follows = before !== undefined && /^[ \u00A0\n]$/.test(text.slice(before.end, word.start));
    if (run.length > 0 && !follows) close();
    if (isOfPage || (run.length > 0 && isStopWord(word.text))) run.push({ ...word, isOfPage });
    else close();
    before = word;
  }
  close();
  return runs;
}

/** Undefined where the words are not written as they are read, or belong to a link or code. */
function anchorAt(
  { text, places, plain }: Prose,
  run: readonly RunWord[],
): Pick<Anchor, "anchor" | "source"> | undefined {
  const start = run[0]?.start ?? 0;
  const end = run.at(-1)?.end ?? 0;
  if (!plain.some((span) => span.start <= start && end <= span.end)) return undefined;
  const from = places[start];
  const to = places[end - 1];
  if (from === undefined || to === undefined) return undefined;
  return { anchor: text.slice(start, end), source: { start: from, end: to + 1 } };
}
