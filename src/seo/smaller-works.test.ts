import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../tests/support/database.ts";
import { type SourcesHarness, startSources } from "../../tests/support/seo-sources.ts";
import { createLedger } from "../billing/index.ts";
import { balanceOf, findingsIn } from "../billing/testing/builders.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import { type Clock, systemClock as clock } from "../kernel/clock/index.ts";
import { silentLog } from "../kernel/log/index.ts";
import { readSeedFiles } from "../llm/index.ts";
import { aGateway, type GatewayHarness } from "../llm/testing/harness.ts";
import { auditResult } from "./audits/audit-run.ts";
import { keepBranding, readAudit } from "./audits/audits.ts";
import { orderAudit, orderBranding } from "./audits/order-site-works.ts";
import { addCategory, readCategory } from "./categories/categories.ts";
import { readClusters } from "./categories/keywords.ts";
import { readReviews, setPrices, setReviews } from "./categories/lists.ts";
import { competitorResult } from "./competitors/competitor-run.ts";
import { orderCompetitor } from "./competitors/order-competitor.ts";
import { estimateWork } from "./estimates/estimate.ts";
import { orderUpload } from "./keywords/order-upload.ts";
import type { Ordered } from "./orders/begin-work.ts";
import { meet } from "./people/people.ts";
import type { Whose } from "./people/whose.ts";
import { addProject } from "./projects/projects.ts";
import { createRuns } from "./runs/create-runs.ts";
import { readRun } from "./runs/read-runs.ts";
import { smallerKinds } from "./smaller-works.ts";
import type { Accounts } from "./sources/index.ts";
import { aCluster } from "./testing/builders.ts";
import { regenerateText, saveText } from "./texts/decide-on-text.ts";
import { descriptionResult } from "./texts/description-run.ts";
import { descriptionFrom } from "./texts/description-text.ts";
import { expireTexts } from "./texts/expire-texts.ts";
import { orderDescription } from "./texts/order-description.ts";
import { orderReviews } from "./texts/order-reviews.ts";
import { reviewsResult } from "./texts/reviews-run.ts";
import { ratingsOf, sampleReviews } from "./texts/sample-reviews.ts";

let database: TestDatabase;
let sources: SourcesHarness;
let gateway: GatewayHarness;
let whose: Whose;
let projectId: number;
let categoryId: number;
beforeAll(async () => {
  [database, sources] = await Promise.all([databaseWithJobs(), startSources()]);
  // By the time of the books, which know no calls of the future.
  const now = { clock, pause: async () => {} };
  gateway = aGateway(database.sql, sources.twins.url, { ...now, files: await readSeedFiles() });
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
    ...{ name: "Чайная", company_name: "Чайная на Лесной", specialization: "Магазин чая и посуды" },
    website_url: "https://chai.example",
  });
  projectId = project.id;
  categoryId = (await addCategory({ sql, clock }, whose, projectId, { name: "Зелёный чай" })).id;
});

interface Given {
  readonly accounts?: Accounts;
  readonly clock?: Clock;
  readonly admins?: readonly number[];
}

function workshop({ accounts = {}, clock: time = clock, admins = [] }: Given = {}) {
  const { sql } = database;
  const ledger = createLedger(sql, time);
  const own = sources.sources(accounts);
  const kinds = smallerKinds({ sql, clock: time, ledger, gateway: gateway.gateway, sources: own });
  const runs = createRuns({ sql, clock: time, log: silentLog, kinds: Object.values(kinds) });
  const deps = { sql, clock: time, runs, admins, sources: own, sampleReviews: true };
  const done = async ({ run_id }: Pick<Ordered, "run_id">) => {
    const job = { workspace_id: whose.workspaceId, run_id };
    await runs.task.perform(job, { log: silentLog, signal: new AbortController().signal });
    return readRun(sql, whose.workspaceId, run_id);
  };
  return { kinds, deps, done };
}

