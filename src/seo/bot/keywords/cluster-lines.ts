/** Clusters as people read them. */
import type { Language } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import type { Cluster, Phrase } from "../../categories/clusters.ts";
import { texts } from "../texts/index.ts";

/** Up to this difficulty a new site can be found. */
export const easyUpTo = 30;

/** The most promising first: those that are searched for most, of equals the easier ones. */
export function bestClusters(clusters: readonly Cluster[]): Cluster[] {
  return clusters.toSorted(
    (one, other) =>
      volumeOf(other) - volumeOf(one) || (one.avg_difficulty ?? 100) - (other.avg_difficulty ?? 100),
  );
}

/** `Чай оптом — 12 фраз, Google 1 900/мес, сложность 24, ★ легко`; the country stands in `placesLine`. */
export function clusterLine(cluster: Cluster, language: Language): string {
  const { keywords } = texts[language];
  const { cluster_name, phrases, total_volume, total_yandex_volume, avg_difficulty } = cluster;
  const volumes = volumesOf(total_volume, total_yandex_volume, language);
  const parts = [
    keywords.phrases(phrases.length),
    ...(volumes.length > 0 ? volumes : [keywords.cluster.noVolume]),
    ...(avg_difficulty === null ? [] : [keywords.cluster.difficulty(Math.round(avg_difficulty))]),
    ...(avg_difficulty !== null && avg_difficulty <= easyUpTo ? [keywords.cluster.easy] : []),
  ];
  return `${cut(cluster_name, 80)} — ${parts.join(", ")}`;
}

export function phraseLine(
  { phrase, volume, yandex_volume, difficulty }: Phrase,
  language: Language,
): string {
  const { keywords } = texts[language];
  const figures = [
    ...volumesOf(volume, yandex_volume, language),
    ...(difficulty === null ? [] : [keywords.cluster.difficulty(Math.round(difficulty))]),
  ];
  return `• ${cut(phrase, 100)} — ${figures.length === 0 ? keywords.cluster.noVolume : figures.join(", ")}`;
}

/** The country and the region that volumes are of: they are named wherever volumes are shown. */
export function placesLine(
  { google, yandex }: { readonly google: string; readonly yandex: string },
  language: Language,
): string | undefined {
  const { result } = texts[language].keywords;
  const places = [
    ...(google === "" ? [] : [result.google(google)]),
    ...(yandex === "" ? [] : [result.yandex(yandex)]),
  ];
  return places.length === 0 ? undefined : result.volumes(places.join("; "));
}

/** The three best clusters, numbered. */
export const topLines = (clusters: readonly Cluster[], language: Language): string[] =>
  bestClusters(clusters)
    .slice(0, 3)
    .map((cluster, at) => `${at + 1}. ${clusterLine(cluster, language)}`);

const volumeOf = ({ total_volume, total_yandex_volume }: Cluster) =>
  Math.max(total_volume ?? -1, total_yandex_volume ?? -1);

function volumesOf(google: number | null, yandex: number | undefined, language: Language): string[] {
  const { cluster } = texts[language].keywords;
  const figures = new Intl.NumberFormat(language === "ru" ? "ru-RU" : "en-GB");
  return [
    ...(google === null ? [] : [cluster.google(figures.format(google))]),
    ...(yandex === undefined ? [] : [cluster.yandex(figures.format(yandex))]),
  ];
}
