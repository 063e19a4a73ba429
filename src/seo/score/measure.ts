import {
  findPhrase,
  isNumber,
  type Morphology,
  type Phrase,
  plainly,
  type Quantity,
  quantitiesOf,
  sentencesOf,
  syllablesOf,
  type Word,
  wordsOf,
} from "../language/index.ts";
import { lintStyle, type StyleReport, variationOf } from "../style/index.ts";
import { figures } from "./points.ts";
import type { ArticleText, Block } from "./read-article.ts";

type KeyedWord = Word & { readonly keys: readonly string[]; readonly lemma: string };

export interface ReadBlock {
  readonly block: Block;
  readonly sentences: readonly { readonly text: string; readonly words: readonly KeyedWord[] }[];
  readonly words: readonly KeyedWord[];
  readonly quantities: readonly Quantity[];
}

/** The text with its lemmas. */
export interface ReadText {
  readonly blocks: readonly ReadBlock[];
  readonly words: number;
}

export function readText({ blocks }: Pick<ArticleText, "blocks">, morphology: Morphology): ReadText {
  const read = blocks.map((block): ReadBlock => {
    const sentences = sentencesOf(block.text).map(({ text, words }) => ({
      text,
      words: words.map((word): KeyedWord => {
        const { lemma, keys } = morphology.read(word.folded);
        return { text: word.text, folded: word.folded, start: word.start, lemma, keys };
      }),
    }));
    const words = sentences.flatMap((sentence) => sentence.words);
    return { block, sentences, words, quantities: quantitiesOf(block.text) };
  });
  return { blocks: read, words: read.reduce((sum, { words }) => sum + words.length, 0) };
}

/** Occurrences of a phrase, sentence by sentence. */
export function countPhrase(phrase: Phrase, blocks: readonly ReadBlock[]): number {
  let count = 0;
  for (const { sentences } of blocks)
    for (const { words } of sentences) count += findPhrase(phrase, words).length;
  return count;
}

export type Found = "phrase" | "words" | "none";

/** Whether a text has the phrase, or at least all its words somewhere. */
export function phraseIn(phrase: Phrase, blocks: readonly ReadBlock[]): Found {
  if (phrase.slots.length === 0) return "none";
  if (countPhrase(phrase, blocks) > 0) return "phrase";
  const isThere = (slot: ReadonlySet<string>) =>
    blocks.some(({ words }) => words.some(({ keys }) => keys.some((key) => slot.has(key))));
  return phrase.slots.every(isThere) ? "words" : "none";
}

/** Parts of the article that checks look at. */
export interface Parts {
  readonly h1: readonly ReadBlock[];
  readonly h2: readonly ReadBlock[];
  readonly headings: number;
  readonly firstParagraph: readonly ReadBlock[];
  readonly conclusion: readonly ReadBlock[];
  /** Questions of the section of questions. */
  readonly questions: number;
}

const questionsHeading = /вопрос|faq|ответы|чаво/i;
/** Sections after the conclusion. */
const appendix = /^(?:источник|литератур|об авторе|контакт|содержание|полезные ссылки)/i;

export function partsOf({ blocks }: ReadText): Parts {
  const level = (wanted: number) =>
    blocks.filter(({ block }) => block.kind === "heading" && block.level === wanted);
  const faqAt = blocks.findLastIndex(
    ({ block }) => block.kind === "heading" && questionsHeading.test(block.text),
  );
  const faqLevel = blocks[faqAt]?.block.level ?? 0;
  const faqEnd =
    faqAt < 0
      ? -1
      : blocks.findIndex(
          ({ block }, index) => index > faqAt && block.kind === "heading" && block.level <= faqLevel,
        );
  const faq = faqAt < 0 ? [] : blocks.slice(faqAt + 1, faqEnd < 0 ? undefined : faqEnd);
  return {
    h1: level(1),
    // Questions are a section of their own kind, counted apart.
    h2: level(2).filter((heading) => heading !== blocks[faqAt]),
    headings: blocks.filter(({ block }) => block.kind === "heading" && block.level > 1).length,
    firstParagraph: blocks.filter(({ block }) => block.kind === "paragraph").slice(0, 1),
    conclusion: conclusionOf(blocks),
    questions: faq.filter(({ block, sentences }) => sentences[0]?.text.endsWith("?") && block.kind !== "cell")
      .length,
  };
}

