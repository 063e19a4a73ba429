import type { Lemmas } from "./lemmas.ts";
import { isStopWord } from "./stop-words.ts";
import { wordParts } from "./words.ts";

/** Lemmas of the words that carry the meaning. */
export function meaningOf(text: string, lemmas: Lemmas): string[] {
  return wordParts(text).flatMap((word) => (word.length < 2 || isStopWord(word) ? [] : [lemmas(word)]));
}
