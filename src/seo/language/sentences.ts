import { goesOn, mayEnd } from "./abbreviations.ts";
import { type Word, wordsOf } from "./words.ts";

export interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
}

/** What may end a sentence: stops, then closing quotes and brackets. */
const stop = /[.!?…]+["'»”’)\]]*/g;
/** No abbreviation is longer; looking back further would make a hostile text expensive. */
const longestAbbreviation = 8;

/**
 * Splits a paragraph into sentences. «г. Москва», «т. е.», «А. С. Пушкин», «3.5 кг» and «1. Первый пункт» do not end one.
 * Sentences without any word are left out.
 */
export function sentencesOf(paragraph: string): Sentence[] {
  const words = wordsOf(paragraph);
  const sentences: Sentence[] = [];
  let start = 0;
  let taken = 0;
  const take = (end: number) => {
    const first = taken;
    while (taken < words.length && (words[taken]?.start ?? 0) < end) taken++;
    if (taken > first)
      sentences.push({ text: paragraph.slice(start, end).trim(), words: words.slice(first, taken) });
    start = end;
  };
  for (const { index, 0: sign } of paragraph.matchAll(stop)) {
    const end = index + sign.length;
    if (endsThere(paragraph, start, index, sign, end)) take(end);
  }
  take(paragraph.length);
  return sentences;
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
