import { type Cluster, demandOf, phraseKey } from "../categories/clusters.ts";
import type { Missing, Payer, Sourced } from "../sources/result.ts";
import type { Yandex } from "../sources/yandex/client.ts";
import { addressKey, type Tops } from "./confirm-clusters.ts";

/** A search at once costs $0.004, so confirming costs at most a quarter of a dollar. */
export const mostSearches = 60;
const atOnce = 3;

export interface ReadTops {
  readonly tops: Tops;
  /** Why not all of them were searched for. */
  readonly missing?: Missing | undefined;
}

/** The first ten results for the phrases of clusters. A quota or a failure ends the searching; what is known by then is returned. */
export async function readTops(
  yandex: Pick<Yandex, "search">,
  clusters: readonly Cluster[],
  region: string | undefined,
  payer: Payer,
  noted: (answer: Sourced<unknown>) => void,
): Promise<ReadTops> {
  const tops = new Map<string, ReadonlySet<string>>();
  const phrases = searchOrder(clusters).slice(0, mostSearches);
  for (let at = 0; at < phrases.length; at += atOnce) {
    const next = phrases.slice(at, at + atOnce);
    const answers = await Promise.all(next.map((phrase) => yandex.search(phrase, region, payer)));
    for (const [index, answer] of answers.entries()) {
      noted(answer);
      if (answer.ok)
        tops.set(
          phraseKey(next[index] ?? ""),
          new Set(answer.value.flatMap(({ url }) => addressKey(url) ?? [])),
        );
    }
    const missing = answers.find((answer) => !answer.ok && answer.reason !== "no_data");
    if (missing && !missing.ok) return { tops, missing };
  }
  return { tops };
}

/** Main phrases first, because without one nothing of its cluster can be confirmed; then the others, the most wanted first. */
export function searchOrder(clusters: readonly Cluster[]): string[] {
  const all = clusters.flatMap(({ main_phrase, phrases }) =>
    phrases.map((phrase) => ({ phrase, isMain: phraseKey(phrase.phrase) === phraseKey(main_phrase) })),
  );
  return all
    .toSorted(
      (one, other) =>
        Number(other.isMain) - Number(one.isMain) || demandOf(other.phrase) - demandOf(one.phrase),
    )
    .map(({ phrase }) => phrase.phrase);
}
