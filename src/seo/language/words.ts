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
