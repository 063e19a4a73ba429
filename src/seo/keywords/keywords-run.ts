import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import { type KeywordsAnswer, keywordsAnswer, seoTasks } from "../answers/index.ts";
import { readCategory } from "../categories/categories.ts";
import { type Cluster, clusterSchema, phraseKey } from "../categories/clusters.ts";
import { addClusters, addUploaded, type KeywordsChanged, readClusters } from "../categories/keywords.ts";
import { askModel } from "../models/ask-model.ts";
import { withWait } from "../models/when-again.ts";
import { lowerIfHeld } from "../orders/held-step.ts";
import { readProject } from "../projects/projects.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun, type RunScope } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import type { Payer } from "../sources/result.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { askYandex, yandexAlone, yandexPart } from "./ask-yandex.ts";
import { clusterOf, clustersFrom, extraPhrases, phraseOf, withFigures } from "./clusters-from.ts";
import { collectPhrases, seedsOf } from "./collect-phrases.ts";

export const quantities = [50, 100, 150, 200] as const;

export const keywordsOrder = z.object({
  project_id: z.int(),
  category_id: z.int(),
  quantity: z.literal(quantities).describe("How many phrases"),
  products: z.string().trim().min(3).max(1000).describe("What is sold: goods and services"),
  geography: z.string().trim().min(2).max(200).describe("Where it is sold"),
});
export type KeywordsOrder = z.infer<typeof keywordsOrder>;

export const keywordsResult = z.object({
  clusters: z.array(clusterSchema),
  /** That the category did not have. */
  phrases: z.int(),
  /** The country that the volumes are of; null without volumes. */
  country: z.object({ ru: z.string(), en: z.string() }).nullable(),
  warning: z.object({ ru: z.string(), en: z.string() }).nullable(),
  ...yandexPart,
});
export type KeywordsResult = z.infer<typeof keywordsResult>;

const operation = "keyword_generation";
/** The step of billing that holds the tokens. */
export const keywordsCharge = "keywords";

const withoutVolumes: Said = {
  ru: "Данные без реальных объёмов поиска",
  en: "The phrases have no real search volumes",
};
const nothingFound: Said = {
  ru: "Не удалось подобрать фразы. Токены возвращены. Опишите товары и услуги иначе и попробуйте ещё раз.",
  en: "No phrases were found. The tokens were returned. Describe the goods and services differently and try again.",
};

const nothingNew: Said = {
  ru: "Новых фраз не нашлось: все найденные уже есть в категории. Токены возвращены. Опишите товары и услуги иначе и попробуйте ещё раз.",
  en: "No new phrases were found: the category has all of them. The tokens were returned. Describe the goods and services differently and try again.",
};

const keyword = z.object({
  phrase: z.string(),
  volume: z.number().nullable(),
  difficulty: z.number().nullable(),
  cpcUsd: z.number().nullable(),
  competition: z.number().nullable(),
  intent: z.enum(["informational", "commercial", "transactional", "navigational"]).nullable(),
  /** The category had it before. */
  isKnown: z.boolean().default(false),
});

/**
 * Finds phrases that people really search for, groups them by what the search shows, and adds volumes of Google and Yandex. Without the
 * source of data a model suggests phrases, without clusters and Google's volumes, and the person is told so. Costs what was added.
 */
export function keywordsRun(deps: WorkshopDeps) {
  return defineRun<KeywordsOrder, KeywordsResult>({
    kind: "keywords",
    title: { ru: "подбор фраз", en: "keywords" },
    input: keywordsOrder,
    async work(run, order) {
      const found = await findPhrases(deps, run, order);
      const result = found ? await clustered(deps, run, order, found) : await suggested(deps, run, order);
      await run.step("lower", { result: z.null() }, async () => {
        const { workspaceId, runId } = run;
        const prices = await listPrices(deps.sql, workspaceId);
        const tokens = tokensFor(prices, operation, Math.min(result.phrases, order.quantity));
        await lowerIfHeld(deps, { workspaceId, run: runId, step: keywordsCharge }, tokens);
        return null;
      });
      return { status: "done", result };
    },
  });
}

/** Undefined if the source of data has nothing (E03). */
function findPhrases(deps: WorkshopDeps, run: RunScope, order: KeywordsOrder) {
  const { sql, sources } = deps;
  return run.step("fetch", { result: z.array(keyword).nullable(), stage: "fetching" }, async (step) => {
    const { specialization } = await readProject(sql, run, order.project_id);
    const collected = await collectPhrases(sources.dataforseo, { ...order, specialization }, payerOf(run));
    if (collected.ok) {
      const known = await knownIn(deps, run, order);
      step.note("found", { phrases: collected.phrases.length });
      return collected.phrases.map((each) => ({ ...each, isKnown: known.has(phraseKey(each.phrase)) }));
    }
    step.note("source_missing", { source: collected.source, reason: collected.reason });
    return null;
  });
}

