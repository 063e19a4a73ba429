import { functionWords } from "./function-words.ts";
import type { Morphology } from "./morphology.ts";
import { folded } from "./plain.ts";
import { wordsOf } from "./words.ts";

/** A phrase as it is searched for. */
export interface Phrase {
  readonly text: string;
  /** Keys of each word that must be there. */
  readonly slots: readonly ReadonlySet<string>[];
  /** The forms as given, to tell exact occurrences from inflected ones. */
  readonly forms: readonly string[];
}

/** A word of the text with its keys. */
export interface KeyedWord {
  readonly folded: string;
  readonly keys: readonly string[];
}

export interface Occurrence {
  /** Indices of its first and last word. */
  readonly first: number;
  readonly last: number;
  /** The words as given, in their order, with nothing between them. */
  readonly exact: boolean;
}

/** Between two words of a phrase there may be this many others: «купить в Москве новый диван». */
export const widestGap = 3;
/** No search has more words; the rest is not looked for. */
export const mostSlots = 12;

/** Function words need not be there, unless the phrase has no other. */
export function phraseOf(text: string, morphology: Morphology): Phrase {
  const words = wordsOf(text);
  const telling = words.filter((word) => !functionWords.has(word.folded));
  return {
    text,
    slots: (telling.length > 0 ? telling : words)
      .slice(0, mostSlots)
      .map((word) => new Set(morphology.read(word.folded).keys)),
    forms: words.map((word) => word.folded),
  };
}

/**
 * Finds a phrase in the words of one sentence: every word of it in any form, in any order, with small gaps. Occurrences do not
 * overlap. Takes one pass.
 */
export function findPhrase(phrase: Phrase, words: readonly KeyedWord[]): Occurrence[] {
  const { slots } = phrase;
  if (slots.length === 0) return [];
  const found: Occurrence[] = [];
  const seen: number[] = slots.map(() => -1);
  for (const [index, word] of words.entries()) {
    const slot = oldestSlot(slots, seen, word);
    if (slot === undefined) continue;
    seen[slot] = index;
    const places = [...seen].sort((one, other) => one - other);
    const [first = -1] = places;
    if (first < 0) continue;
    if (places.some((place, at) => at > 0 && place - (places[at - 1] ?? place) > widestGap + 1)) continue;
    found.push({ first, last: index, exact: isExact(phrase, words, first, index) });
    seen.fill(-1);
  }
  return found;
}

/** Of the slots that the word fits, the one that was filled longest ago: «работа за работой» needs both. */
function oldestSlot(
  slots: readonly ReadonlySet<string>[],
  seen: readonly number[],
  word: KeyedWord,
): number | undefined {
  let best: number | undefined;
  for (let index = 0; index < slots.length; index++) {
    if (!hasOneOf(slots[index], word.keys)) continue;
    if (best === undefined || (seen[index] ?? -1) < (seen[best] ?? -1)) best = index;
  }
  return best;
}

/** Asked of every word of a text for every slot: loops without functions of their own take half of the time. */
function hasOneOf(slot: ReadonlySet<string> | undefined, keys: readonly string[]): boolean {
  for (const key of keys) if (slot?.has(key)) return true;
  return false;
}

function isExact(phrase: Phrase, words: readonly KeyedWord[], first: number, last: number): boolean {
  const { forms } = phrase;
  // Function words at its ends are not part of an occurrence.
  const start = forms.indexOf(words[first]?.folded ?? "");
  return (
    start >= 0 &&
    words.slice(first, last + 1).every((word, offset) => word.folded === folded(forms[start + offset] ?? ""))
  );
}
