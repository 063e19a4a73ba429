import { wordsOf } from "../language/index.ts";
import { hash64 } from "./simhash.ts";

/** Words per shingle: five in a row are rarely the same by chance. */
const length = 5;
/** Above this share of copied shingles a text should be rewritten. */
export const mostCopied = 0.05;

export interface Containment<Id> {
  /** The share of the text's shingles that stand in any of the others. */
  readonly share: number;
  /** Those that share something, most first. */
  readonly others: readonly { readonly id: Id; readonly share: number }[];
}

/** How much of a text stands word for word in others. Linear in the length of all of them. */
export function copiedFrom<Id>(
  text: string,
  others: Iterable<{ readonly id: Id; readonly text: string }>,
): Containment<Id> {
  const own = shinglesOf(text);
  const copied = new Set<number>();
  const found: { id: Id; share: number }[] = [];
  for (const other of others) {
    let shared = 0;
    for (const shingle of shinglesOf(other.text))
      if (own.has(shingle)) {
        shared++;
        copied.add(shingle);
      }
    if (shared > 0) found.push({ id: other.id, share: shared / own.size });
  }
  return {
    share: own.size === 0 ? 0 : copied.size / own.size,
    others: found.sort((one, other) => other.share - one.share),
  };
}

/** From this share of its shingles on, a sentence counts as copied. */
const sentenceCopied = 0.5;

/** Which of the sentences stand in others, most of their words in a row, and where. */
export function copiedSentences<Id>(
  sentences: readonly string[],
  others: readonly { readonly id: Id; readonly text: string }[],
): { readonly sentence: number; readonly id: Id }[] {
  const known = others.map(({ id, text }) => ({ id, shingles: shinglesOf(text) }));
  return sentences.flatMap((text, sentence) => {
    const own = [...shinglesOf(text)];
    const from = known.find(
      ({ shingles }) =>
        own.length > 0 && own.filter((each) => shingles.has(each)).length / own.length >= sentenceCopied,
    );
    return from ? [{ sentence, id: from.id }] : [];
  });
}

/** Different shingles, each as a number of 53 bits. */
function shinglesOf(text: string): Set<number> {
  const words = wordsOf(text).map((word) => word.folded);
  const shingles = new Set<number>();
  for (let at = 0; at + length <= words.length; at++) {
    const [high, low] = hash64(words.slice(at, at + length).join(" "));
    shingles.add((high & 0x1fffff) * 0x1_0000_0000 + low);
  }
  return shingles;
}