async function clustered(
  deps: WorkshopDeps,
  run: RunScope,
  order: KeywordsOrder,
  found: readonly z.infer<typeof keyword>[],
): Promise<KeywordsResult> {
  const { sql, clock, sources } = deps;
  const country = sources.dataforseo.country.ru;
  const extra = extraPhrases(order.quantity);
  // Room is left for what the model adds.
  const chosen = found.filter(({ isKnown }) => !isKnown).slice(0, order.quantity);
  if (chosen.length === 0 && found.length > 0) throw new RunFailure("nothing_found", nothingNew);
  const clusters = await run.step(
    "cluster",
    { result: z.array(clusterSchema), stage: "clustering" },
    async (step) => {
      const project = await readProject(sql, run, order.project_id);
      const asked = await askModel(deps, { run, step, operation }, seoTasks.clusters, {
        raw_count: chosen.length,
        raw_keywords_json: JSON.stringify(
          chosen.map(({ phrase, volume, intent }) => ({ phrase, volume, intent })),
        ),
        extra_count: extra,
        products: order.products,
        geography: order.geography,
        company_name: project.company_name,
        specialization: project.specialization,
        language: "ru",
      });
      // Phrases with volumes are worth keeping even if nobody grouped them.
      const answer = asked.ok ? asked.answer : { clusters: [] };
      return clustersFrom(answer, chosen, { quantity: order.quantity, country });
    },
  );
  if (clusters.length === 0) throw new RunFailure("nothing_found", nothingFound);
  const enriched = await run.step(
    "enrich",
    { result: z.array(clusterSchema), stage: "enriching" },
    async (step) => {
      const unknown = clusters.flatMap(({ phrases }) =>
        phrases.flatMap(({ phrase, volume }) => (volume === null ? [phrase] : [])),
      );
      if (unknown.length === 0) return clusters;
      const figures = await sources.dataforseo.enrich(unknown, payerOf(run));
      if (!figures.ok) step.note("source_missing", { source: figures.source, reason: figures.reason });
      return figures.ok ? withFigures(clusters, figures.value, country) : clusters;
    },
  );
  const { clusters: confirmed, ...yandex } = await askYandex(enriched, {
    ...{ sources, run, operation, confirms: true },
    ...(await aboutOrder(deps, run, order)),
  });
  // What the category has already only learns its figures.
  const known = found
    .filter(({ isKnown }) => isKnown)
    .map((each) => clusterOf(each.phrase, "article", [phraseOf(each, country)]));
  const phrases = await save(run, () =>
    addClusters({ sql, clock }, run, order.category_id, [...confirmed, ...known]),
  );
  return {
    ...{ clusters: [...confirmed], phrases, warning: null },
    ...{ country: sources.dataforseo.country, ...yandex },
  };
}

/** Where the business sells, or its city if that says nothing; and what it sells. */
async function aboutOrder({ sql }: WorkshopDeps, run: RunScope, order: KeywordsOrder) {
  const { company_city, specialization } = await readProject(sql, run, order.project_id);
  return {
    places: /\p{L}/u.test(order.geography) ? order.geography : (company_city ?? ""),
    heads: seedsOf({ ...order, specialization, geography: "" }),
  };
}

/** Phrases without data behind them: a flat list, as the document keeps it. */
async function suggested(deps: WorkshopDeps, run: RunScope, order: KeywordsOrder): Promise<KeywordsResult> {
  const { sql, clock } = deps;
  const { keywords } = await run.step(
    "suggest",
    { result: keywordsAnswer, stage: "clustering" },
    async (step): Promise<KeywordsAnswer> => {
      const project = await readProject(sql, run, order.project_id);
      const asked = await askModel(deps, { run, step, operation }, seoTasks.keywords, {
        quantity: order.quantity,
        products: order.products,
        geography: order.geography,
        company_name: project.company_name,
        specialization: project.specialization,
        language: "ru",
      });
      if (!asked.ok) throw new RunFailure("model_failed", withWait(nothingFound, asked.error));
      const known = await knownIn(deps, run, order);
      const all = asked.answer.keywords;
      const fresh = all.filter(({ phrase }) => !known.has(phraseKey(phrase)));
      if (all.length > 0 && fresh.length === 0) throw new RunFailure("nothing_found", nothingNew);
      return { keywords: fresh };
    },
  );
  const phrases = distinct(keywords.map(({ phrase }) => phrase)).slice(0, order.quantity);
  if (phrases.length === 0) throw new RunFailure("nothing_found", nothingFound);
  const { clusters, region, notes } = await askYandex(phrases.map(aloneOf), {
    ...{ sources: deps.sources, run, operation, confirms: false },
    ...(await aboutOrder(deps, run, order)),
  });
  const added = await save(run, async () => {
    if (region) return addClusters({ sql, clock }, run, order.category_id, clusters);
    const category = await readCategory(sql, run, order.category_id);
    return addUploaded({ sql, clock }, run, category, phrases);
  });
  return {
    ...{ clusters: [...clusters], phrases: added, country: null, confirmed: null, region, notes },
    warning: region ? yandexAlone(region) : withoutVolumes,
  };
}

/** Phrases that are there already are not added again, so an interrupted step may be repeated. Returns how many were added. */
const save = (run: RunScope, work: () => Promise<KeywordsChanged>) =>
  run.step("save", { result: z.int() }, async () => (await work()).added);

/** What the category has already: it is not bought again. */
async function knownIn({ sql }: WorkshopDeps, run: RunScope, order: KeywordsOrder) {
  const clusters = await readClusters(sql, run, order.category_id);
  return new Set(clusters.flatMap(({ phrases }) => phrases.map(({ phrase }) => phraseKey(phrase))));
}

const payerOf = ({ workspaceId, userId, runId }: RunScope): Payer => ({
  ...{ workspaceId, userId, operation, run: runId },
});

function distinct(phrases: readonly string[]): string[] {
  const known = new Map(phrases.map((phrase) => [phrase.trim().toLowerCase(), phrase.trim()]));
  known.delete("");
  return [...known.values()];
}

const aloneOf = (phrase: string): Cluster => ({
  cluster_name: phrase,
  cluster_type: "article",
  main_phrase: phrase,
  total_volume: null,
  avg_difficulty: null,
  phrases: [{ phrase, volume: null, difficulty: null, cpc: null, intent: null, ai_suggested: true }],
});
