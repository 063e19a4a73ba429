import { z } from "zod";
import { seoTasks } from "../answers/index.ts";
import { readCategory } from "../categories/categories.ts";
import { clusterSchema, type Phrase, phraseKey } from "../categories/clusters.ts";
import { addUploaded } from "../categories/keywords.ts";
import { askModel } from "../models/ask-model.ts";
import { readProject } from "../projects/projects.ts";
import { defineRun, type RunScope } from "../runs/run-kind.ts";
import { noteSource, payerOf } from "../runs/source-calls.ts";
import { intents, type Keyword } from "../sources/dataforseo/shapes.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { clustersFrom } from "./clusters-from.ts";

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
 * Adds a person's own phrases: with volumes, in clusters. Without the source of data they are kept as a flat list and the person
 * is told; without a model they are one cluster with the category's name. Costs nothing and never fails for a provider.
 */
export function uploadRun(deps: WorkshopDeps) {
  const { sql, clock, sources } = deps;
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
      const clusters = found ? await clustered(deps, run, order, found) : undefined;
      const result = await run.step("save", { result: uploadResult }, async () => {
        const category = await readCategory(sql, run, order.category_id);
        const learnt = found ? { figures: found.map(phraseOf), clusters } : {};
        const { removed: _, ...changed } = await addUploaded(
          { sql, clock },
          run,
          category,
          order.phrases,
          learnt,
        );
        return { ...changed, country: found ? sources.dataforseo.country : null };
      });
      return { status: "done", result };
    },
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
      ? clustersFrom({ clusters }, found, found.length)
      : [];
  });
}

const phraseOf = ({ phrase, volume, difficulty, cpcUsd, intent }: Keyword): Phrase => ({
  ...{ phrase, volume, difficulty, cpc: cpcUsd, intent, ai_suggested: false },
});
