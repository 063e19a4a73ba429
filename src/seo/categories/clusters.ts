/** Keywords in the document's format, and what can be done to them. All of it is pure. */
import { z } from "zod";

const measure = z.number().nullable().default(null);
/** Absent where there is no figure: a category may hold thousands of phrases. */
const placeName = z.string().max(300).optional();

export const phraseSchema = z
  .object({
    phrase: z.string().trim().min(1).max(200),
    volume: measure.describe("Searches a month"),
    difficulty: measure.describe("0 to 100"),
    cpc: measure.describe("Dollars a click"),
    intent: z.string().max(50).nullable().default(null),
    ai_suggested: z.boolean().default(false).describe("Made up by a model, not found in data"),
    volume_country: placeName.describe("The country of Google that `volume` is of"),
    yandex_volume: z
      .number()
      .min(0)
      .optional()
      .describe("Searches at Yandex in the last 30 days; absent if unknown"),
    yandex_region: placeName.describe("The region of Yandex that `yandex_volume` is of"),
  })
  .meta({ id: "SeoPhrase" });
export type Phrase = z.infer<typeof phraseSchema>;

export const clusterTypes = ["article", "product_page"] as const;

export const clusterSchema = z
  .object({
    cluster_name: z.string().trim().min(1).max(200),
    cluster_type: z.enum(clusterTypes),
    main_phrase: z.string().trim().min(1).max(200),
    total_volume: measure.describe("Of Google: the sum over its phrases"),
    avg_difficulty: measure,
    total_yandex_volume: z.number().min(0).optional().describe("The sum over its phrases; absent if unknown"),
    phrases: z.array(phraseSchema),
  })
  .meta({ id: "SeoCluster" });
export type Cluster = z.infer<typeof clusterSchema>;

/** More than any site needs; a row of the database stays small. */
export const phraseLimit = 5_000;

/** The form in which phrases are compared; the same as `seo.phrase_key`. */
export function phraseKey(phrase: string): string {
  return phrase.trim().replaceAll(/\s+/g, " ").toLowerCase().replaceAll("ё", "е");
}

/**
 * How wanted a phrase is: the larger of both volumes, -1 if neither is known. They are of different countries and engines, so the
 * sum would mean nothing; whoever sorts wants the phrase that is searched for anywhere.
 */
export function demandOf({ volume, yandex_volume }: Pick<Phrase, "volume" | "yandex_volume">): number {
  return Math.max(volume ?? -1, yandex_volume ?? -1);
}

/** Where the volumes of phrases come from, each place once: they are named wherever volumes are shown. */
export function placesOf(phrases: readonly Phrase[]): { readonly google: string; readonly yandex: string } {
  const named = (names: readonly (string | undefined)[]) =>
    [...new Set(names.flatMap((name) => name ?? []))].join(", ");
  return {
    google: named(phrases.map(({ volume_country }) => volume_country)),
    yandex: named(phrases.map(({ yandex_region }) => yandex_region)),
  };
}

export function countPhrases(clusters: readonly Cluster[]): number {
  return clusters.reduce((sum, { phrases }) => sum + phrases.length, 0);
}

/**
 * Adds clusters to those that are there. A phrase that is known anywhere is not added again, whatever cluster it came in, but learns
 * figures that it did not have; a new cluster with the name of a known one joins it, and one without new phrases is dropped.
 */
export function mergeClusters(given: readonly Cluster[], added: readonly Cluster[]): Cluster[] {
  const known = withNewFigures(given, added);
  const seen = new Set(known.flatMap(({ phrases }) => phrases.map(({ phrase }) => phraseKey(phrase))));
  const merged = new Map(known.map((cluster, index) => [`${index}`, cluster]));
  const placeOf = new Map(known.map(({ cluster_name }, index) => [phraseKey(cluster_name), `${index}`]));
  for (const cluster of added) {
    const phrases = cluster.phrases.filter(({ phrase }) => {
      const isNew = !seen.has(phraseKey(phrase));
      seen.add(phraseKey(phrase));
      return isNew;
    });
    if (phrases.length === 0) continue;
    const place = placeOf.get(phraseKey(cluster.cluster_name)) ?? `${merged.size}`;
    const old = merged.get(place);
    placeOf.set(phraseKey(cluster.cluster_name), place);
    merged.set(place, withPhrases(old ?? cluster, [...(old?.phrases ?? []), ...phrases]));
  }
  return [...merged.values()];
}