/** The last section under an H2 that is neither questions nor an appendix; without headings, the last paragraph. */
function conclusionOf(blocks: readonly ReadBlock[]): readonly ReadBlock[] {
  const starts = blocks.flatMap(({ block }, index) =>
    block.kind === "heading" && block.level === 2 ? [index] : [],
  );
  const at = starts.findLastIndex((start) => {
    const text = blocks[start]?.block.text ?? "";
    return !questionsHeading.test(text) && !appendix.test(text);
  });
  const last = blocks.findLast(({ block }) => block.kind === "paragraph");
  const start = starts[at];
  const section = start === undefined ? [] : blocks.slice(start + 1, starts[at + 1]);
  return last && !section.includes(last)
    ? [...section, last]
    : section.length > 0
      ? section
      : last
        ? [last]
        : [];
}

/** Everything that needs Russian, in one pass over the text. */
export interface Measures {
  readonly flesch: number;
  readonly sentences: number;
  readonly longSentences: number;
  readonly paragraphs: number;
  readonly longParagraphs: number;
  readonly longestParagraph: number;
  readonly vocabulary: number;
  readonly style: StyleReport;
  readonly quantities: readonly Quantity[];
}

/** Items shorter than this are names, not sentences. */
const leastItemWords = 4;

export function measure({ blocks }: ReadText, morphology: Morphology): Measures {
  const prose = blocks.filter(
    ({ block, words: own }) =>
      block.kind === "paragraph" ||
      block.kind === "quote" ||
      (block.kind === "item" && own.length >= leastItemWords),
  );
  const sentences = prose.flatMap((block) => block.sentences);
  const paragraphs = prose.filter(({ block }) => block.kind !== "item");
  return {
    flesch: fleschOf(sentences),
    sentences: sentences.length,
    longSentences: sentences.filter((sentence) => sentence.words.length >= figures.longSentence.words).length,
    paragraphs: paragraphs.length,
    longParagraphs: paragraphs.filter((each) => each.words.length >= figures.longParagraph.words).length,
    longestParagraph: paragraphs.reduce((most, each) => Math.max(most, each.words.length), 0),
    vocabulary: vocabularyOf(blocks.flatMap((block) => block.words.map((word) => word.lemma))),
    // Markers count wherever they are; the variation is that of prose.
    style: {
      ...lintStyle(
        blocks.flatMap((block) => block.sentences),
        morphology,
      ),
      variation: variationOf(sentences.map((sentence) => sentence.words.length)),
    },
    quantities: blocks.flatMap(({ quantities }) => quantities),
  };
}

/** Oborneva's adaptation for Russian: 206.835 − 1.3 · words per sentence − 60.1 · syllables per word. */
function fleschOf(sentences: ReadBlock["sentences"]): number {
  let count = 0;
  let syllables = 0;
  for (const { words } of sentences) {
    count += words.length;
    for (const { text } of words) syllables += syllablesOf(text);
  }
  if (count === 0) return 0;
  return 206.835 - 1.3 * (count / sentences.length) - 60.1 * (syllables / count);
}

/** The mean share of different lemmas over windows of equal length; a shorter text is one window. */
function vocabularyOf(lemmas: readonly string[]): number {
  const { window } = figures.vocabulary;
  if (lemmas.length === 0) return 0;
  const whole = Math.max(1, Math.floor(lemmas.length / window));
  let sum = 0;
  for (let index = 0; index < whole; index++) {
    const part = lemmas.slice(index * window, (index + 1) * window);
    sum += new Set(part).size / part.length;
  }
  return sum / whole;
}

/** Different names: capitalised words inside a sentence, Latin words, years and numbers with units. */
export function entitiesOf(blocks: readonly ReadBlock[]): number {
  const names = new Set<string>();
  for (const { block, sentences, quantities } of blocks) {
    for (const { words } of sentences)
      words.forEach((word, index) => {
        const isName = index > 0 && /^\p{Lu}/u.test(word.text) && block.kind !== "heading";
        if (isName || /^[a-z]{2}/i.test(word.text)) names.add(word.lemma);
        else if (isNumber(word) && /^(?:19|20)\d\d$/.test(word.text)) names.add(word.text);
      });
    for (const { value, unit } of quantities) names.add(`${value} ${unit}`);
  }
  return names.size;
}

/** A line of its own, such as the title, read like a block. */
export function readLine(line: string, kind: Block["kind"], morphology: Morphology): ReadBlock[] {
  const text = plainly(line);
  if (wordsOf(text).length === 0) return [];
  return [...readText({ blocks: [{ kind, level: kind === "heading" ? 1 : 0, text }] }, morphology).blocks];
}
