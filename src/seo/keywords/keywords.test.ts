import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";
import { resultsKeyOf } from "../../../twins/web/phrases.ts";
import { createLedger, setPrice } from "../../billing/index.ts";
import { balanceOf, findingsIn } from "../../billing/testing/builders.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { readSeedFiles } from "../../llm/index.ts";
import { aGateway, type GatewayHarness } from "../../llm/testing/harness.ts";
import { addCategory, readCategory } from "../categories/categories.ts";
import { type Cluster, demandOf, phraseKey } from "../categories/clusters.ts";
import { keywordsCsv } from "../categories/keyword-export.ts";
import { addUploaded, readClusters, removeKeywords } from "../categories/keywords.ts";
import { meet } from "../people/people.ts";
import type { Whose } from "../people/whose.ts";
import { addProject, changeProject } from "../projects/projects.ts";
import { createRuns } from "../runs/create-runs.ts";
import { readRun } from "../runs/read-runs.ts";
import type { Accounts } from "../sources/sources.ts";
import { clustersFrom, extraPhrases } from "./clusters-from.ts";
import { collectPhrases, seedsOf } from "./collect-phrases.ts";
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

type Wanted = Parameters<typeof orderKeywords>[4];

async function found(order: Wanted = wanted, accounts: Accounts = {}) {
  const { sql } = database;
  const ledger = createLedger(sql, clock);
  const kind = keywordsRun({
    sql,
    clock,
    ledger,
    gateway: gateway.gateway,
    sources: sources.sources(accounts),
  });
  const runs = createRuns({ sql, clock, log: silentLog, kinds: [kind] });
  const { run_id } = await orderKeywords({ sql, clock, runs, admins: [] }, kind, whose, categoryId, order);
  const job = { workspace_id: whose.workspaceId, run_id };
  await runs.task.perform(job, { log: silentLog, signal: new AbortController().signal });
  return readRun(sql, whose.workspaceId, run_id);
}
const balance = () => balanceOf(database.sql, whose.workspaceId, whose.userId);

it("phrases are of what the category is about, where the project is, unless the order says otherwise", async () => {
  const { sql } = database;
  const refused = { code: "value_refused", said: { ru: expect.stringContaining("нет города") } };
  await expect(found({ quantity: 50 })).rejects.toMatchObject(refused);
  const { project_id } = await readCategory(sql, whose, categoryId);
  await changeProject({ sql, clock }, whose, project_id, { company_city: "Казань" });
  const run = await found({ quantity: 50 });
  expect(run).toMatchObject({
    ...{ status: "done", input: { products: "Зелёный чай", geography: "Казань", quantity: 50 } },
  });
  expect(await found({ quantity: 50, products: "улун" })).toMatchObject({
    input: { products: "улун", geography: "Казань" },
  });
});

