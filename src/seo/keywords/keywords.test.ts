import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";
import { createLedger } from "../../billing/index.ts";
import { balanceOf, findingsIn } from "../../billing/testing/builders.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { readSeedFiles } from "../../llm/index.ts";
import { aGateway, type GatewayHarness } from "../../llm/testing/harness.ts";
import { addCategory } from "../categories/categories.ts";
import { readClusters } from "../categories/keywords.ts";
import { meet } from "../people/people.ts";
import type { Whose } from "../people/whose.ts";
import { addProject } from "../projects/projects.ts";
import { createRuns } from "../runs/create-runs.ts";
import { readRun } from "../runs/read-runs.ts";
import { clustersFrom, extraPhrases } from "./clusters-from.ts";
import { seedsOf } from "./collect-phrases.ts";
import { keywordsResult, keywordsRun } from "./keywords-run.ts";
import { orderKeywords } from "./order-keywords.ts";

let database: TestDatabase;
let sources: SourcesHarness;
let gateway: GatewayHarness;
let whose: Whose;
let categoryId: number;
beforeAll(async () => {
  [database, sources] = await Promise.all([databaseWithJobs(), startSources()]);
  gateway = aGateway(database.sql, sources.twins.url, { files: await readSeedFiles() });
});
afterAll(async () => {
  await gateway.close();
  await sources.close();
  await database.drop();
});
beforeEach(async () => {
  await sources.clean();
  const { sql } = database;
  whose = { workspaceId: await aWorkspace(sql), userId: 77 };
  await meet({ sql, clock, admins: [] }, whose, { firstName: "Анна" });
  const project = await addProject({ sql, clock }, whose, {
    name: "Чайная",
    company_name: "Чайная на Лесной",
    specialization: "Магазин чая и посуды",
  });
  const category = await addCategory({ sql, clock }, whose, project.id, { name: "Зелёный чай" });
  categoryId = category.id;
});

const wanted = { quantity: 50, products: "зелёный чай, улун", geography: "Казань" } as const;

async function found(order: Parameters<typeof orderKeywords>[4] = wanted) {
  const { sql } = database;
  const ledger = createLedger(sql, clock);
  const kind = keywordsRun({ sql, clock, ledger, gateway: gateway.gateway, sources: sources.sources() });
  const runs = createRuns({ sql, clock, log: silentLog, kinds: [kind] });
  const { run_id } = await orderKeywords({ sql, clock, runs, admins: [] }, kind, whose, categoryId, order);
  const job = { workspace_id: whose.workspaceId, run_id };
  await runs.task.perform(job, { log: silentLog, signal: new AbortController().signal });
  return readRun(sql, whose.workspaceId, run_id);
}
const balance = () => balanceOf(database.sql, whose.workspaceId, whose.userId);

