import { goesOn, mayEnd } from "./abbreviations.ts";
import { type Word, wordsOf } from "./words.ts";

export interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
}

/** What may end a sentence: stops, then closing quotes and brackets; or a line break. */
const stop = /[.!?…]+["'»”’)\]]*|\n/g;
/** No abbreviation is longer; looking back further would make a hostile text expensive. */
const longestAbbreviation = 8;

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a text into sentences. «г. Москва», «т. е.», «А. С. Пушкин», «3.5 кг» and «1. Первый пункт» do not end one; a line break does.
 * Sentences without any word are left out.
 */
export function sentencesOf(text: string): Sentence[] {
  const words = wordsOf(text);
  let taken = 0;
  return sentenceSpans(text).flatMap(({ start, end }) => {
    const first = taken;
    while (taken < words.length && (words[taken]?.start ?? 0) < end) taken++;
    return taken > first ? [{ text: text.slice(start, end), words: words.slice(first, taken) }] : [];
  });
}

/** Where the sentences of a text stand, without the spaces between them. */
export function sentenceSpans(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  const take = (end: number) => {
    const piece = text.slice(start, end);
    const from = start + (piece.length - piece.trimStart().length);
    const to = start + piece.trimEnd().length;
    if (to > from) spans.push({ start: from, end: to });
    start = end;
  };
  for (const { index, 0: sign } of text.matchAll(stop)) {
    const end = index + sign.length;
    if (sign === "\n" || endsThere(text, start, index, sign, end)) take(end);
  }
  take(text.length);
  return spans;
}

function endsThere(text: string, start: number, index: number, sign: string, end: number): boolean {
  // «3.5», «Яндекс.Маркет»: no space, no end.
  if (end < text.length && !/\s/.test(text.charAt(end))) return false;
  const next = /^\s+["'«„“([—–-]?\s?(\S)/.exec(text.slice(end, end + 6))?.[1];
  if (next === undefined) return true;
  // A small letter goes on: «Яндекс.Маркет и др. сайты», «Что? спросил он».
  if (/\p{Ll}/u.test(next)) return false;
  if (sign !== ".") return true;
  const before = text.slice(Math.max(start, index - longestAbbreviation), index);
  const word = /[\p{L}\p{N}]{1,8}$/u.exec(before)?.[0] ?? "";
  if (/^\p{Lu}$/u.test(word)) return false;
  // The number of a point, as in «1. Первый пункт».
  if (/^\p{N}{1,2}$/u.test(word) && text.slice(start, index).trim() === word) return false;
  const abbreviation = word.toLowerCase();
  const earlier = /(\p{N}|(?<!\p{L})т\.)\s?\p{L}{1,4}$/u.exec(before)?.[1];
  // «в 2024 г. Компания», «и т. д. Потом»: an end before a capital letter.
  if (earlier !== undefined && /^(?:г|с|д|п|кв|ст)$/.test(abbreviation)) return true;
  if (mayEnd.has(abbreviation) && /\p{Lu}/u.test(next)) return true;
  return !goesOn.has(abbreviation) && !mayEnd.has(abbreviation);
}