const balance = () => balanceOf(database.sql, whose.workspaceId, whose.userId);
const spend = (tokens: number) =>
  database.sql`select billing.charge_balance(${whose.workspaceId}, ${whose.userId}, ${tokens})`;
const keywords = (clusters: readonly unknown[]) => database.sql`
  update seo.categories set keywords = ${JSON.stringify(clusters)}::text::jsonb
  where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
const modelFails = () => sources.fault("openrouter", { kind: "status", status: 500 }, 100);
async function booksAreRight() {
  await gateway.gateway.settled();
  expect(await findingsIn(database.sql, whose.workspaceId)).toEqual([]);
}

describe("a description of a category", () => {
  async function described(given: Given = {}) {
    const { deps, kinds, done } = workshop(given);
    const ordered = await orderDescription(deps, kinds.description, whose, categoryId);
    return { deps, done, ordered, run: await done(ordered) };
  }

  it("costs 20 tokens, has 100 to 300 words and is written into the category when it is saved", async () => {
    await keywords([aCluster("зелёный чай купить", 900), aCluster("как заваривать зелёный чай", 700)]);
    await setPrices({ sql: database.sql, clock }, whose, categoryId, [{ name: "Лунцзин", price: "900 ₽" }]);
    const { deps, run } = await described();
    expect(run).toMatchObject({ status: "review", tokens: 20, error: null });
    const { text, words } = descriptionResult.parse(run.result);
    expect(words).toBeGreaterThanOrEqual(100);
    expect(words).toBeLessThanOrEqual(300);
    expect(await readCategory(database.sql, whose, categoryId)).toMatchObject({ description: null });

    await expect(saveText(deps, { ...whose, userId: 78 }, run.run_id)).rejects.toThrow("There is no run");
    expect(await saveText(deps, whose, run.run_id)).toMatchObject({ category_id: categoryId, tokens: 20 });
    expect(await readCategory(database.sql, whose, categoryId)).toMatchObject({ description: text });
    await expect(saveText(deps, whose, run.run_id)).rejects.toMatchObject({ code: "text_not_reviewed" });
    expect(await balance()).toBe(1_480);
    await booksAreRight();
  });

  it("is written anew twice for nothing, then for 20 tokens, and cancelling returns everything", async () => {
    const { deps, done, ordered } = await described();
    for (const tokens of [0, 0, 20]) {
      expect(await regenerateText(deps, whose, ordered.run_id)).toMatchObject({ tokens });
      await expect(saveText(deps, whose, ordered.run_id)).rejects.toThrow("still being written");
      await done(ordered);
    }
    expect(await balance()).toBe(1_460);
    await spend(1_450);
    await expect(regenerateText(deps, whose, ordered.run_id)).rejects.toMatchObject({
      said: { ru: expect.stringContaining("Перегенерация стоит ~20 токенов, у вас 10.") },
    });
    expect(await deps.runs.cancel({ ...whose, runId: ordered.run_id })).toBe("cancelled");
    expect(await balance()).toBe(50);
    await booksAreRight();
  });

  it("stays as it was when it cannot be written anew, and that attempt costs nothing", async () => {
    const { deps, done, ordered, run } = await described();
    for (let free = 0; free < 2; free += 1) {
      await regenerateText(deps, whose, ordered.run_id);
      await done(ordered);
    }
    const { text } = descriptionResult.parse((await readRun(deps.sql, whose.workspaceId, run.run_id)).result);
    await regenerateText(deps, whose, ordered.run_id);
    expect(await balance()).toBe(1_460);
    await modelFails();
    expect(await done(ordered)).toMatchObject({
      status: "review",
      result: { text, regenerations: 2, warning: { ru: expect.stringContaining("Прежний текст сохранён") } },
    });
    expect(await balance()).toBe(1_480);
    expect(await saveText(deps, whose, ordered.run_id)).toMatchObject({ tokens: 20 });
    await booksAreRight();
  });

  it("costs nothing when the model does not answer, nor when nobody decides for a day", async () => {
    const { deps, run } = await described();
    const tomorrow = { now: () => new Date(Date.now() + 25 * 3_600_000) };
    expect(await expireTexts(deps)).toBe(0);
    expect(await expireTexts({ ...deps, clock: tomorrow })).toBe(1);
    expect(await readRun(deps.sql, whose.workspaceId, run.run_id)).toMatchObject({ status: "expired" });
    await modelFails();
    expect((await described()).run).toMatchObject({ status: "failed", error: { code: "model_failed" } });
    expect(await balance()).toBe(1_500);
  });

  it("is free for an administrator, however often it is written anew", async () => {
    const { deps, done, ordered } = await described({ admins: [77] });
    for (let again = 0; again < 3; again += 1) {
      expect(await regenerateText(deps, whose, ordered.run_id)).toMatchObject({ tokens: 0 });
      await done(ordered);
    }
    expect(await saveText(deps, whose, ordered.run_id)).toMatchObject({ tokens: 0 });
    expect(await balance()).toBe(1_500);
  });

  it("has no mark-up, no unfinished sentence and no placeholder", () => {
    const sentence = "В этом разделе собран **чай** для дома и работы.";
    const long = `# Чай\n\n- ${sentence} ${`${sentence} `.repeat(60)}И ещё немного`;
    const text = descriptionFrom(long) ?? "";
    expect(text).not.toMatch(/[#*]|^- |немного/);
    expect(text.endsWith("работы.")).toBe(true);
    expect(text.split(" ").length).toBeLessThanOrEqual(300);
    expect(descriptionFrom(sentence)).toBeUndefined();
    expect(descriptionFrom(`${`${sentence} `.repeat(20)}[INSERT price].`)).toBeUndefined();
  });
});