describe("demand at Yandex", () => {
  const phrasesOf = (clusters: readonly Cluster[]) => clusters.flatMap(({ phrases }) => phrases);

  // covers seo: F09
  it("stands beside Google's on every phrase, each with its place, in the result, the category and the file", async () => {
    const run = await found();
    const { clusters, region, notes, country } = keywordsResult.parse(run.result);
    expect({ region, notes, country: country?.ru }).toEqual({
      ...{ region: { ru: "Казань", en: "Казань" }, notes: [], country: "Украина" },
    });
    for (const { yandex_volume, yandex_region, volume, volume_country } of phrasesOf(clusters)) {
      expect({ yandex_volume, yandex_region }).toEqual({
        ...{ yandex_volume: expect.any(Number), yandex_region: "Казань" },
      });
      expect(volume_country).toBe(volume === null ? undefined : "Украина");
    }
    expect(await readClusters(database.sql, whose, categoryId)).toEqual(clusters);
    const [head = "", first = ""] = keywordsCsv(clusters).split("\r\n");
    expect(head).toContain('"volume_country","yandex_volume","yandex_region"');
    expect(first).toMatch(/"Украина",\d+,"Казань"$/);
    // An answer tells of longer phrases too, so few questions are asked; every call is in the books.
    const questions = (await sources.calls("yandex")).filter((method) => method.includes("topRequests"));
    expect(questions.length).toBeLessThan(15);
    const calls = run.steps
      .flatMap(({ calls: made }) => made)
      .filter(({ provider }) => provider === "yandex");
    const noted = sources.noted.filter(({ provider }) => provider === "yandex");
    expect(noted.length).toBeGreaterThan(questions.length);
    expect(new Set(calls.map(({ callId }) => callId))).toEqual(new Set(noted.map(({ callId }) => callId)));
    expect(noted.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeLessThan(0.25);
  });

  it("groups phrases by the results that people see: closer to the truth than a model alone", async () => {
    const byModel = keywordsResult.parse((await found(wanted, { yandex: undefined })).result);
    const { clusters, confirmed } = keywordsResult.parse((await found()).result);
    const [before, after] = [pairwiseF1(byModel.clusters), pairwiseF1(clusters)];
    console.info(`pairwise F1 of clusters: ${before.toFixed(2)} by a model, ${after.toFixed(2)} confirmed`);
    expect(after).toBeGreaterThan(before);
    expect(after).toBeGreaterThan(0.95);
    expect(confirmed?.moved).toBeGreaterThan(0);
    expect(countOf(clusters)).toBe(countOf(byModel.clusters));
  });

  it("is left out with a sentence when no key is set, and the work goes on", async () => {
    const run = await found(wanted, { yandex: undefined });
    const { region, notes, confirmed } = keywordsResult.parse(run.result);
    expect({ region, confirmed }).toEqual({ region: null, confirmed: null });
    expect(notes).toEqual([{ ru: expect.stringContaining("YANDEX_SEARCH_API_KEY"), en: expect.any(String) }]);
    expect(await sources.calls("yandex")).toEqual([]);
    expect(run).toMatchObject({ status: "done", tokens: 50 });
  });

  it("stops at the quota, keeps what is known and asks no more for a while", async () => {
    await found();
    await removeKeywords({ sql: database.sql, clock }, whose, categoryId, { all: true });
    const asked = (await journal()).filter(({ method }) => method.includes("topRequests"));
    await sources.clean();
    // Twice, because the first refusal may be that of a second.
    await sources.fault("yandex", { kind: "status", status: 429 }, 2, { chat: asked.at(-1)?.chat });
    const run = await found();
    const { notes, clusters, region } = keywordsResult.parse(run.result);
    expect(notes).toEqual([
      { ru: expect.stringContaining("лимит Yandex Search API исчерпан"), en: expect.any(String) },
    ]);
    expect(region).toEqual({ ru: "Казань", en: "Казань" });
    const known = phrasesOf(clusters).filter(({ yandex_volume }) => yandex_volume !== undefined);
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThan(50);
    const before = (await journal()).length;
    await found({ ...wanted, products: "кухня на заказ" });
    const more = (await journal()).slice(before);
    expect(more.filter(({ method }) => method.includes("topRequests"))).toEqual([]);
  });

  const journal = async () => {
    const path = "/journal?provider=yandex&limit=1000";
    type Entries = { entries: { method: string; chat?: string }[] };
    return (await sources.twins.control<Entries>("GET", path)).entries;
  };

  it("is alone, and says so, when Google's is missing", async () => {
    await sources.fault("dataforseo", { kind: "status", status: 503 }, 100);
    const { result } = await found();
    const { clusters, country, warning } = keywordsResult.parse(result);
    expect({ country, ru: warning?.ru }).toEqual({
      ...{ country: null, ru: "Данные без объёмов поиска Google. Спрос показан по Яндексу: Казань" },
    });
    expect(await readClusters(database.sql, whose, categoryId)).toEqual(clusters);
    expect(clusters.some(({ total_yandex_volume }) => (total_yandex_volume ?? 0) > 0)).toBe(true);
  });

  it("groups phrases where no model could", async () => {
    await sources.fault("openrouter", { kind: "status", status: 500 }, 100);
    const { clusters } = keywordsResult.parse((await found()).result);
    expect(pairwiseF1(clusters)).toBeGreaterThan(0.95);
  });

  const countOf = (clusters: readonly Cluster[]) => phrasesOf(clusters).length;

  /** Of pairs of phrases that a page can serve together by the twin's own rule, and pairs that stand in one cluster. */
  function pairwiseF1(clusters: readonly Cluster[]): number {
    const all = clusters.flatMap(({ phrases }, at) =>
      phrases.map(({ phrase }) => ({ at, key: resultsKeyOf(phrase) })),
    );
    const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
    const together = pairs.filter(([one, other]) => one.at === other.at).length;
    const same = pairs.filter(([one, other]) => one.key === other.key).length;
    const both = pairs.filter(([one, other]) => one.at === other.at && one.key === other.key).length;
    return (2 * both) / (together + same);
  }
});

describe("keywords of a business", () => {
  // covers seo: F09
  // covers seo: F31
  it("are real phrases in clusters with volumes of a named country, added to the category for a token each", async () => {
    const run = await found();
    expect(run).toMatchObject({ status: "done", error: null });
    const { clusters, phrases, country, warning } = keywordsResult.parse(run.result);
    expect(phrases).toBe(50);
    expect(country).toMatchObject({ en: expect.any(String) });
    expect(warning).toBeNull();
    expect(clusters.length).toBeGreaterThan(3);
    for (const cluster of clusters) {
      const main = cluster.phrases.find(({ phrase }) => phrase === cluster.main_phrase);
      expect(main && demandOf(main)).toBe(Math.max(...cluster.phrases.map(demandOf)));
    }
    const invented = clusters.flatMap((cluster) => cluster.phrases.filter((phrase) => phrase.ai_suggested));
    expect(invented.length).toBeLessThanOrEqual(extraPhrases(50));
    expect(await readClusters(database.sql, whose, categoryId)).toEqual(clusters);
    expect(await balance()).toBe(1_450);
    expect(run.steps.map(({ name }) => name)).toEqual([
      ...["fetch", "cluster", "enrich", "demand", "confirm", "save", "lower"],
    ]);
    await gateway.gateway.settled();
    expect(await findingsIn(database.sql, whose.workspaceId)).toEqual([]);
  });

  // covers seo: F09
  it("that the category has already are not bought again: more of them are others", async () => {
    const { sql } = database;
    await found();
    const first = await readClusters(sql, whose, categoryId);
    expect(await balance()).toBe(1_450);
    const more = keywordsResult.parse((await found()).result);
    const bought = keysOf(more.clusters);
    expect(keysOf(first).filter((each) => bought.includes(each))).toEqual([]);
    const added = keysOf(await readClusters(sql, whose, categoryId)).length - keysOf(first).length;
    expect(added).toBeGreaterThan(0);
    expect(more.phrases).toBe(added);
    expect(await balance()).toBe(1_450 - added);
  });

  it("cost nothing when all that is found is there already, with and without data", async () => {
    const { sql } = database;
    const payer = { ...whose, operation: "keyword_generation", run: "all" };
    const about = { ...wanted, specialization: "Магазин чая и посуды" };
    const all = await collectPhrases(sources.sources().dataforseo, about, payer);
    if (!all.ok) throw new Error(all.reason);
    const category = await readCategory(sql, whose, categoryId);
    await addUploaded(
      { sql, clock },
      whose,
      category,
      all.phrases.map(({ phrase }) => phrase),
    );
    const refused = {
      ...{ status: "failed", tokens: 0 },
      error: { code: "nothing_found", message: { ru: expect.stringContaining("уже есть в категории") } },
    };
    expect(await found()).toMatchObject(refused);
    await sources.fault("dataforseo", { kind: "status", status: 503 }, 100);
    await found(wanted, { yandex: undefined });
    expect(await found(wanted, { yandex: undefined })).toMatchObject(refused);
  });

  it("come out at the old price when the price is raised while they are looked for", async () => {
    const { sql } = database;
    const kind = keywordsRun({
      ...{
        sql,
        clock,
        ledger: createLedger(sql, clock),
        gateway: gateway.gateway,
        sources: sources.sources(),
      },
    });
    const runs = createRuns({ sql, clock, log: silentLog, kinds: [kind] });
    const { run_id } = await orderKeywords({ sql, clock, runs, admins: [] }, kind, whose, categoryId, wanted);
    const raised = { operation: "keyword_generation", tokens: 2, unit: "piece" } as const;
    await setPrice({ sql, clock }, whose.workspaceId, raised, { operator: "Оля" });
    const job = { workspace_id: whose.workspaceId, run_id };
    await runs.task.perform(job, { log: silentLog, signal: new AbortController().signal });
    expect(await readRun(sql, whose.workspaceId, run_id)).toMatchObject({ status: "done", tokens: 50 });
  });

  const keysOf = (clusters: readonly Cluster[]) =>
    clusters.flatMap(({ phrases }) => phrases.map(({ phrase }) => phraseKey(phrase)));

  // covers seo: E03
  it("are a model's suggestions without clusters when DataForSEO is down, and the person is told", async () => {
    await sources.fault("dataforseo", { kind: "status", status: 503 }, 100);
    const run = await found(wanted, { yandex: undefined });
    expect(run).toMatchObject({
      status: "done",
      result: { country: null, region: null, warning: { ru: "Данные без реальных объёмов поиска" } },
    });
    const clusters = await readClusters(database.sql, whose, categoryId);
    expect(clusters.every(({ phrases }) => phrases.length === 1)).toBe(true);
    expect(await balance()).toBe(1_500 - run.tokens);
    expect(run.tokens).toBe(clusters.length);
  });

  it("stay with their volumes, each alone, when the model cannot group them", async () => {
    await sources.fault("openrouter", { kind: "status", status: 500 }, 100);
    const run = await found(wanted, { yandex: undefined });
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
      { quantity: 20, country: "Украина" },
    );
    expect(made.map(({ main_phrase }) => main_phrase)).toEqual(["чай улун", "пуэр"]);
    expect(made[0]?.phrases.map(({ phrase }) => phrase)).toEqual(["чай", "чай улун", "а", "б", "в"]);
  });
});
