import { folded, wordsOf } from "../language/index.ts";
import { type Niche, niches } from "./niches.ts";

/** Longer descriptions say no more about the niche; fields of a project hold 500 characters. */
const longest = 2_000;

/** The niche of a business by what it says it does; `general` if nothing fits. */
export function detectNiche(specialization: string): Niche {
  const text = folded(specialization.slice(0, longest));
  const words = wordsOf(text).flatMap((word) => [word.folded, ...word.folded.split("-")]);
  const whole = new Set(words);
  const found = niches.find(
    ({ stems, words: exact = [] }) =>
      exact.some((word) => whole.has(word)) ||
      stems.some((stem) =>
        stem.includes(" ") ? text.includes(stem) : words.some((word) => word.startsWith(stem)),
      ),
  );
  return found?.niche ?? "general";
}
