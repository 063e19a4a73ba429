import { folded } from "./plain.ts";
import { stemOf } from "./stem.ts";

/** Reduces a word in small letters to what its forms share. A dictionary gives lemmas, the default stems. */
export type Lemmas = (word: string) => string;

/** Stems a word by its endings; words in other letters only lose a plural s. */
export const stem: Lemmas = (given) => {
  const word = folded(given);
  if (!/[а-я]/.test(word)) return word.length > 4 && word.endsWith("s") ? word.slice(0, -1) : word;
  return withoutFleetingVowel(stemOf(word));
};

/** `окон` and `окна`, `сеток` and `сетка` differ by a vowel that comes and goes; it is dropped from all stems alike. */
function withoutFleetingVowel(stemmed: string): string {
  const fleeting = stemmed.length > 3 && /[бвгджзйклмнпрстфхцчшщ][ое][кнц]$/.test(stemmed);
  return fleeting ? stemmed.slice(0, -2) + stemmed.slice(-1) : stemmed;
}

/** Lemmas of the same word are looked up once. */
export function remembered(lemmas: Lemmas): Lemmas {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const lemma = lemmas(word);
    known.set(word, lemma);
    return lemma;
  };
}