describe("sample reviews", () => {
  it("are refused with a sentence while SEO_REVIEWS is off", async () => {
    const { deps, kinds } = workshop();
    const off = { ...deps, sampleReviews: false };
    await expect(orderReviews(off, kinds.reviews, whose, categoryId, 3)).rejects.toMatchObject({
      ...{ code: "part_off", said: { ru: expect.stringContaining("SEO_REVIEWS=on") } },
    });
  });

  // covers seo: E38; F17
  it("cost 10 tokens each, stand behind real ones when saved and are marked as samples", async () => {
    const { deps, kinds, done } = workshop();
    const real = { author: "Ирина К.", date: "2026-01-05", rating: 5, text: "Спасибо!", pros: "", cons: "" };
    await setReviews(deps, whose, categoryId, [real]);
    const run = await done(await orderReviews(deps, kinds.reviews, whose, categoryId, 5));
    expect(run).toMatchObject({ status: "review", tokens: 50 });
    const { reviews } = reviewsResult.parse(run.result);
    expect(reviews.map(({ rating }) => rating).toSorted((one, other) => other - one)).toEqual([
      5, 5, 5, 4, 3,
    ]);
    const halfYear = Date.now() - 183 * 86_400_000;
    for (const { date } of reviews) {
      expect(Date.parse(date)).toBeGreaterThan(halfYear);
      expect(Date.parse(date)).toBeLessThanOrEqual(Date.now());
    }
    await saveText(deps, whose, run.run_id);
    const kept = await readReviews(deps.sql, whose, categoryId);
    expect(kept.map(({ sample = false }) => sample)).toEqual([false, true, true, true, true, true]);

    await spend(1_410);
    await expect(orderReviews(deps, kinds.reviews, whose, categoryId, 5)).rejects.toMatchObject({
      said: { ru: expect.stringMatching(/^Недостаточно токенов\. Нужно 50, у вас 40\..*меньше отзывов/) },
    });
    await modelFails();
    const failed = await done(await orderReviews(deps, kinds.reviews, whose, categoryId, 3));
    expect(failed).toMatchObject({ status: "failed", tokens: 0 });
    expect(await balance()).toBe(40);
    await booksAreRight();
  });

  it.each([
    [3, [5, 5, 4]],
    [5, [5, 5, 5, 4, 3]],
    [10, [5, 5, 5, 5, 5, 5, 4, 4, 4, 3]],
  ])("of which there are %i have the ratings %j", (count, ratings) => {
    expect(ratingsOf(count)).toEqual(ratings);
  });

  it("have their ratings, dates and number put right by code, whatever the model says", () => {
    const now = new Date("2026-07-01T12:00:00Z");
    const review = (date: string, rating: number, text = "Хорошо.") => ({
      ...{ author: "Олег П.", date, rating, text, pros: "", cons: "" },
    });
    const given = [
      review("2026-06-30", 1),
      review("2026-06-30", 5),
      review("2024-01-01", 4),
      review("вчера", 5, "  "),
      review("2026-02-31", 2),
      review("2027-01-01", 9),
      review("2026-06-01", 5),
    ];
    const made = sampleReviews({ reviews: given }, 5, now);
    expect(made.map(({ rating }) => rating)).toEqual([3, 5, 5, 4, 5]);
    const dates = made.map(({ date }) => date);
    expect(new Set(dates).size).toBe(5);
    expect(dates[0]).toBe("2026-06-30");
    expect(dates.every((date) => date <= "2026-07-01" && date >= "2025-12-31")).toBe(true);
    expect(sampleReviews({ reviews: given.slice(0, 2) }, 10, now)).toHaveLength(2);
  });
});

