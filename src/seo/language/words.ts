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
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

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
