import type { ClustersAnswer } from "../answers/index.ts";
import { type Cluster, type Phrase, phraseKey, withPhrases } from "../categories/clusters.ts";
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
  quantity: number,
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
      ? phraseOf(keyword)
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

/** Adds figures to phrases that have none. */
export function withFigures(clusters: readonly Cluster[], figures: readonly Keyword[]): Cluster[] {
  const known = new Map(figures.map((keyword) => [phraseKey(keyword.phrase), keyword]));
  return clusters.map((cluster) =>
    withPhrases(
      cluster,
      cluster.phrases.map((phrase) => {
        const figure = known.get(phraseKey(phrase.phrase));
        if (!figure) return phrase;
        return {
          ...phrase,
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

const phraseOf = ({ phrase, volume, difficulty, cpcUsd, intent }: Keyword): Phrase => ({
  ...{ phrase, volume, difficulty, cpc: cpcUsd, intent, ai_suggested: false },
});

/** Who wants to buy looks for a page with goods, not for an article. */
const typeOf = ({ intent }: Phrase): Cluster["cluster_type"] =>
  intent === "transactional" || intent === "navigational" ? "product_page" : "article";

function clusterOf(name: string, cluster_type: Cluster["cluster_type"], phrases: readonly Phrase[]): Cluster {
  const main = phrases.reduce((best, phrase) =>
    (phrase.volume ?? -1) > (best.volume ?? -1) ? phrase : best,
  );
  const empty: Cluster = {
    cluster_name: name.trim().slice(0, 200) || main.phrase,
    cluster_type,
    main_phrase: main.phrase,
    total_volume: null,
    avg_difficulty: null,
    phrases: [],
  };
  return withPhrases(empty, phrases);
}
