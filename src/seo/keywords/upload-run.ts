import { z } from "zod";
import { seoTasks } from "../answers/index.ts";
import { readCategory } from "../categories/categories.ts";
import { type Cluster, clusterSchema, phraseKey } from "../categories/clusters.ts";
import { addUploaded } from "../categories/keywords.ts";
import { askModel } from "../models/ask-model.ts";
import { readProject } from "../projects/projects.ts";
import { defineRun, type RunScope } from "../runs/run-kind.ts";
import { noteSource, payerOf } from "../runs/source-calls.ts";
import { intents, type Keyword } from "../sources/dataforseo/shapes.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { askYandex, yandexAlone, yandexPart } from "./ask-yandex.ts";
import { clusterOf, clustersFrom, phraseOf } from "./clusters-from.ts";

export const uploadOrder = z.object({
  project_id: z.int(),
  category_id: z.int(),
  phrases: z.array(z.string().trim().min(1).max(100)).min(1).max(500),
});
export type UploadOrder = z.infer<typeof uploadOrder>;

const said = z.object({ ru: z.string(), en: z.string() });
export const uploadResult = z.object({
  clusters: z.int().describe("Of the category, after the upload"),
  phrases: z.int(),
  added: z.int().describe("Phrases that were not there before"),
  country: said.nullable().describe("That the volumes are of; null without volumes"),
  warning: said.nullable(),
  ...yandexPart,
});
export type UploadResult = z.infer<typeof uploadResult>;

const operation = "keyword_upload";

const keyword = z.object({
  phrase: z.string(),
  volume: z.number().nullable(),
  difficulty: z.number().nullable(),
  cpcUsd: z.number().nullable(),
  competition: z.number().nullable(),
  intent: z.enum(intents).nullable(),
});

/**
 * Adds a person's own phrases: with volumes of Google and Yandex, in clusters. Without volumes they are kept as a flat list and the
 * person is told; without a model they are one cluster with the category's name. Costs nothing and never fails for a provider.
 */
export function uploadRun(deps: WorkshopDeps) {
  const { sql, clock, sources } = deps;
  const country = sources.dataforseo.country.ru;
  return defineRun<UploadOrder, UploadResult>({
    kind: "keyword_upload",
    title: { ru: "загрузка фраз", en: "upload of phrases" },
    input: uploadOrder,
    async work(run, order) {
      const found = await run.step(
        "enrich",
        { result: z.array(keyword).nullable(), stage: "enriching" },
        async (step) => {
          const answer = await sources.dataforseo.enrich(order.phrases, payerOf(run, operation));
          noteSource(step, "dataforseo", answer);
          return answer.ok ? answer.value : null;
        },
      );
      const grouped = found ? await clustered(deps, run, order, found) : [];
      const { company_city } = await readProject(sql, run, order.project_id);
      const { clusters, ...yandex } = await askYandex(
        grouped.length > 0 ? grouped : alone(order.phrases, found ?? [], country),
        { ...{ sources, run, operation }, places: company_city ?? "", confirms: grouped.length > 0 },
      );
      const result = await run.step("save", { result: uploadResult }, async () => {
        const category = await readCategory(sql, run, order.category_id);
        const isKnown = found !== null || yandex.region !== null;
        const figures = clusters.flatMap(({ phrases }) => phrases);
        const isGrouped = grouped.length > 0 || found === null;
        const learnt = isKnown ? { figures, clusters: isGrouped ? clusters : undefined } : {};
        const { removed: _, ...changed } = await addUploaded(
          { sql, clock },
          run,
          category,
          order.phrases,
          learnt,
        );
        return {
          ...{ ...changed, ...yandex, country: found ? sources.dataforseo.country : null },
          warning: !found && yandex.region ? yandexAlone(yandex.region) : changed.warning,
        };
      });
      return { status: "done", result };
    },
  });
}

/** Each phrase as a cluster of its own, with what is known of it. */
function alone(phrases: readonly string[], found: readonly Keyword[], country: string): Cluster[] {
  const known = new Map(found.map((each) => [phraseKey(each.phrase), each]));
  const nothing = { volume: null, difficulty: null, cpcUsd: null, competition: null, intent: null };
  return phrases.map((phrase) => {
    const figures = known.get(phraseKey(phrase)) ?? { ...nothing, phrase };
    return clusterOf(phrase, "article", [phraseOf(figures, country)]);
  });
}

/** Empty if the model failed. */
function clustered(
  deps: WorkshopDeps,
  run: RunScope,
  { project_id, phrases }: UploadOrder,
  found: readonly Keyword[],
) {
  return run.step("cluster", { result: z.array(clusterSchema), stage: "clustering" }, async (step) => {
    const project = await readProject(deps.sql, run, project_id);
    const asked = await askModel(deps, { run, step, operation }, seoTasks.clusters, {
      raw_count: found.length,
      raw_keywords_json: JSON.stringify(found.map(({ phrase, volume }) => ({ phrase, volume }))),
      extra_count: 0,
      ...{ products: "", geography: project.company_city ?? "", language: "ru" },
      ...{ company_name: project.company_name, specialization: project.specialization },
    });
    if (!asked.ok) return [];
    // A person's own list gets no phrases that a model made up.
    const own = new Set(phrases.map(phraseKey));
    const clusters = asked.answer.clusters.map((cluster) => ({
      ...cluster,
      phrases: cluster.phrases.filter(({ phrase }) => own.has(phraseKey(phrase))),
    }));
    return clusters.some((cluster) => cluster.phrases.length > 0)
      ? clustersFrom({ clusters }, found, {
          quantity: found.length,
          country: deps.sources.dataforseo.country.ru,
        })
      : [];
  });
}