/** Volumes of Yandex are of the last 30 days, so the newer ones count; a volume of Google is kept if there is one. */
function withNewFigures(known: readonly Cluster[], added: readonly Cluster[]): readonly Cluster[] {
  const fresh = new Map(
    added.flatMap(({ phrases }) => phrases.map((phrase) => [phraseKey(phrase.phrase), phrase])),
  );
  return known.map((cluster) => {
    const phrases = cluster.phrases.map((phrase) => {
      const { yandex_volume, yandex_region, volume, volume_country } =
        fresh.get(phraseKey(phrase.phrase)) ?? phrase;
      const learnsGoogle = phrase.volume === null && volume !== null;
      const learnsYandex = yandex_volume !== undefined && yandex_volume !== phrase.yandex_volume;
      if (!learnsGoogle && !learnsYandex) return phrase;
      return {
        ...phrase,
        ...(learnsGoogle && { volume, ...(volume_country !== undefined && { volume_country }) }),
        ...(learnsYandex && { yandex_volume, ...(yandex_region !== undefined && { yandex_region }) }),
      };
    });
    return phrases.every((phrase, at) => phrase === cluster.phrases[at])
      ? cluster
      : withPhrases(cluster, phrases);
  });
}

/** Removes whole clusters, by their main phrases, and single phrases. A cluster without phrases vanishes. */
export function removeFrom(
  clusters: readonly Cluster[],
  { mainPhrases = [], phrases = [] }: { mainPhrases?: readonly string[]; phrases?: readonly string[] },
): Cluster[] {
  const gone = { clusters: keysOf(mainPhrases), phrases: keysOf(phrases) };
  return clusters
    .filter(({ main_phrase }) => !gone.clusters.has(phraseKey(main_phrase)))
    .map((cluster) => {
      const left = cluster.phrases.filter(({ phrase }) => !gone.phrases.has(phraseKey(phrase)));
      return left.length === cluster.phrases.length ? cluster : withPhrases(cluster, left);
    })
    .filter(({ phrases: left }) => left.length > 0);
}

const keysOf = (phrases: readonly string[]) => new Set(phrases.map(phraseKey));

/** The cluster with other phrases: its figures are computed anew, and a main phrase that is gone is replaced by the most searched. */
export function withPhrases(cluster: Cluster, phrases: readonly Phrase[]): Cluster {
  const volumes = phrases.flatMap(({ volume }) => volume ?? []);
  const atYandex = phrases.flatMap(({ yandex_volume }) => yandex_volume ?? []);
  const difficulties = phrases.flatMap(({ difficulty }) => difficulty ?? []);
  const main = phrases.find(({ phrase }) => phraseKey(phrase) === phraseKey(cluster.main_phrase));
  const { total_yandex_volume: _, ...rest } = cluster;
  return {
    ...rest,
    ...(atYandex.length > 0 && { total_yandex_volume: sum(atYandex) }),
    main_phrase: main?.phrase ?? mostSearched(phrases)?.phrase ?? cluster.main_phrase,
    total_volume: volumes.length > 0 ? sum(volumes) : null,
    avg_difficulty:
      difficulties.length > 0 ? Math.round((sum(difficulties) / difficulties.length) * 10) / 10 : null,
    phrases: [...phrases],
  };
}

/** The first of them if several are wanted equally. */
export function mostSearched(phrases: readonly Phrase[]): Phrase | undefined {
  return phrases.toSorted((one, other) => demandOf(other) - demandOf(one))[0];
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
