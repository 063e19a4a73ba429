/** What each source finds, and its own ways to fail; what all have in common is in sources.test.ts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { payer, type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";

let harness: SourcesHarness;
beforeAll(async () => {
  harness = await startSources();
});
afterAll(() => harness?.close());
beforeEach(() => harness.clean());

const phrase = "угловой диван";
const page = "https://ekspert-dom.example/stati/как-выбрать-диван/";

describe("DataForSEO", () => {
  it("tells where a page stands for a phrase, once a day, for the pages of results up to it", async () => {
    const url = "https://tea.example/kak-vybrat-ulun/";
    const rank = (given: object = {}) =>
      harness.sources().dataforseo.rank({ phrase: "Чай улун: 5% + site:", url, depth: 30, ...given }, payer);
    const placed = (position: number) =>
      harness.twins.control("PUT", "/dataforseo/pages", { keyword: "чай улун: 5% +", url, position });
    await placed(12);
    expect(await rank()).toMatchObject({ ok: true, value: { position: 12 }, costUsd: 0.0035 });
    await placed(3);
    expect(await rank()).toMatchObject({ ok: true, value: { position: 12 }, costUsd: 0, cached: true });
    expect(harness.noted).toHaveLength(1);
    expect(await rank({ url: "https://TEA.example/kak-vybrat-ulun" })).toMatchObject({
      value: { position: 3 },
    });
    expect(await rank({ url: "https://tea.example/" })).toMatchObject({ value: { position: null } });
    expect(await rank({ depth: 201 })).toMatchObject({ ok: false, reason: "refused" });
  });

  it("suggests phrases that contain the seed with its city, with figures or nulls", async () => {
    const answer = await harness.sources().dataforseo.suggestions("ремонт квартир Казань", payer);
    if (!answer.ok) throw new Error(answer.detail);
    expect(answer.value).toHaveLength(200);
    expect(answer.value.every(({ phrase: each }) => each.includes("ремонт квартир казань"))).toBe(true);
    const volumes = answer.value.map(({ volume }) => volume);
    expect(volumes).toContain(null);
    expect(volumes.some((volume) => (volume ?? 0) > 0)).toBe(true);
    expect(answer.costUsd).toBeCloseTo(0.03, 6);
    expect(harness.sources().dataforseo.country).toEqual({ ru: "Украина", en: "Ukraine" });
  });

  it("finds phrases of related searches", async () => {
    const answer = await harness.sources().dataforseo.related(phrase, payer);
    expect(answer.ok && answer.value.length).toBe(100);
  });

  it("enriches any number of phrases in the order of the caller, 700 a call", async () => {
    const given = [
      ...Array.from({ length: 701 }, (_, at) => `Диван модель ${at}`),
      "абракадабра",
      "х".repeat(90),
      "Диван модель 0",
    ];
    const answer = await harness.sources().dataforseo.enrich(given, payer);
    if (!answer.ok) throw new Error(answer.detail);
    expect(answer.value.map((each) => each.phrase)).toEqual(given);
    expect(answer.value[0]?.volume).toBe(answer.value.at(-1)?.volume);
    expect(answer.value.slice(-3, -1)).toEqual(
      ["абракадабра", "х".repeat(90)].map((each) => ({
        ...{ phrase: each, volume: null, difficulty: null, cpcUsd: null, competition: null, intent: null },
      })),
    );
    expect((await harness.calls("dataforseo")).sort()).toEqual([
      ...Array(2).fill("POST /dataforseo_labs/google/bulk_keyword_difficulty/live"),
      ...Array(2).fill("POST /keywords_data/google_ads/search_volume/live"),
    ]);
    expect(harness.noted.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeCloseTo(answer.costUsd, 6);
  });

  it("keeps volumes when difficulty fails", async () => {
    await harness.fault("dataforseo", { kind: "status", status: 500 }, 9, {
      method: "POST /dataforseo_labs/google/bulk_keyword_difficulty/live",
    });
    const answer = await harness.sources().dataforseo.enrich(["купить диван", "диван отзывы"], payer);
    expect(answer).toMatchObject({ ok: true, value: [{ difficulty: null }, { difficulty: null }] });
  });

  it("tells what people want by phrases", async () => {
    const answer = await harness
      .sources()
      .dataforseo.intents(["Купить диван", "как выбрать диван", "абракадабра"], payer);
    expect(answer.ok && [...answer.value]).toEqual([
      ["купить диван", "transactional"],
      ["как выбрать диван", "informational"],
    ]);
  });

  it.each([
    [40102, "no_data", 1],
    [40202, "quota", 2],
    [40203, "quota", 1],
    [40204, "refused", 1],
    [40209, "quota", 2],
    [40210, "quota", 1],
    [40501, "refused", 1],
    [50301, "unavailable", 2],
  ])("reads a task's error %i within status 200 as %s", async (code, reason, asked) => {
    await harness.fault("dataforseo", { kind: "status", status: 500, code }, 9);
    expect(await harness.sources().dataforseo.suggestions(phrase, payer)).toMatchObject({
      ok: false,
      reason,
    });
    expect(await harness.calls("dataforseo")).toHaveLength(asked);
  });

  it("notes what a failed task cost together with the attempt that succeeded", async () => {
    await harness.fault("dataforseo", { kind: "answer", flaw: "error" }, 1);
    const answer = await harness.sources().dataforseo.suggestions(phrase, payer);
    expect(answer).toMatchObject({ ok: true });
    expect(harness.noted).toHaveLength(1);
    expect(harness.noted[0]?.costUsd).toBeCloseTo(0.06, 6);
    await harness.clean();
    await harness.fault("dataforseo", { kind: "answer", flaw: "error" }, 9);
    expect(await harness.sources().dataforseo.suggestions(phrase, payer)).toMatchObject({
      reason: "unavailable",
    });
    expect(harness.noted[0]?.costUsd).toBeCloseTo(0.06, 6);
  });

  it("has nothing for a phrase that nobody searches for", async () => {
    expect(await harness.sources().dataforseo.suggestions("абракадабра", payer)).toMatchObject({
      reason: "no_data",
    });
    expect(await harness.sources().dataforseo.enrich([" ", "х".repeat(90)], payer)).toMatchObject({
      reason: "no_data",
    });
  });
});

describe("Serper", () => {
  it("finds ten results, questions and related searches, in Russian", async () => {
    const answer = await harness.sources().serper.search("  Как выбрать   диван ", payer);
    if (!answer.ok) throw new Error(answer.detail);
    expect(answer.value.organic).toHaveLength(10);
    expect(answer.value.questions.length).toBeGreaterThan(2);
    expect(answer.value.related).not.toHaveLength(0);
    const { entries } = await harness.twins.control<{ entries: { request: unknown }[] }>(
      "GET",
      "/journal?provider=serper",
    );
    expect(entries[0]?.request).toEqual({ q: "Как выбрать диван", gl: "ru", hl: "ru", num: 10 });
  });

  it("tells used-up credits from a bad request, and no results from a failure", async () => {
    await harness.twins.control("PATCH", "/serper/account", { credits: 0 });
    expect(await harness.sources().serper.search(phrase, payer)).toMatchObject({ reason: "quota" });
    await harness.twins.control("PATCH", "/serper/account", { credits: 9 });
    expect(await harness.sources().serper.search("абракадабра", payer)).toMatchObject({ reason: "no_data" });
    expect(harness.noted).toMatchObject([{ costUsd: 0.001 }]);
  });
});

describe("Firecrawl", () => {
  it("reads the pages that a search has found: headings, words, summary", async () => {
    const { serper, firecrawl } = harness.sources();
    const found = await serper.search(phrase, payer);
    if (!found.ok) throw new Error(found.detail);
    const pages = await Promise.all(
      found.value.organic.slice(0, 3).map(({ link }) => firecrawl.page(link, payer)),
    );
    for (const read of pages) {
      if (!read.ok) throw new Error(read.detail);
      expect(read.value.headings.filter(({ level }) => level === 2).length).toBeGreaterThan(3);
      expect(read.value.wordCount).toBeGreaterThan(200);
      expect(read.value.summary).toContain("Материал о теме");
      expect(read.value.markdown).toMatch(/\d/);
    }
    // One of them gives orders to language models, for tests of those who put pages into prompts.
    expect(pages.filter((each) => each.ok && each.value.markdown.includes("игнорируй"))).toHaveLength(1);
  });

  it("reads a site of the WordPress twin, by either of its addresses", async () => {
    await harness.twins.control("POST", "/wordpress/sites", {
      name: "shop",
      title: "Уютный дом",
      users: [{ login: "admin", role: "administrator", passwords: ["abcd EFGH 1234 ijkl MNOP 6789"] }],
    });
    const authorization = `Basic ${btoa("admin:abcd EFGH 1234 ijkl MNOP 6789")}`;
    await fetch(`${harness.twins.url}/wordpress/shop/wp-json/wp/v2/posts`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({
        title: "Как выбрать диван",
        slug: "divan",
        status: "publish",
        content: "<h2>Размер</h2><p>Измерьте проём.</p>",
      }),
    });
    const { firecrawl } = harness.sources();
    for (const home of ["https://shop.wordpress.test", `${harness.twins.url}/wordpress/shop`]) {
      const map = await firecrawl.map(home, payer);
      const post = map.ok ? map.value.find(({ url }) => url.includes("divan")) : undefined;
      expect(post, JSON.stringify(map)).toBeDefined();
      const read = await firecrawl.page(post?.url ?? "", payer);
      expect(read).toMatchObject({
        ok: true,
        value: { headings: expect.arrayContaining([{ level: 2, text: "Размер" }]) },
      });
    }
  });

  it("maps up to 5,000 pages", async () => {
    await harness.twins.control("POST", "/firecrawl/sites", { host: "big.example", pages: 6000 });
    const answer = await harness.sources().firecrawl.map("https://big.example", payer);
    expect(answer.ok && new Set(answer.value.map(({ url }) => url)).size).toBe(5000);
  });

  it("takes the document's defaults for colours that a site does not tell, and nothing that is no colour", async () => {
    await harness.twins.control("POST", "/firecrawl/sites", {
      host: "brand.example",
      branding: {
        colors: { primary: "#F63", accent: "red;} body{display:none", background: "rgb(250, 250, 250)" },
        fonts: [{ family: "Golos Text" }, { family: "x;}" }],
        logo: "javascript:alert(1)",
      },
    });
    expect(await harness.sources().firecrawl.branding("https://brand.example", payer)).toMatchObject({
      value: {
        colors: {
          background: "#fafafa",
          text: "#333333",
          accent: "#ff6633",
          primary: "#ff6633",
          secondary: "#333333",
        },
        fonts: { heading: "Golos Text", body: "Golos Text" },
        logoUrl: null,
      },
    });
    await harness.twins.control("POST", "/firecrawl/sites", { host: "bare.example", branding: {} });
    expect(await harness.sources().firecrawl.branding("https://bare.example", payer)).toMatchObject({
      reason: "no_data",
    });
  });

  it("extracts by a schema, asking until it is done", async () => {
    const schema = {
      type: "object",
      properties: { title: { type: "string" }, topics: { type: "array", items: { type: "string" } } },
    };
    const extraction = { urls: [page], prompt: "О чём страница?", schema };
    await harness.fault("firecrawl", { kind: "status", status: 502 }, 1, { method: "GET /extract/:id" });
    const answer = await harness.sources().firecrawl.extract(extraction, payer);
    expect(answer).toMatchObject({ ok: true, value: { title: expect.stringContaining("Эксперт Дом") } });
    // A poll that failed does not begin the paid work again.
    expect(await harness.calls("firecrawl")).toEqual(["POST /extract", ...Array(3).fill("GET /extract/:id")]);
    expect(
      await harness.sources().firecrawl.extract({ ...extraction, urls: ["https://gone.invalid/"] }, payer),
    ).toMatchObject({ reason: "no_data" });
  });

  it("gives an extraction up whose answers are lost again and again", async () => {
    await harness.fault("firecrawl", { kind: "status", status: 502 }, 99, { method: "GET /extract/:id" });
    const extraction = { urls: [page], prompt: "О чём страница?", schema: { type: "object" } };
    expect(await harness.sources().firecrawl.extract(extraction, payer)).toMatchObject({
      reason: "unavailable",
    });
    expect(await harness.calls("firecrawl")).toHaveLength(5);
    // It was begun, and so it was paid for.
    expect(harness.noted).toMatchObject([{ costUsd: 5 * 0.00083 }]);
  });

  it("pauses 1 and 3 seconds between its attempts", async () => {
    await harness.fault("firecrawl", { kind: "status", status: 408 }, 9);
    expect(await harness.sources().firecrawl.page(page, payer)).toMatchObject({ reason: "unavailable" });
    expect(harness.pauses).toEqual([1000, 3000]);
  });

  it.each([
    ["a page that is not there", "https://ekspert-dom.example/404", "no_data", 0.00083],
    ["a site that is not there", "https://no-such-site.invalid/", "refused", undefined],
  ])("tells %s once, without another attempt", async (_, url, reason, costUsd) => {
    expect(await harness.sources().firecrawl.page(url, payer)).toMatchObject({ ok: false, reason });
    expect(await harness.calls("firecrawl")).toHaveLength(1);
    expect(harness.noted.map((each) => each.costUsd)).toEqual(costUsd === undefined ? [] : [costUsd]);
  });

  it("says when credits are used up", async () => {
    await harness.twins.control("PATCH", "/firecrawl/options", { credits: 0 });
    expect(await harness.sources().firecrawl.page(page, payer)).toMatchObject({ reason: "quota" });
  });
});

describe("PageSpeed", () => {
  it("tells scores and vitals of visitors, and what to do first", async () => {
    await harness.twins.control("POST", "/pagespeed/sites", {
      host: "shop.example",
      field: true,
      scores: { seo: 0.914, accessibility: null },
    });
    const answer = await harness.sources().pagespeed.audit("https://shop.example/", payer);
    if (!answer.ok) throw new Error(answer.detail);
    const { scores, vitals, recommendations, partial, report } = answer.value;
    expect(scores).toMatchObject({
      seo: 91,
      accessibility: null,
      performance: expect.any(Number),
      bestPractices: expect.any(Number),
    });
    expect(vitals).toMatchObject({
      from: "field",
      lcpMs: expect.any(Number),
      inpMs: expect.any(Number),
      ttfbMs: expect.any(Number),
    });
    expect(vitals.cls).toBeLessThan(1);
    expect(recommendations[0]).toEqual({
      title: "Используйте современные форматы изображений",
      description: "WebP и AVIF сжимают лучше, чем PNG и JPEG: такие изображения загружаются быстрее.",
      priority: expect.any(String),
    });
    expect(partial).toBe(false);
    expect(JSON.stringify(report)).not.toContain("screenshot-thumbnails");
  });

  it("falls back to what was measured for a site with few visitors", async () => {
    await harness.twins.control("POST", "/pagespeed/sites", { host: "shop.example", field: false });
    expect(await harness.sources().pagespeed.audit("https://shop.example/", payer)).toMatchObject({
      value: { vitals: { from: "lab", lcpMs: expect.any(Number), inpMs: null, ttfbMs: 640 } },
    });
  });

  it("keeps what came when the slow part does not", async () => {
    harness.impatient(({ url }) => url.includes("category=performance"));
    await harness.fault("pagespeed", { kind: "hang" }, 1, { method: "GET /runPagespeed performance" });
    expect(await harness.sources().pagespeed.audit(page, payer)).toMatchObject({
      ok: true,
      value: { partial: true, scores: { performance: null, seo: expect.any(Number) } },
    });
    expect(harness.noted).toHaveLength(1);
  });

  it.each([
    [
      "a page that Lighthouse cannot open",
      { host: "shop.example", runtime_error: "NO_FCP" },
      "https://shop.example/",
      "unavailable",
    ],
    ["a site that is not there", { host: "x.example" }, "https://gone.invalid/", "refused"],
  ])("gives up %s", async (_, site, url, reason) => {
    await harness.twins.control("POST", "/pagespeed/sites", site);
    expect(await harness.sources().pagespeed.audit(url, payer)).toMatchObject({ ok: false, reason });
  });
});

describe("Yandex", () => {
  it("counts searches by region, and names the regions", async () => {
    const { yandex } = harness.sources();
    const [russia, moscow, tree, regions] = await Promise.all([
      yandex.demand(phrase, ["225"], payer),
      yandex.demand(phrase, ["213"], payer),
      yandex.regionTree(payer),
      yandex.demandByRegion(phrase, payer),
    ]);
    if (!russia.ok || !moscow.ok || !tree.ok || !regions.ok) throw new Error("Yandex did not answer");
    expect(russia.value.total).toBeGreaterThan(moscow.value.total);
    expect(moscow.value.phrases[0]?.phrase).toBe(phrase);
    expect(tree.value[0]).toMatchObject({
      id: "225",
      name: "Россия",
      children: expect.arrayContaining([expect.objectContaining({ id: "1" })]),
    });
    expect(regions.value.find(({ region }) => region === "1")?.count).toBeGreaterThan(0);
  });

  it("finds that phrases with one meaning share results, and others do not", async () => {
    const { yandex } = harness.sources();
    const urls = async (text: string) => {
      const found = await yandex.search(text, "213", payer);
      return new Set(found.ok ? found.value.map(({ url }) => url) : []);
    };
    const [buy, price, choose] = await Promise.all([
      urls("купить диван"),
      urls("диван цена"),
      urls("как выбрать диван"),
    ]);
    expect([...buy].filter((url) => price.has(url)).length).toBeGreaterThanOrEqual(7);
    expect([...buy].filter((url) => choose.has(url)).length).toBeLessThan(3);
    expect(await yandex.search("абракадабра", undefined, payer)).toMatchObject({ reason: "no_data" });
  });

  it("gets the results of a deferred search later, and pays for it once", async () => {
    const { yandex } = harness.sources();
    const begun = await yandex.deferSearch(phrase, "213", payer);
    if (!begun.ok) throw new Error(begun.detail);
    expect(await yandex.deferredResults(begun.value, payer)).toMatchObject({ ok: true, value: "pending" });
    const done = await yandex.deferredResults(begun.value, payer);
    expect(done.ok && done.value).toHaveLength(10);
    expect(harness.noted).toMatchObject([{ costUsd: 0.000_25 }]);
    expect(await yandex.deferredResults("../../secrets", payer)).toMatchObject({ reason: "refused" });
    expect(await yandex.deferredResults("unknown", payer)).toMatchObject({ reason: "refused" });
  });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const site = "https://tea.example/";
const readers = (url: string, days: number, clicks = 2) => ({
  ...{ url, from: daysAgo(days), clicks: Array(days).fill(clicks) },
});

describe("Search Console", () => {
  it("lists what is shared with the service account, and tells clicks by page and day until they are final", async () => {
    await harness.twins.control("PUT", "/searchconsole/sites", {
      site_url: site,
      pages: [readers(`${site}a/`, 40), readers(`${site}b/`, 10)],
    });
    for (const site_url of ["sc-domain:other.example", "https://tea.example/blog/"])
      await harness.twins.control("PUT", "/searchconsole/sites", { site_url });
    await harness.twins.control("PUT", "/searchconsole/sites", {
      ...{ site_url: "https://stranger.example/", permission: "siteUnverifiedUser" },
    });
    const { searchconsole } = harness.sources();
    const found = await searchconsole.properties(payer);
    expect(found).toMatchObject({
      ok: true,
      value: [
        { id: site, host: "tea.example", isDomain: false },
        { id: "sc-domain:other.example", host: "other.example", isDomain: true },
      ],
    });
    const property = { id: site, host: "tea.example", isDomain: false };
    const period = { from: daysAgo(30), to: daysAgo(3) };
    const told = await searchconsole.pageDays(property, period, payer);
    if (!told.ok) throw new Error(told.detail);
    expect(told.value.covered).toEqual(period);
    expect(told.value.days.filter(({ url }) => url.endsWith("/a/"))).toHaveLength(28);
    expect(told.value.days.filter(({ url }) => url.endsWith("/b/"))).toHaveLength(8);
    expect(told.value.days[0]).toMatchObject({ clicks: 2, impressions: 43, position: 5 });
    // One token serves all calls.
    expect(await harness.calls("searchconsole")).toEqual([
      ...["POST /token", "GET /sites", "POST /searchAnalytics/query"],
    ]);
    const foreign = { id: "https://stranger.example/", host: "stranger.example", isDomain: false };
    expect(await searchconsole.pageDays(foreign, period, payer)).toMatchObject({
      ok: false,
      reason: "refused",
      detail: expect.stringContaining("sufficient permission"),
    });
  });

  it("gets another token when one is refused, and says when the account is unknown", async () => {
    const { searchconsole } = harness.sources();
    await harness.fault("searchconsole", { kind: "status", status: 401 }, 1, { method: "GET /sites" });
    expect(await searchconsole.properties(payer)).toMatchObject({ ok: true, value: [] });
    expect((await harness.calls("searchconsole")).filter((each) => each === "POST /token")).toHaveLength(2);
    const account = { ...harness.accounts.searchconsole, email: "nobody@demo.iam.gserviceaccount.com" };
    expect(await harness.sources({ searchconsole: account }).searchconsole.properties(payer)).toMatchObject({
      ok: false,
      reason: "refused",
      detail: expect.stringContaining("account not found"),
    });
    expect(await harness.sources({ searchconsole: undefined }).searchconsole.properties(payer)).toMatchObject(
      {
        ok: false,
        reason: "off",
      },
    );
  });
});

describe("Yandex Webmaster", () => {
  it("lists verified sites, and tells the two weeks that it keeps, five hundred pages at a time", async () => {
    const pages = Array.from({ length: 501 }, (_, at) => readers(`${site}${at}/`, 40, 1));
    await harness.twins.control("PUT", "/webmaster/hosts", { url: site, pages });
    await harness.twins.control("PUT", "/webmaster/hosts", { url: "https://no.example/", verified: false });
    const { webmaster } = harness.sources();
    const property = { id: "https:tea.example:443", host: "tea.example", isDomain: false };
    expect(await webmaster.properties(payer)).toMatchObject({ ok: true, value: [property] });
    const told = await webmaster.pageDays(property, { from: daysAgo(400), to: daysAgo(3) }, payer);
    if (!told.ok) throw new Error(told.detail);
    expect(told.value.covered).toEqual({ from: daysAgo(15), to: daysAgo(3) });
    expect(told.value.days).toHaveLength(501 * 13);
    expect((await harness.calls("webmaster")).filter((each) => each.startsWith("POST"))).toHaveLength(2);
    const refused = { ...property, id: "https:no.example:443" };
    expect(await webmaster.pageDays(refused, { from: daysAgo(9), to: daysAgo(3) }, payer)).toMatchObject({
      ok: false,
      reason: "refused",
      detail: expect.stringContaining("HOST_NOT_VERIFIED"),
    });
    const account = { ...harness.accounts.webmaster, token: "y0_wrong" };
    expect(await harness.sources({ webmaster: account }).webmaster.properties(payer)).toMatchObject({
      ok: false,
      detail: expect.stringContaining("INVALID_OAUTH_TOKEN"),
    });
  });
});