describe("an analysis of a competitor", () => {
  const analysed = async (url = "https://konkurent.example/chai") => {
    const { deps, kinds, done } = workshop();
    return done(await orderCompetitor(deps, kinds.competitor, whose, projectId, url));
  };

  // covers seo: F39
  it("costs 50 tokens and tells pages, topics, gaps and three to five recommendations", async () => {
    await keywords([aCluster("белый чай польза", 500)]);
    const run = await analysed();
    expect(run).toMatchObject({ status: "done", tokens: 50 });
    const { pages, key_topics, content_gaps, recommendations } = competitorResult.parse(run.result);
    expect(pages).toBeGreaterThan(0);
    expect(key_topics.length).toBeGreaterThan(0);
    expect(content_gaps).toContain("белый чай польза");
    expect(recommendations.length).toBeGreaterThanOrEqual(3);
    expect(recommendations.length).toBeLessThanOrEqual(5);
    expect(await balance()).toBe(1_450);
    await booksAreRight();
  });

  // covers seo: E31
  it("gives the tokens back when the page cannot be fetched or the model fails", async () => {
    await sources.fault("firecrawl", { kind: "status", status: 500 }, 100);
    expect(await analysed()).toMatchObject({
      status: "failed",
      error: { message: { ru: expect.stringContaining("Анализ конкурентов недоступен. Попробуйте позже.") } },
    });
    await sources.clean();
    const missing = await analysed("https://konkurent.example/404");
    expect(missing).toMatchObject({ status: "failed", error: { code: "page_unreadable" } });
    expect(missing.steps).toMatchObject([{ name: "scrape", status: "failed" }]);
    await modelFails();
    expect(await analysed()).toMatchObject({ status: "failed", error: { code: "model_failed" } });
    expect(await balance()).toBe(1_500);
  });

  it("is not begun for an address inside the network, a foreign project, or without a key", async () => {
    for (const url of ["http://127.0.0.1:5432/", "http://169.254.169.254/latest", "http://localhost/"])
      await expect(analysed(url)).rejects.toMatchObject({
        ...{ code: "value_refused", said: { ru: expect.stringContaining("Этот адрес нельзя открыть") } },
      });
    const { deps, kinds } = workshop({ accounts: { firecrawl: undefined } });
    const order = (person: Whose) =>
      orderCompetitor(deps, kinds.competitor, person, projectId, "https://konkurent.example");
    await expect(order({ ...whose, userId: 78 })).rejects.toThrow("There is no project");
    await expect(order(whose)).rejects.toMatchObject({
      ...{ code: "part_off", message: expect.stringContaining("FIRECRAWL_API_KEY") },
    });
    expect(await sources.calls("firecrawl")).toEqual([]);
    expect(await balance()).toBe(1_500);
  });
});

