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
  return Array.from(text.matchAll(shape), ({ 0: word, index }) => ({
    text: word,
    folded: folded(word),
    start: index,
  }));
}

export function countWords(text: string): number {
  return text.match(shape)?.length ?? 0;
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

/** ASCII, Russian small letters, quotes, dashes and the like: nothing else here is a letter or a number. */
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