describe("keywords of a business", () => {
  // covers seo: F09
  it("are real phrases in clusters with volumes of a named country, added to the category for a token each", async () => {
    const run = await found();
    expect(run).toMatchObject({ status: "done", error: null });
    const { clusters, phrases, country, warning } = keywordsResult.parse(run.result);
    expect(phrases).toBe(50);
    expect(country).toMatchObject({ en: expect.any(String) });
    expect(warning).toBeNull();
    expect(clusters.length).toBeGreaterThan(3);
    for (const cluster of clusters) {
      const most = Math.max(...cluster.phrases.map(({ volume }) => volume ?? -1));
      const main = cluster.phrases.find(({ phrase }) => phrase === cluster.main_phrase);
      expect(main?.volume ?? -1).toBe(most);
    }
    const invented = clusters.flatMap((cluster) => cluster.phrases.filter((phrase) => phrase.ai_suggested));
    expect(invented.length).toBeLessThanOrEqual(extraPhrases(50));
    expect(await readClusters(database.sql, whose, categoryId)).toEqual(clusters);
    expect(await balance()).toBe(1_450);
    expect(run.steps.map(({ name }) => name)).toEqual(["fetch", "cluster", "enrich", "save", "lower"]);
    await gateway.gateway.settled();
    expect(await findingsIn(database.sql, whose.workspaceId)).toEqual([]);
  });

  // covers seo: E03
  it("are a model's suggestions without clusters when DataForSEO is down, and the person is told", async () => {
    await sources.fault("dataforseo", { kind: "status", status: 503 }, 100);
    const run = await found();
    expect(run).toMatchObject({
      status: "done",
      result: { country: null, warning: { ru: "Данные без реальных объёмов поиска" } },
    });
    const clusters = await readClusters(database.sql, whose, categoryId);
    expect(clusters.every(({ phrases }) => phrases.length === 1)).toBe(true);
    expect(await balance()).toBe(1_500 - run.tokens);
    expect(run.tokens).toBe(clusters.length);
  });

  it("stay with their volumes, each alone, when the model cannot group them", async () => {
    await sources.fault("openrouter", { kind: "status", status: 500 }, 100);
    const run = await found();
    const { clusters } = keywordsResult.parse(run.result);
    expect(clusters).toHaveLength(50);
    expect(clusters[0]?.total_volume).toEqual(expect.any(Number));
  });

  it("cost nothing when neither data nor model answers", async () => {
    await sources.fault("dataforseo", { kind: "status", status: 503 }, 100);
    await sources.fault("openrouter", { kind: "status", status: 500 }, 100);
    expect(await found()).toMatchObject({ status: "failed", error: { code: "model_failed" }, tokens: 0 });
    expect(await balance()).toBe(1_500);
  });

  it("are not ordered for a foreign category, nor with too few tokens", async () => {
    await expect(found({ ...wanted, quantity: 200 })).resolves.toMatchObject({ status: "done" });
    const own = whose;
    whose = { ...own, userId: 78 };
    await expect(found()).rejects.toThrow("There is no category");
    whose = own;
    await database.sql`select billing.charge_balance(${own.workspaceId}, ${own.userId}, 1260)`;
    await expect(found()).rejects.toMatchObject({
      said: { ru: expect.stringContaining("Недостаточно токенов. Нужно ~50, у вас 40.") },
    });
  });
});

describe("seeds", () => {
  it("are the things sold and what the business does, in its place and without it", () => {
    const of = (geography: string) =>
      seedsOf({ specialization: "Магазин чая, посуды", products: "улун; пуэр", geography });
    expect(of("Казань")).toEqual([
      "улун Казань",
      "улун",
      "пуэр Казань",
      "пуэр",
      "Магазин чая Казань",
      "Магазин чая",
    ]);
    expect(of("Россия")).toEqual(["улун", "пуэр", "Магазин чая"]);
  });
});

describe("a model's clusters", () => {
  const keyword = (phrase: string, volume: number | null) => ({
    ...{ phrase, volume, difficulty: 10, cpcUsd: null, competition: null, intent: null },
  });
  it("keep found phrases only once, allow few invented ones and lose nothing", () => {
    const made = clustersFrom(
      {
        clusters: [
          {
            cluster_name: "Чай",
            cluster_type: "article",
            main_phrase: "чай",
            phrases: [
              { phrase: "чай", ai_suggested: false },
              { phrase: "Чай", ai_suggested: false },
              { phrase: "чай улун", ai_suggested: false },
              ...["а", "б", "в", "г"].map((phrase) => ({ phrase, ai_suggested: true })),
            ],
          },
        ],
      },
      [keyword("чай", 10), keyword("чай улун", 90), keyword("пуэр", null)],
      20,
    );
    expect(made.map(({ main_phrase }) => main_phrase)).toEqual(["чай улун", "пуэр"]);
    expect(made[0]?.phrases.map(({ phrase }) => phrase)).toEqual(["чай", "чай улун", "а", "б", "в"]);
  });
});
