import type { Lemmas } from "./lemmas.ts";
import { isStopWord } from "./stop-words.ts";
import { wordParts } from "./words.ts";

/** Lemmas of the words that carry the meaning. */
export function meaningOf(text: string, lemmas: Lemmas): string[] {
  const found: string[] = [];
  for (const word of wordParts(text)) if (word.length > 1 && !isStopWord(word)) found.push(lemmas(word));
  return found;
}
