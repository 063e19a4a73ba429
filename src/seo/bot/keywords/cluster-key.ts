import { createHash } from "node:crypto";
import { type Cluster, type Phrase, phraseKey } from "../../categories/clusters.ts";

/**
 * Phrases and clusters in addresses: a number of a phrase, so that a button of an old message never means another one. 48 bits fit
 * into what an address takes.
 */
export function phraseNumber(phrase: string): number {
  return Number.parseInt(createHash("sha256").update(phraseKey(phrase)).digest("hex").slice(0, 12), 16);
}

/** A cluster has the number of its main phrase. */
export const clusterNumber = ({ main_phrase }: Cluster): number => phraseNumber(main_phrase);

export function clusterNumbered(clusters: readonly Cluster[], number: number): Cluster | undefined {
  return clusters.find((cluster) => clusterNumber(cluster) === number);
}

export function phraseNumbered(
  clusters: readonly Cluster[],
  number: number,
): { readonly cluster: Cluster; readonly phrase: Phrase } | undefined {
  for (const cluster of clusters)
    for (const phrase of cluster.phrases)
      if (phraseNumber(phrase.phrase) === number) return { cluster, phrase };
  return undefined;
}
