import { phraseKey } from "../categories/clusters.ts";
import { functionWords, stemOf, wordsOf } from "../language/index.ts";
import type { Missing, Payer, Sourced } from "../sources/result.ts";
import type { Demand, Yandex } from "../sources/yandex/client.ts";

/** Volumes at Yandex by `phraseKey`. */
export interface LearntDemand {
  readonly volumes: ReadonlyMap<string, number>;
  /** Why not all phrases were asked about. */
  readonly missing?: Missing | undefined;
  /** Phrases of which nothing is known. */
  readonly left: number;
}

/** Of the 100 questions an hour that a folder usually has, so that others can ask as well. */
export const mostQuestions = 50;
/** An answer names up to this many longer phrases with their volumes: one question tells about many. */
const longerPhrases = 2_000;
const mostHeads = 6;
/** With answers of 0.3 s these are ten questions a second, which is Yandex's limit. */
const atOnce = 3;

export interface DemandWanted {
  readonly phrases: readonly string[];
  /** What the phrases are about, such as `улун`: asked about first. */
  readonly heads: readonly string[];
  readonly regions: readonly string[];
}

/**
 * Asks Wordstat how often phrases are searched for in the regions. Heads and the shortest phrases are asked about first, because answers
 * list longer phrases too. A quota or a failure ends the asking; what is known by then is returned.
 */
export async function learnDemand(
  yandex: Pick<Yandex, "demand">,
  { phrases, heads, regions }: DemandWanted,
  payer: Payer,
  noted: (answer: Sourced<Demand>) => void,
): Promise<LearntDemand> {
  const wanted = new Map(phrases.map((phrase) => [phraseKey(phrase), phrase]));
  const byWords = new Map([...wanted.keys()].map((key) => [meaningKey(key), key]));
  const volumes = new Map<string, number>();
  const waiting = [
    ...heads.slice(0, mostHeads).map(phraseKey),
    ...[...wanted.keys()].toSorted((one, other) => lengthOf(one) - lengthOf(other)),
  ];
  const isOpen = (key: string) => !volumes.has(key);
  let missing: Missing | undefined;
  let asked = 0;
  while (missing === undefined && asked < mostQuestions) {
    const next = takeOpen(waiting, isOpen, Math.min(atOnce, mostQuestions - asked));
    if (next.length === 0) break;
    asked += next.length;
    const answers = await Promise.all(
      next.map((key) => yandex.demand(wanted.get(key) ?? key, regions, payer, longerPhrases)),
    );
    for (const answer of answers) {
      noted(answer);
      if (!answer.ok) {
        if (answer.reason !== "no_data") missing = answer;
        continue;
      }
      for (const { phrase, count } of answer.value.phrases) {
        const key = wanted.has(phraseKey(phrase)) ? phraseKey(phrase) : byWords.get(meaningKey(phrase));
        if (key !== undefined && isOpen(key)) volumes.set(key, count);
      }
    }
  }
  return { volumes, missing, left: wanted.size - volumes.size };
}

/** Removes and returns the first phrases that are still unknown. */
function takeOpen(waiting: string[], isOpen: (key: string) => boolean, most: number): string[] {
  const taken: string[] = [];
  while (taken.length < most) {
    const key = waiting.shift();
    if (key === undefined) break;
    if (isOpen(key)) taken.push(key);
  }
  return taken;
}

const lengthOf = (phrase: string) => phrase.split(" ").length;

/** Wordstat lists phrases without prepositions and in another order or form. */
const meaningKey = (phrase: string): string =>
  wordsOf(phrase)
    .filter(({ folded }) => !functionWords.has(folded))
    .map(({ folded }) => stemOf(folded))
    .sort()
    .join(" ");
