import { folded } from "./plain.ts";
import { stemOf } from "./stem.ts";
import { wordFamilies } from "./word-families.ts";

/** What can be said about a word form without its sentence. */
export interface WordReading {
  /** The likeliest lemma: counts vocabulary, names the word. */
  readonly lemma: string;
  /** Everything the form may be a form of, likeliest first, then its families. Two forms are of one word if they share a key. */
  readonly keys: readonly string[];
}

/** Lemmas of Russian words. Deterministic; takes bounded time per word. */
export interface Morphology {
  /** Which one it is: the dictionary, or stems alone. */
  readonly name: "dictionary" | "stems";
  read(word: string): WordReading;
}

/** Finds lemmas of a word form, likeliest first; none if it has no answer. */
export type FindLemmas = (folded: string) => readonly string[];

/** Longer words are serial numbers, addresses and attacks: they are their own lemma. */
export const longestWord = 40;
/** Forms that are remembered: as many as some dozens of articles have. */
const mostRemembered = 50_000;

const familyOf = new Map(
  wordFamilies.flatMap((family, index) => family.map((lemma) => [lemma, `#${index}`] as const)),
);

export function createMorphology(name: Morphology["name"], findLemmas: FindLemmas): Morphology {
  const remembered = new Map<string, WordReading>();
  return {
    name,
    read(word) {
      // Most callers have folded it already.
      const asGiven = remembered.get(word);
      if (asGiven) return asGiven;
      const form = folded(word);
      const known = remembered.get(form);
      if (known) return known;
      const reading = readingOf(form, findLemmas);
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(form, reading);
      return reading;
    },
  };
}

function readingOf(form: string, findLemmas: FindLemmas): WordReading {
  if (form.length > longestWord || !/[а-яіїєґў]/.test(form)) return { lemma: form, keys: [form] };
  const found = findLemmas(form);
  const lemmas = found.length > 0 ? found : [stemOf(form)];
  const families = lemmas.map((lemma) => familyOf.get(lemma)).filter((family) => family !== undefined);
  return { lemma: lemmas[0] ?? form, keys: [...new Set([...lemmas, ...families])] };
}

/** Without the dictionary: stems group fewer forms (F1 0.78 against 0.95), but need no memory. */
export function stemMorphology(): Morphology {
  const stemFamilies = new Map(
    wordFamilies.flatMap((family) => family.map((lemma) => [stemOf(lemma), lemma] as const)),
  );
  return createMorphology("stems", (form) => {
    const stem = stemOf(form);
    const kin = stemFamilies.get(stem);
    return kin === undefined ? [stem] : [stem, kin];
  });
}
