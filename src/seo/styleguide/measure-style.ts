import { functionWords, isStopWord, type Morphology, sentencesOf, type Word } from "../language/index.ts";
import type { Block } from "../score/index.ts";
import { variationOf } from "../style/index.ts";
import type { StyleFeatures } from "./guide.ts";
import { bookish, colloquial } from "./tone-words.ts";

const we = /^(?:мы|нас|нам|нами|наш\p{L}{0,3})$/u;
const polite = /^(?:вы|вас|вам|вами|ваш\p{L}{0,3})$/u;
const familiar = /^(?:ты|тебя|тебе|тобой|тво[йяеию]\p{L}{0,2})$/u;
const emoji = /\p{Extended_Pictographic}/gu;
/** Formality beyond these, per 100 words, is a tone. */
const toneFrom = { colloquial: -0.6, bookish: 0.6 };
/** A word is a favourite if it is this frequent, and in two texts at least. */
const favourite = { count: 3, texts: 2, most: 12, letters: 4 };

/** Measures how texts are written: paragraphs, list items and quotes; headings and tables say nothing about it. */
export function measureStyle(
  texts: readonly (readonly Block[])[],
  morphology: Morphology,
  /** Lemmas that belong to the subject, not to the author. */
  subject: ReadonlySet<string> = new Set(),
): StyleFeatures {
  const read = texts.map((blocks) =>
    blocks
      .filter(({ kind }) => kind === "paragraph" || kind === "item" || kind === "quote")
      .map((block) => ({ block, sentences: sentencesOf(block.text) })),
  );
  const blocks = read.flat();
  const sentences = blocks.flatMap((each) => each.sentences);
  const lengths = sentences.map((sentence) => sentence.words.length);
  const words = sentences.flatMap((sentence) => sentence.words);
  const paragraphs = blocks.filter(({ block }) => block.kind === "paragraph").map(wordsIn);
  const inLists = blocks.filter(({ block }) => block.kind === "item").map(wordsIn);
  const hundred = (count: number) => (words.length === 0 ? 0 : rounded((100 * count) / words.length, 2));
  const shareOf = (ending: RegExp) =>
    sentences.length === 0
      ? 0
      : rounded(sentences.filter(({ text }) => ending.test(text)).length / sentences.length, 3);
  const count = (pattern: RegExp) => words.filter(({ folded }) => pattern.test(folded)).length;
  const formality = hundred(
    words.filter(({ folded }) => bookish.has(folded)).length -
      words.filter(({ folded }) => colloquial.has(folded)).length,
  );
  return {
    texts: texts.length,
    words: words.length,
    sentence_words: rounded(mean(lengths), 1),
    sentence_variation: rounded(variationOf(lengths), 2),
    paragraph_words: rounded(mean(paragraphs), 1),
    questions: shareOf(/\?["'»”’)\]]*$/),
    exclamations: shareOf(/!["'»”’)\]]*$/),
    lists: words.length === 0 ? 0 : rounded(sum(inLists) / words.length, 3),
    emoji: hundred(sum(blocks.map(({ block }) => block.text.match(emoji)?.length ?? 0))),
    we: hundred(count(we)),
    you: hundred(count(polite) + count(familiar)),
    address: addressOf(sentences.map((sentence) => sentence.words)),
    formality,
    tone:
      formality <= toneFrom.colloquial ? "colloquial" : formality >= toneFrom.bookish ? "bookish" : "neutral",
    favourite_words: favouritesIn(
      read.map((own) => own.flatMap((each) => each.sentences.flatMap((sentence) => sentence.words))),
      morphology,
      subject,
    ),
  };
}

const wordsIn = ({ sentences }: { readonly sentences: readonly { readonly words: readonly Word[] }[] }) =>
  sum(sentences.map((sentence) => sentence.words.length));

/** «Вы» with a capital inside sentences is a letter to one person; at their beginning it says nothing. */
function addressOf(sentences: readonly (readonly Word[])[]): StyleFeatures["address"] {
  const all = sentences.flat();
  const isPolite = ({ folded }: Word) => polite.test(folded);
  const [formal, close] = [all.filter(isPolite), all.filter(({ folded }) => familiar.test(folded))];
  if (formal.length === 0 && close.length === 0) return "none";
  if (close.length > formal.length) return "ты";
  const inside = sentences.flatMap((words) => words.slice(1).filter(isPolite));
  const capital = inside.filter(({ text }) => /^\p{Lu}/u.test(text)).length;
  return capital > inside.length / 2 ? "Вы" : "вы";
}

function favouritesIn(
  texts: readonly (readonly Word[])[],
  morphology: Morphology,
  subject: ReadonlySet<string>,
): string[] {
  const counts = new Map<string, { count: number; texts: Set<number> }>();
  texts.forEach((words, index) => {
    for (const { text, folded } of words) {
      const { lemma } = morphology.read(text);
      const isTelling = folded.length >= favourite.letters && /^\p{L}/u.test(folded);
      if (!isTelling || isStopWord(folded) || functionWords.has(folded) || subject.has(lemma)) continue;
      const known = counts.get(lemma) ?? { count: 0, texts: new Set() };
      known.count += 1;
      known.texts.add(index);
      counts.set(lemma, known);
    }
  });
  return [...counts]
    .filter(([, { count, texts: own }]) => count >= favourite.count && own.size >= favourite.texts)
    .sort(
      ([one, a], [other, b]) =>
        b.texts.size - a.texts.size || b.count - a.count || one.localeCompare(other, "ru"),
    )
    .slice(0, favourite.most)
    .map(([lemma]) => lemma);
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const mean = (numbers: readonly number[]) => (numbers.length === 0 ? 0 : sum(numbers) / numbers.length);
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
