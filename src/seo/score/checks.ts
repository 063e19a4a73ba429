import { type Morphology, type Phrase, phraseOf, plainly } from "../language/index.ts";
import { type ScoreInput, usualWords } from "./input.ts";
import {
  countPhrase,
  entitiesOf,
  type Measures,
  measure,
  type Parts,
  partsOf,
  phraseIn,
  type ReadText,
  readLine,
} from "./measure.ts";
import { type CheckId, figures, onScale, points } from "./points.ts";
import type { ArticleText } from "./read-article.ts";

/** What one check found. `share` of its points, 0 to 1; below 0 it subtracts. */
export interface Verdict {
  readonly share: number;
  /** The figures that its explanation names. */
  readonly found: Readonly<Record<string, string | number>>;
}

export type Verdicts = Readonly<Record<CheckId, Verdict>>;

/** Checks by what they need: these count words and phrases, and work with stems alone. */
export function seoChecks(input: ScoreInput, article: ArticleText, text: ReadText, morphology: Morphology) {
  const phrase = phraseOf(input.phrase, morphology);
  const parts = partsOf(text);
  const title = input.title ? readLine(input.title, "heading", morphology) : parts.h1.slice(0, 1);
  const place = (found: ReturnType<typeof phraseIn>): Verdict => ({
    share: found === "phrase" ? 1 : found === "words" ? 0.5 : 0,
    found: { phrase: input.phrase, where: found },
  });
  const h2With = parts.h2.filter((heading) => phraseIn(phrase, [heading]) !== "none").length;
  return {
    phraseInTitle: place(phraseIn(phrase, title)),
    phraseInFirstParagraph: place(phraseIn(phrase, parts.firstParagraph)),
    phraseInConclusion: place(phraseIn(phrase, parts.conclusion)),
    phraseInHeadings: headingsVerdict(h2With, parts.h2.length, input.phrase),
    density: densityVerdict(densityOf(phrase, text), input.phrase),
    secondary: secondaryVerdict(input, text, morphology),
    metaDescription: metaVerdict(input),
    ...structureChecks(input, article, parts, text.words),
    ...depthChecks(input, article, text),
  };
}

function headingsVerdict(found: number, h2: number, phrase: string): Verdict {
  const tooMany = found > 3 && found > h2 / 2;
  return { share: found === 0 ? 0 : tooMany ? 0.5 : 1, found: { phrase, found, h2 } };
}

/** Of all words, in percent, those of the phrase's occurrences. */
function densityOf(phrase: Phrase, text: ReadText): { occurrences: number; density: number } {
  const occurrences = countPhrase(phrase, text.blocks);
  return {
    occurrences,
    density: text.words === 0 ? 0 : (100 * occurrences * phrase.slots.length) / text.words,
  };
}

/** Few points inside the range; above it, points are taken away: repeating a phrase is how texts are spoilt. */
function densityVerdict({ occurrences, density }: ReturnType<typeof densityOf>, phrase: string): Verdict {
  const { low, high, scant, tolerated, lostPerPercent, noRepetition } = figures.density;
  const { max, min } = points.density;
  const share =
    density < low
      ? onScale(density, scant)
      : density <= high
        ? 1
        : density <= tolerated || occurrences <= noRepetition
          ? 0.5
          : Math.max(min, -lostPerPercent * (density - tolerated)) / max;
  return { share, found: { phrase, occurrences, density: rounded(density, 2) } };
}

function secondaryVerdict({ secondary = [] }: ScoreInput, text: ReadText, morphology: Morphology): Verdict {
  if (text.words === 0) return { share: 0, found: { covered: 0, asked: secondary.length, missing: "" } };
  const missing = secondary.filter((each) => phraseIn(phraseOf(each, morphology), text.blocks) !== "phrase");
  const asked = secondary.length;
  return {
    share: asked === 0 ? 1 : 1 - missing.length / asked,
    found: { covered: asked - missing.length, asked, missing: missing.slice(0, 5).join(", ") },
  };
}

function metaVerdict({ metaDescription = "" }: ScoreInput): Verdict {
  const { min, max, nearMin, nearMax } = figures.meta;
  const length = [...plainly(metaDescription)].length;
  const near = length >= nearMin && length <= nearMax;
  return { share: length >= min && length <= max ? 1 : near ? 0.5 : 0, found: { length } };
}

function structureChecks(input: ScoreInput, article: ArticleText, parts: Parts, words: number) {
  const title = plainly(input.title ?? "");
  const others = parts.h1.filter(({ block }) => block.text.toLowerCase() !== title.toLowerCase()).length;
  const h1 = others + (title !== "" || parts.h1.length > others ? 1 : 0);
  const h2 = parts.h2.length;
  const wanted = Math.min(figures.h2.max, Math.max(figures.h2.min, Math.floor(words / figures.h2WordsEach)));
  const questions = Math.max(parts.questions, input.faq?.length ?? 0);
  const types = new Set(article.schemaTypes);
  const hasSchema = ["Article", "BlogPosting", "NewsArticle", "FAQPage"].some((type) => types.has(type));
  const links = internalLinks(input, article);
  const needsContents = parts.headings >= figures.contentsFrom;
  return {
    oneH1: { share: h1 === 1 ? 1 : 0, found: { h1 } },
    h2: {
      share: h2 === 0 ? 0 : h2 < wanted ? h2 / (wanted + 1) : h2 <= figures.h2.max ? 1 : h2 <= 9 ? 0.7 : 0.4,
      found: { h2, wanted },
    },
    faq: { share: Math.min(1, questions / figures.faq.enough), found: { questions } },
    schema: {
      share: words > 0 && (hasSchema || input.adds?.schema) ? 1 : 0,
      found: { types: [...types].join(", ") },
    },
    internalLinks: { share: Math.min(1, links / figures.internalLinks.enough), found: { links } },
    contents: {
      share: needsContents && (article.contents || input.adds?.contents) ? 1 : 0,
      found: { headings: parts.headings },
    },
  } satisfies Partial<Verdicts>;
}

