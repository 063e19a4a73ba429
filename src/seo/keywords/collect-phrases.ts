import { phraseKey } from "../categories/clusters.ts";
import type { DataForSeo } from "../sources/dataforseo/client.ts";
import type { Keyword } from "../sources/dataforseo/shapes.ts";
import type { Missing, Payer } from "../sources/result.ts";

export interface Wanted {
  readonly specialization: string;
  readonly products: string;
  readonly geography: string;
}

/** Phrases that people search for, the most wanted first; or why there are none. */
export type Collected = { readonly ok: true; readonly phrases: Keyword[] } | Missing;

/** How many phrases are asked about as seeds, and of how many found ones the related are asked for. */
const seedsAtMost = 5;
const relatedOf = 10;

/** Longer phrases of every seed, then what is related to the most wanted of them. */
export async function collectPhrases(
  dataforseo: Pick<DataForSeo, "suggestions" | "related">,
  wanted: Wanted,
  payer: Payer,
): Promise<Collected> {
  const asked = await Promise.all(seedsOf(wanted).map((seed) => dataforseo.suggestions(seed, payer)));
  const found = distinct(asked.flatMap((answer) => (answer.ok ? answer.value : [])));
  const missing = asked.find((answer) => !answer.ok);
  if (found.length === 0 && missing && !missing.ok) return missing;
  const related = await Promise.all(
    found.slice(0, relatedOf).map(({ phrase }) => dataforseo.related(phrase, payer)),
  );
  return {
    ok: true,
    phrases: distinct([...found, ...related.flatMap((answer) => (answer.ok ? answer.value : []))]),
  };
}

/** What the business does, and each thing it sells, in its place. */
export function seedsOf({ specialization, products, geography }: Wanted): string[] {
  const things = products.split(/[,;\n]/).map((thing) => thing.trim());
  const place = /^(?:россия|вся россия|рф|онлайн|интернет|-)?$/i.test(geography.trim())
    ? ""
    : geography.trim();
  const seeds = [...things, specialization.split(/[.,;\n]/)[0]?.trim() ?? ""].filter((thing) => thing !== "");
  return [
    ...new Set(seeds.slice(0, seedsAtMost).flatMap((seed) => (place ? [`${seed} ${place}`, seed] : [seed]))),
  ];
}

/** Each phrase once, the most wanted first; unknown volumes last. */
function distinct(phrases: readonly Keyword[]): Keyword[] {
  const known = new Map<string, Keyword>();
  for (const phrase of phrases) {
    const key = phraseKey(phrase.phrase);
    const before = known.get(key);
    if (!before || (before.volume ?? -1) < (phrase.volume ?? -1)) known.set(key, phrase);
  }
  return [...known.values()].toSorted((one, other) => (other.volume ?? -1) - (one.volume ?? -1));
}
