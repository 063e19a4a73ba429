import type { ClustersAnswer } from "../answers/index.ts";
import { type Cluster, mostSearched, type Phrase, phraseKey, withPhrases } from "../categories/clusters.ts";
import type { Keyword } from "../sources/dataforseo/shapes.ts";

/** How many phrases a model may add to those that were found. */
export const extraPhrases = (quantity: number) => Math.ceil(quantity * 0.15);

/**
 * The model's clusters, put right: only phrases that were found, or as many invented ones as were allowed; each once; the main
 * phrase is the most wanted one; what the model forgot is not lost but stands in a cluster of its own.
 */
export function clustersFrom(
  { clusters }: ClustersAnswer,
  found: readonly Keyword[],
  { quantity, country }: { readonly quantity: number; readonly country: string },
): Cluster[] {
  const known = new Map(found.map((keyword) => [phraseKey(keyword.phrase), keyword]));
  const used = new Set<string>();
  let invented = extraPhrases(quantity);
  let room = quantity;

  const take = (phrase: string): Phrase | undefined => {
    const key = phraseKey(phrase);
    const keyword = known.get(key);
    if (key === "" || used.has(key) || room <= 0 || (!keyword && invented <= 0)) return undefined;
    used.add(key);
    room -= 1;
    if (!keyword) invented -= 1;
    return keyword
      ? phraseOf(keyword, country)
      : { ...unknown, phrase: phrase.trim().slice(0, 200), ai_suggested: true };
  };

  const made = clusters.flatMap(({ cluster_name, cluster_type, phrases }): Cluster[] => {
    const taken = phrases.flatMap(({ phrase }) => take(phrase) ?? []);
    return taken.length > 0 ? [clusterOf(cluster_name, cluster_type, taken)] : [];
  });
  const forgotten = found.flatMap(({ phrase }): Cluster[] => {
    const taken = take(phrase);
    return taken ? [clusterOf(taken.phrase, typeOf(taken), [taken])] : [];
  });
  return [...made, ...forgotten];
}

/** Adds figures of a country to phrases that have none. */
export function withFigures(
  clusters: readonly Cluster[],
  figures: readonly Keyword[],
  country: string,
): Cluster[] {
  const known = new Map(figures.map((keyword) => [phraseKey(keyword.phrase), keyword]));
  return clusters.map((cluster) =>
    withPhrases(
      cluster,
      cluster.phrases.map((phrase) => {
        const figure = known.get(phraseKey(phrase.phrase));
        if (!figure) return phrase;
        const isNew = phrase.volume === null && figure.volume !== null;
        return {
          ...phrase,
          ...(isNew && { volume_country: country }),
          volume: phrase.volume ?? figure.volume,
          difficulty: phrase.difficulty ?? figure.difficulty,
          cpc: phrase.cpc ?? figure.cpcUsd,
          intent: phrase.intent ?? figure.intent,
        };
      }),
    ),
  );
}

const unknown = { volume: null, difficulty: null, cpc: null, intent: null, ai_suggested: false } as const;

/** A phrase that was found in the data of a country. */
export const phraseOf = (
  { phrase, volume, difficulty, cpcUsd, intent }: Keyword,
  country: string,
): Phrase => ({
  ...{ phrase, volume, difficulty, cpc: cpcUsd, intent, ai_suggested: false },
  ...(volume !== null && { volume_country: country }),
});

/** Who wants to buy looks for a page with goods, not for an article. */
export const typeOf = ({ intent }: Phrase): Cluster["cluster_type"] =>
  intent === "transactional" || intent === "navigational" ? "product_page" : "article";

/** A cluster whose main phrase is the most wanted one. */
export function clusterOf(
  name: string,
  cluster_type: Cluster["cluster_type"],
  phrases: readonly Phrase[],
): Cluster {
  const main = mostSearched(phrases)?.phrase ?? name;
  const empty: Cluster = {
    cluster_name: name.trim().slice(0, 200) || main,
    cluster_type,
    main_phrase: main,
    total_volume: null,
    avg_difficulty: null,
    phrases: [],
  };
  return withPhrases(empty, phrases);
}
