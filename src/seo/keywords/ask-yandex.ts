import { z } from "zod";
import { type Cluster, clusterSchema, phraseKey } from "../categories/clusters.ts";
import type { RunScope, StepScope } from "../runs/run-kind.ts";
import { noteSource, payerOf } from "../runs/source-calls.ts";
import type { Said } from "../said.ts";
import type { Sourced } from "../sources/result.ts";
import type { Sources } from "../sources/sources.ts";
import { clusterOf } from "./clusters-from.ts";
import { confirmClusters } from "./confirm-clusters.ts";
import { findRegion } from "./find-region.ts";
import { readTops } from "./read-tops.ts";
import { learnDemand } from "./yandex-demand.ts";

const said = z.object({ ru: z.string(), en: z.string() });

/** What Yandex added to phrases; part of a run's result. */
export const yandexPart = {
  region: said.nullable().default(null).describe("Of Yandex that its volumes are of; null without them"),
  confirmed: z
    .object({
      searches: z.int().describe("Phrases whose first ten results were compared"),
      moved: z.int().describe("Phrases that left their cluster"),
      merged: z.int().describe("Clusters that became part of another"),
    })
    .nullable()
    .default(null)
    .describe("Clusters by real results of Yandex; null if nothing was compared"),
  notes: z.array(said).default([]).describe("What is missing and why"),
};
const yandexSchema = z.object(yandexPart);
export type YandexPart = z.infer<typeof yandexSchema>;

const demandSchema = z.object({
  clusters: z.array(clusterSchema),
  region: z.object({ ids: z.array(z.string()), name: z.string() }).nullable(),
  notes: z.array(said),
  isAnswering: z.boolean(),
});

interface Asking {
  readonly sources: Pick<Sources, "yandex">;
  readonly run: RunScope;
  readonly operation: string;
  /** Where the business sells, in its own words; several places with commas. */
  readonly places: string;
  /** What the phrases are about. */
  readonly heads?: readonly string[];
  /** Whether phrases may be grouped by results. */
  readonly confirms: boolean;
}

/**
 * Adds volumes of Yandex to every phrase it knows, and corrects the clusters by its real results. Never fails: without a key, over a
 * quota or without an answer the clusters stay as they are, and a note says so.
 */
export async function askYandex(
  given: readonly Cluster[],
  asking: Asking,
): Promise<YandexPart & { readonly clusters: readonly Cluster[] }> {
  const { clusters, region, notes, isAnswering } = await withDemand(given, asking);
  const place = hasVolumes(clusters) && region ? { ru: region.name, en: region.name } : null;
  if (!asking.confirms || !isAnswering) return { clusters, region: place, confirmed: null, notes };
  const compared = await confirmed(clusters, region?.ids[0], asking);
  return { ...compared, region: place, notes: [...notes, ...compared.notes] };
}

const hasVolumes = (clusters: readonly Cluster[]) =>
  clusters.some(({ total_yandex_volume }) => total_yandex_volume !== undefined);

function withDemand(clusters: readonly Cluster[], { sources, run, operation, places, heads = [] }: Asking) {
  const { yandex } = sources;
  const payer = payerOf(run, operation);
  return run.step("demand", { result: demandSchema, stage: "demand" }, async (step) => {
    const tree = await yandex.regionTree(payer);
    note(step, tree);
    if (!tree.ok) return { clusters: [...clusters], region: null, notes: [tree.message], isAnswering: false };
    const { ids, name, unknown } = findRegion(tree.value, places);
    const phrases = clusters.flatMap((cluster) => cluster.phrases.map(({ phrase }) => phrase));
    const wanted = { phrases, heads, regions: ids };
    const { volumes, missing, left } = await learnDemand(yandex, wanted, payer, (answer) =>
      note(step, answer),
    );
    step.note("demand", { region: name, phrases: volumes.size, unknown: left });
    return {
      clusters: clusters.map((cluster) => withVolumes(cluster, volumes, name)),
      region: { ids: [...ids], name },
      notes: [
        ...(unknown.length > 0 ? [unknownPlaces(unknown, name)] : []),
        ...(missing ? [missing.message] : []),
      ],
      // Its search has a quota of its own.
      isAnswering: missing === undefined || missing.reason === "quota",
    };
  });
}

const confirmedSchema = yandexSchema
  .pick({ confirmed: true, notes: true })
  .extend({ clusters: z.array(clusterSchema) });

function confirmed(
  clusters: readonly Cluster[],
  region: string | undefined,
  { sources, run, operation }: Asking,
) {
  return run.step("confirm", { result: confirmedSchema, stage: "confirming" }, async (step) => {
    const { tops, missing } = await readTops(
      sources.yandex,
      clusters,
      region,
      payerOf(run, operation),
      (answer) => note(step, answer),
    );
    const notes = missing ? [missing.message] : [];
    if (tops.size === 0) return { clusters: [...clusters], confirmed: null, notes };
    const { moved, merged, clusters: changed } = confirmClusters(clusters, tops);
    step.note("confirmed", { searches: tops.size, moved, merged });
    return { clusters: changed, confirmed: { searches: tops.size, moved, merged }, notes };
  });
}

/** What a source does not know of one phrase is no news. */
function note(step: StepScope, answer: Sourced<unknown>): void {
  if (answer.ok || answer.reason !== "no_data") noteSource(step, "yandex", answer);
}

/** With other volumes another phrase may be the main one. */
function withVolumes(cluster: Cluster, volumes: ReadonlyMap<string, number>, region: string): Cluster {
  if (!cluster.phrases.some(({ phrase }) => volumes.has(phraseKey(phrase)))) return cluster;
  const phrases = cluster.phrases.map((phrase) => {
    const volume = volumes.get(phraseKey(phrase.phrase));
    return volume === undefined ? phrase : { ...phrase, yandex_volume: volume, yandex_region: region };
  });
  return clusterOf(cluster.cluster_name, cluster.cluster_type, phrases);
}

const unknownPlaces = (places: readonly string[], used: string): Said => ({
  ru: `Яндекс не знает региона «${places.join(", ")}». Спрос показан по региону «${used}».`,
  en: `Yandex does not know the region “${places.join(", ")}”. Demand is shown for “${used}”.`,
});

/** Said instead of having no volumes at all. */
export const yandexAlone = ({ ru, en }: Said): Said => ({
  ru: `Данные без объёмов поиска Google. Спрос показан по Яндексу: ${ru}`,
  en: `The phrases have no volumes of Google. Demand is Yandex's: ${en}`,
});