describe("a project's site", () => {
  // covers seo: F28
  // covers seo: F30
  it("is measured for 50 tokens; the newest audit takes the place of the last", async () => {
    const { deps, kinds, done } = workshop();
    for (const left of [1_450, 1_400]) {
      const run = await done(await orderAudit(deps, kinds, whose, projectId));
      expect(run).toMatchObject({ status: "done", result: { partial: false, warning: null } });
      expect(await balance()).toBe(left);
    }
    expect(await readAudit(deps.sql, whose, projectId)).toMatchObject({
      ...{ url: "https://chai.example", performance: expect.any(Number), lcp_ms: expect.any(Number) },
    });
    const rows = await deps.sql`
      select full_report -> 'lighthouseResult' as report from seo.site_audits where workspace_id = ${whose.workspaceId}`;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.report).toMatchObject({ categories: expect.anything() });
    await booksAreRight();
  });

  it("keeps what came of an audit, says so, and returns the tokens if nothing came", async () => {
    const { deps, kinds, done } = workshop();
    const slow = { method: "GET /runPagespeed performance" };
    await sources.fault("pagespeed", { kind: "status", status: 500 }, 10, slow);
    const run = await done(await orderAudit(deps, kinds, whose, projectId));
    expect(auditResult.parse(run.result)).toMatchObject({
      ...{ partial: true, performance: null, seo_score: expect.any(Number) },
      warning: { en: expect.stringContaining("did not end in time") },
    });
    await sources.fault("pagespeed", { kind: "status", status: 500 }, 100);
    expect(await done(await orderAudit(deps, kinds, whose, projectId))).toMatchObject({ status: "failed" });
    expect(await readAudit(deps.sql, whose, projectId)).toMatchObject({ seo_score: expect.any(Number) });
    expect(await balance()).toBe(1_450);
  });

  // covers seo: E15; F26
  it("has plain colours while Firecrawl is down, and never loses those that were read", async () => {
    const { deps, kinds, done } = workshop();
    await sources.fault("firecrawl", { kind: "status", status: 500 }, 100);
    expect(await done(await orderBranding(deps, kinds, whose, projectId))).toMatchObject({
      ...{ status: "done", result: { from: "default", colors: { accent: "#0066cc", text: "#333333" } } },
    });
    expect(await sources.calls("firecrawl")).toHaveLength(3);
    const read = { url: "https://chai.example", colors: { accent: "#112233" }, fonts: {}, logo_url: null };
    await keepBranding(deps, whose, projectId, read);
    expect(await done(await orderBranding(deps, kinds, whose, projectId))).toMatchObject({
      ...{ status: "done", result: { from: "kept", colors: { accent: "#112233" } } },
    });
  });

  it("has to be named in the project first", async () => {
    const { deps, kinds } = workshop();
    await deps.sql`update seo.projects set website_url = null where workspace_id = ${whose.workspaceId}`;
    await expect(orderAudit(deps, kinds, whose, projectId)).rejects.toMatchObject({
      said: { ru: expect.stringContaining("не указан сайт") },
    });
  });
});

