import { folded } from "./plain.ts";

/** A word where it stands. Numbers are words: «3,5» is one, «интернет-магазин» is one. */
export interface Word {
  readonly text: string;
  /** Lower case, with е for ё. */
  readonly folded: string;
  /** Offset in the text. */
  readonly start: number;
}

const shape = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+(?:[-‑'’][\p{L}\p{M}\p{N}]+)*/gu;

export function wordsOf(text: string): Word[] {
  if (isRussianText.test(text)) return russianWordsOf(text);
  return Array.from(text.matchAll(shape), ({ 0: word, index }) => ({
    text: word,
    folded: folded(word),
    start: index,
  }));
}

/** The same for most Russian texts in a third of the time: classes of all scripts are slow, and so is folding word by word. */
function russianWordsOf(text: string): Word[] {
  const found: Word[] = [];
  const small = folded(text);
  russianShape.lastIndex = 0;
  for (let match = russianShape.exec(text); match; match = russianShape.exec(text)) {
    const { 0: word, index: start } = match;
    found.push({ text: word, folded: small.slice(start, start + word.length), start });
  }
  return found;
}

export function countWords(text: string): number {
  return text.match(isRussianText.test(text) ? russianShape : shape)?.length ?? 0;
}

export function isNumber(word: Word): boolean {
  return /^\p{N}/u.test(word.text);
}

/** Words in small letters, parts of compounds and of numbers apart: for comparing texts. */
export function wordParts(text: string): string[] {
  const small = folded(text);
  // Classes of all scripts take several times as long, and Russian pages rarely need them.
  return small.match(isRussian.test(small) ? /[a-z0-9а-я]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

/** ASCII, Russian letters, quotes, dashes and the like: nothing else here is a letter or a number. */
const isRussianText =
  /^[\t\n\r\x20-\x7E\u0401\u0451\u0410-\u044F\u00A0\u00AB\u00BB\u00B0\u00D7\u2010-\u2026\u202F\u20BD\u2116]*$/;
const russianShape = /[0-9]+(?:[.,][0-9]+)*|[A-Za-zА-Яа-яЁё]+(?:[-‑'’][A-Za-zА-Яа-яЁё0-9]+)*/g;
/** The same in small letters, without ё. */
const isRussian = /^[\t\n\r\x20-\x7E\u0430-\u044F\u00A0\u00AB\u00BB\u2010-\u2026]*$/;

/** A word as it is written, with its place in UTF-16 units. */
export interface WrittenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words as they are written: «А320» and «5-й» are one each, which `wordsOf` counts as two. For names and anchors of links. */
export function writtenWords(text: string): WrittenWord[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu), ({ index, 0: found }) => ({
    text: found,
    start: index,
    end: index + found.length,
  }));
}