/** Different addresses on the same site. */
function internalLinks({ links = [], site }: ScoreInput, article: ArticleText): number {
  const host = hostOf(site ?? "");
  const inside = [...links, ...article.links].filter((address) => {
    if (/^(?:tel|mailto|javascript):/i.test(address)) return false;
    const other = hostOf(address);
    return other === undefined ? !/^[a-z][a-z+.-]*:/i.test(address) : other === host;
  });
  return new Set([...inside, ...links]).size;
}

function hostOf(address: string): string | undefined {
  const [, host] = /^https?:\/\/([^/?#\s]{1,255})/i.exec(address) ?? [];
  return host?.toLowerCase().replace(/^www\./, "");
}

function depthChecks(input: ScoreInput, article: ArticleText, text: ReadText) {
  const { words } = text;
  const entities = entitiesOf(text.blocks);
  const { min, max } = input.targetWords ?? usualWords;
  const share =
    words < min
      ? words / Math.max(1, min)
      : words <= max
        ? 1
        : Math.max(0, 1 - (words - max) / Math.max(1, max));
  const lists = article.lists.filter((items) => items >= figures.listItems).length + article.tables;
  const described = [...article.images, ...(input.images ?? [])].filter(({ alt }) => alt?.trim()).length;
  const wanted = Math.max(1, Math.round(words / figures.imageWordsEach));
  return {
    // Below half of the target there is too little to publish.
    words: { share: share < 0.5 ? share / 2 : share, found: { words, min, max } },
    entities: {
      share: weightOf(words) * onScale(words === 0 ? 0 : (100 * entities) / words, figures.entities),
      found: { entities },
    },
    lists: { share: lists > 0 ? 1 : 0, found: { lists } },
    images: { share: Math.min(1, described / wanted), found: { described, wanted } },
  } satisfies Partial<Verdicts>;
}

/** Checks that need the language: if it fails, they are all at zero (E45). */
export function languageChecks(input: ScoreInput, text: ReadText, morphology: Morphology) {
  const { occurrences, density } = densityOf(phraseOf(input.phrase, morphology), text);
  const weight = weightOf(text.words);
  const stuffed = occurrences > figures.density.noRepetition;
  return ratioVerdicts(measure(text, morphology), text.words, {
    readability: weight,
    naturalness: weight * (stuffed ? onScale(density, figures.density.stuffed) : 1),
  });
}

/** A handful of words has no style to praise. */
function weightOf(words: number): number {
  return Math.min(1, words / figures.ratiosFrom);
}

function ratioVerdicts(
  measures: Measures,
  words: number,
  weight: { readability: number; naturalness: number },
) {
  const { style, sentences, paragraphs } = measures;
  const longShare = sentences === 0 ? 1 : measures.longSentences / sentences;
  const wideShare = paragraphs === 0 ? 1 : measures.longParagraphs / paragraphs;
  const perHundred = (count: number) => (words === 0 ? 0 : (100 * count) / words);
  const facts = perHundred(measures.quantities.length);
  const examples = (document: boolean) =>
    style.found
      .filter(({ marker }) => (marker.source === "document") === document)
      .slice(0, 5)
      .map(({ example, count }) => (count > 1 ? `«${example}» ×${count}` : `«${example}»`))
      .join(", ");
  return {
    flesch: {
      share: weight.readability * onScale(measures.flesch, figures.flesch),
      found: { flesch: rounded(measures.flesch, 1) },
    },
    longSentences: {
      share: weight.readability * onScale(longShare, figures.longSentence.share),
      found: { long: measures.longSentences, sentences, percent: Math.round(100 * longShare) },
    },
    longParagraphs: {
      share: weight.readability * onScale(wideShare, figures.longParagraph.share),
      found: { long: measures.longParagraphs, longest: measures.longestParagraph },
    },
    vocabulary: {
      share: weight.readability * onScale(measures.vocabulary, figures.vocabulary.scale),
      found: { ratio: rounded(measures.vocabulary, 2) },
    },
    filler: {
      share: weight.naturalness * onScale(style.fillerPerHundred, figures.filler),
      found: { examples: examples(true), perHundred: rounded(style.fillerPerHundred, 2) },
    },
    markers: {
      share: weight.naturalness * onScale(style.perHundred, figures.markers),
      found: { examples: examples(false), perHundred: rounded(style.perHundred, 2) },
    },
    variation: {
      share: weight.naturalness * onScale(style.variation, figures.variation),
      found: { variation: rounded(style.variation, 2) },
    },
    facts: {
      share: weight.naturalness * onScale(facts, figures.facts),
      found: { facts: measures.quantities.length, perHundred: rounded(facts, 2) },
    },
  } satisfies Partial<Verdicts>;
}

export function rounded(figure: number, digits: number): number {
  return Number(figure.toFixed(digits));
}