describe("a person's own phrases", () => {
  const phrases = ["Зелёный чай купить", "зелёный чай цена", "как заваривать улун", "улун польза"];
  const uploaded = async (given: Given = {}) => {
    const { deps, kinds, done } = workshop(given);
    return done(await orderUpload(deps, kinds.upload, whose, categoryId, phrases));
  };
  const clusters = () => readClusters(database.sql, whose, categoryId);
  const own = (found: Awaited<ReturnType<typeof clusters>>) =>
    found.flatMap((cluster) => cluster.phrases.map(({ phrase }) => phrase)).toSorted();

  it("get volumes and clusters for nothing, and no phrase is made up", async () => {
    expect(await uploaded()).toMatchObject({
      ...{ status: "done", tokens: 0 },
      result: { added: 4, phrases: 4, warning: null, country: { ru: "Украина" }, region: { ru: "Россия" } },
    });
    const found = await clusters();
    expect(own(found)).toEqual(phrases.toSorted());
    for (const { yandex_volume, yandex_region } of found.flatMap((cluster) => cluster.phrases))
      expect({ yandex_volume, yandex_region }).toEqual({
        ...{ yandex_volume: expect.any(Number), yandex_region: "Россия" },
      });
    expect(found.some(({ total_volume }) => total_volume !== null)).toBe(true);
    expect(await uploaded()).toMatchObject({ result: { added: 0, phrases: 4 } });
    expect(await balance()).toBe(1_500);
  });

  it("are one cluster with the category's name and their figures when the model fails", async () => {
    await modelFails();
    expect(await uploaded()).toMatchObject({ status: "done", result: { clusters: 1, warning: null } });
    expect(await clusters()).toMatchObject([
      { cluster_name: "Зелёный чай", total_volume: expect.any(Number), phrases: { length: 4 } },
    ]);
  });

  // covers seo: E03
  it("are a flat list with a warning when DataForSEO is down, and no model is asked", async () => {
    await sources.fault("dataforseo", { kind: "status", status: 503 }, 100);
    expect(await uploaded({ accounts: { yandex: undefined } })).toMatchObject({
      ...{ status: "done", result: { country: null, warning: { ru: "Данные без объёмов поиска" } } },
    });
    expect(own(await clusters())).toEqual(phrases.toSorted());
    expect(await sources.calls("openrouter")).toEqual([]);
    const [row] = await database.sql`
      select keywords -> 0 as first from seo.categories where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
    expect(row?.first).toEqual({ phrase: phrases[0] });
  });

  it("have Yandex's volumes alone when DataForSEO is down, and the person is told", async () => {
    await sources.fault("dataforseo", { kind: "status", status: 503 }, 100);
    expect(await uploaded()).toMatchObject({
      status: "done",
      result: { clusters: 4, country: null, warning: { ru: expect.stringContaining("по Яндексу: Россия") } },
    });
  });
});

describe("an estimate", () => {
  const estimated = (given: Given = {}, platform?: "vk") =>
    estimateWork(workshop(given).deps, whose, categoryId, platform);

  it("tells tokens, dollars, minutes and what is missing before anything is spent", async () => {
    const bare = await estimated({ accounts: { serper: undefined, dataforseo: undefined } });
    expect(bare).toMatchObject({
      ...{ work: "article", images: 4, balance: 1_500, can_begin: false },
      tokens: { about: 320, from: 270, to: 370 },
      minutes: { from: 0.9, to: 1.6 },
    });
    expect(bare.missing.map(({ what, prevents }) => [what, prevents])).toEqual([
      ["phrases", true],
      ["source", false],
      ["connection", false],
      ["source", false],
    ]);
    await keywords([aCluster("зелёный чай купить", 900, { cluster_type: "product_page" })]);
    expect((await estimated()).missing.map(({ what }) => what)).toEqual(["article_phrases", "connection"]);
    expect(await estimated({}, "vk")).toMatchObject({
      ...{ work: "social_post", can_begin: true, tokens: { about: 40, from: 40, to: 60 } },
    });
    await keywords([aCluster("как заваривать улун", 900)]);
    const { usd, can_begin } = await estimated();
    expect(usd).toEqual({ from: 0.254, to: 0.394 });
    expect(can_begin).toBe(true);
    await spend(1_400);
    expect((await estimated()).missing.at(-1)).toMatchObject({
      ...{ what: "tokens", prevents: true },
      message: { ru: "Недостаточно токенов. Нужно ~320, у вас 100." },
    });
    expect(await estimated({ admins: [77] })).toMatchObject({ is_free: true, can_begin: true });
    expect(await sources.calls("openrouter")).toEqual([]);
  });
});
