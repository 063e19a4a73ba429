import { createMorphology, type Morphology, stemMorphology } from "./morphology.ts";
import { folded } from "./plain.ts";

/**
 * Parsers that only slow words down or guess too much are left out, and so is the repair of stutter and typos, whose search grows
 * with the word.
 */
const options = {
  ignoreCase: true,
  stutter: 0,
  typos: 0,
  parsers: [
    "Dictionary",
    "HyphenParticle",
    "HyphenAdverb",
    "HyphenWords",
    "PrefixKnown",
    "PrefixUnknown?",
    "SuffixKnown?",
  ],
};

/** A reading of the dictionary that is rarer than this is an oddity: «в» as «век». */
const leastScore = 0.05;
/** The form «лет» is read as «лёт» first, as its dictionary lists it; people mean years. */
const corrected: Readonly<Record<string, readonly string[]>> = { лет: ["год"] };

export interface Language {
  readonly morphology: Morphology;
  /** Set if the dictionary could not be loaded. */
  readonly warning?: string;
}

let loaded: Promise<Language> | undefined;

/** Loads the dictionary (about 90 MB of memory, a second) on first use, once per process. Never rejects: stems remain. */
export function loadLanguage(): Promise<Language> {
  loaded ??= azMorphology().then(
    (morphology) => ({ morphology }),
    (error: unknown) => ({ morphology: stemMorphology(), warning: `dictionary_unavailable: ${error}` }),
  );
  return loaded;
}

async function azMorphology(): Promise<Morphology> {
  const { default: az } = await import("az");
  await new Promise<void>((resolve, reject) => az.Morph.init((error) => (error ? reject(error) : resolve())));
  return createMorphology("dictionary", (form) => {
    const fixed = corrected[form];
    if (fixed) return fixed;
    // Lemmas by the sum of their readings: «ветклинике» is two forms of «ветклиника» and one of «ветклиник».
    const scores = new Map<string, number>();
    for (const parse of az.Morph(form, options)) {
      const lemma = folded(String(parse.normalize() || form));
      scores.set(lemma, (scores.get(lemma) ?? 0) + parse.score);
    }
    return [...scores]
      .filter(([, score]) => score >= leastScore)
      .sort(([, one], [, other]) => other - one)
      .map(([lemma]) => lemma);
  });
}
