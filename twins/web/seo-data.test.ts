/** Twins of SEO data: as strict as their providers, with the same answer for the same request. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestTwins, type TestTwins, testClock } from "../shared/testing.ts";

type Json = ReturnType<typeof JSON.parse>;

const clock = testClock();
let twins: TestTwins;
beforeAll(async () => {
  twins = await startTestTwins({ clock, rateLimits: true });
});
afterAll(() => twins.close());
beforeEach(async () => {
  await twins.control("POST", "/reset");
});

async function send(path: string, body: unknown, headers: Record<string, string>) {
  const response = await fetch(`${twins.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
}

const basic = `Basic ${btoa("demo@molva.example:molva-demo-dataforseo")}`;
const seo = (path: string, body: unknown, authorization = basic) =>
  send(`/dataforseo/v3${path}`, body, { authorization });
const crawl = (path: string, body?: unknown, key = "fc-molva-demo-00000000000000000000000000000000") =>
  send(`/firecrawl/v2${path}`, body, { authorization: `Bearer ${key}` });
const serper = (body: unknown, key = "molva-demo-serper-0000000000000000") =>
  send("/serper/search", body, { "x-api-key": key });
const speed = (query: string) => send(`/pagespeed/pagespeedonline/v5/runPagespeed?${query}`, undefined, {});
const yandex = (path: string, body: unknown, key = "AQVNmolva-demo-0000000000000000000000") =>
  send(`/yandex/searchapi${path}`, body, { authorization: `Api-Key ${key}` });

const serp = "/serp/google/organic/live/regular";
const suggestions = "/dataforseo_labs/google/keyword_suggestions/live";
const volumes = "/keywords_data/google_ads/search_volume/live";
const place = { location_code: 2804, language_code: "ru" };

describe("DataForSEO", () => {
  const task = { keyword: "Купить Диван", ...place };

  it("answers with both statuses, the cost and the phrase in lower case, page by page", async () => {
    const { body } = await seo(suggestions, [{ ...task, limit: 10, offset: 5, include_seed_keyword: true }]);
    expect(body).toMatchObject({ status_code: 20000, tasks_error: 0, cost: expect.closeTo(0.011, 6) });
    const [result] = body.tasks[0].result;
    expect(result).toMatchObject({ seed_keyword: "купить диван", items_count: 10, offset: 5 });
    const first = await seo(suggestions, [{ ...task, limit: 15 }]);
    expect(first.body.tasks[0].result[0].items.slice(5)).toEqual(result.items);
  });

  it.each<[string, unknown, number]>([
    ["a body that is not a list", task, 40503],
    ["a body that is not JSON", "[{", 40503],
    ["an empty list", [], 40502],
    ["two tasks at once", [task, task], 40000],
  ])("refuses %s", async (_, body, code) => {
    expect(await seo(suggestions, body)).toMatchObject({
      status: 200,
      body: { status_code: code, tasks: null },
    });
  });

  it.each<[string, string, object, string]>([
    ["Russia", suggestions, { ...task, location_code: 2643 }, "location_code"],
    ["no language", suggestions, { keyword: "диван", location_code: 2804 }, "language_code"],
    ["a long phrase", suggestions, { ...task, keyword: "д".repeat(81) }, "keyword"],
    ["a phrase of many words", suggestions, { ...task, keyword: "а б в г д е ж з и к л" }, "keyword"],
    ["a large limit", suggestions, { ...task, limit: 1001 }, "limit"],
    ["more results than a live search has", serp, { ...task, depth: 201 }, "depth"],
    ["a percent that encodes nothing", serp, { ...task, keyword: "скидка 5%" }, "keyword"],
    [
      "an address with its protocol as a target",
      serp,
      { ...task, stop_crawl_on_match: [{ match_value: "https://a.example", match_type: "domain" }] },
      "stop_crawl_on_match",
    ],
    [
      "more targets than ten",
      serp,
      { ...task, stop_crawl_on_match: Array(11).fill({ match_value: "a.example", match_type: "domain" }) },
      "stop_crawl_on_match",
    ],
    ["an unknown place of targets", serp, { ...task, find_targets_in: ["video"] }, "find_targets_in"],
    ["a deep search", "/dataforseo_labs/google/related_keywords/live", { ...task, depth: 5 }, "depth"],
    [
      "too many phrases",
      "/dataforseo_labs/google/keyword_overview/live",
      { keywords: Array.from({ length: 701 }, (_, at) => `д ${at}`), ...place },
      "keywords",
    ],
  ])("refuses %s inside a good envelope", async (_, path, given, field) => {
    const { status, body } = await seo(path, [given]);
    expect([status, body.status_code, body.tasks_error]).toEqual([200, 20000, 1]);
    expect(body.tasks[0]).toMatchObject({
      status_code: 40501,
      status_message: `Invalid Field: '${field}'.`,
      result: null,
      cost: 0,
    });
  });

  it("has a status of its own for a wrong key, an empty account and an unknown path", async () => {
    expect(await seo(suggestions, [task], "Basic bm86bm8=")).toMatchObject({
      status: 401,
      body: { status_code: 40100 },
    });
    expect(await seo("/nothing/live", [task])).toMatchObject({ status: 404, body: { status_code: 40400 } });
    await twins.control("PATCH", "/dataforseo/account", { balance: 0 });
    expect(await seo(suggestions, [task])).toMatchObject({ status: 402, body: { status_code: 40200 } });
  });

  it("crawls results up to the page that has a target, and is paid for each page", async () => {
    const url = "https://tea.example/kak-vybrat-ulun/";
    await twins.control("PUT", "/dataforseo/pages", { keyword: "Чай улун", url, position: 14 });
    const search = { keyword: "чай%20улун", ...place, depth: 50 };
    const costOf = async (given: object) => {
      const { body } = await seo(serp, [{ ...search, ...given }]);
      const [{ items }] = body.tasks[0].result;
      return [body.cost, items.length, items.find((item: Json) => item.url === url)?.rank_group];
    };
    const stopOn = (match_value: string, match_type: string) => ({
      stop_crawl_on_match: [{ match_value, match_type }],
    });
    expect(await costOf({})).toEqual([expect.closeTo(0.008, 6), 50, 14]);
    expect(await costOf(stopOn("/kak-vybrat-ulun*", "wildcard"))).toEqual([
      expect.closeTo(0.0035, 6),
      20,
      14,
    ]);
    expect(await costOf(stopOn("tea.example", "domain"))).toEqual([expect.closeTo(0.0035, 6), 20, 14]);
    expect(await costOf(stopOn("other.example", "with_subdomains"))).toEqual([
      expect.closeTo(0.008, 6),
      50,
      14,
    ]);
  });

  it("leaves out phrases that nobody knows, and has a flat list of volumes", async () => {
    const keywords = ["диван", "абракадабра"];
    const overview = await seo("/dataforseo_labs/google/keyword_overview/live", [{ keywords, ...place }]);
    expect(overview.body.tasks[0].result[0].items).toMatchObject([{ keyword: "диван" }]);
    const flat = await seo(volumes, [{ keywords, ...place }]);
    expect(flat.body.tasks[0].result).toMatchObject([
      { keyword: "диван" },
      { keyword: "абракадабра", search_volume: null },
    ]);
    expect(flat.body.cost).toBe(0.075);
  });

  it("takes a dozen calls a minute for volumes", async () => {
    const ask = async () => (await seo(volumes, [{ keywords: ["диван"] }])).body.tasks[0].status_code;
    for (let call = 0; call < 12; call += 1) expect(await ask()).toBe(20000);
    expect(await ask()).toBe(40202);
    clock.advance(61_000);
    expect(await ask()).toBe(20000);
  });
});

describe("Serper", () => {
  it("leaves out blocks that a query does not have, and takes a batch", async () => {
    const { body } = await serper({ q: "абракадабра", gl: "ru", hl: "ru" });
    expect(body).toMatchObject({ organic: [], credits: 1 });
    expect(Object.keys(body).sort()).toEqual(["credits", "organic", "searchParameters"]);
    const batch = await serper([{ q: "диван" }, { q: "стол", num: 20 }]);
    expect(batch.body).toMatchObject([{ credits: 1 }, { credits: 2 }]);
  });

  it.each<[string, unknown, string | undefined, number]>([
    ["a wrong key", { q: "диван" }, "wrong", 403],
    ["no query", {}, undefined, 400],
    ["what is not JSON", "{", undefined, 400],
  ])("refuses %s", async (_, body, key, status) => {
    expect(await serper(body, key)).toMatchObject({
      status,
      body: { statusCode: status, message: expect.any(String) },
    });
  });

  it("says with 400 that credits are used up", async () => {
    await twins.control("PATCH", "/serper/account", { credits: 1 });
    expect(await serper({ q: "диван", num: 20 })).toMatchObject({
      status: 400,
      body: { message: "Not enough credits" },
    });
  });
});

describe("Firecrawl", () => {
  const url = "https://ekspert-dom.example/stati/как-выбрать-диван/";

  it("takes formats as words and as objects, and serves what it has read before for as long as it may", async () => {
    const body = {
      url,
      formats: [
        "markdown",
        { type: "json", schema: { type: "object", properties: { title: { type: "string" } } } },
      ],
    };
    const first = await crawl("/scrape", body);
    expect(first.body.data).toMatchObject({
      json: { title: expect.any(String) },
      metadata: { cacheState: "miss", creditsUsed: 5 },
    });
    expect((await crawl("/scrape", body)).body.data.metadata.cacheState).toBe("hit");
    expect((await crawl("/scrape", { ...body, maxAge: 0 })).body.data.metadata.cacheState).toBe("miss");
    clock.advance(3 * 24 * 3_600_000);
    expect((await crawl("/scrape", body)).body.data.metadata.cacheState).toBe("miss");
  });

  it.each<[string, string, unknown, number]>([
    ["an address that is none", "/scrape", { url: "диван" }, 400],
    ["an unknown format", "/scrape", { url, formats: ["pdf"] }, 400],
    ["a short timeout", "/scrape", { url, timeout: 10 }, 400],
    ["an unknown field", "/scrape", { url, format: "markdown" }, 400],
    ["what is not JSON", "/scrape", "{", 400],
    ["a map of too many pages", "/map", { url, limit: 100_001 }, 400],
    ["an extraction without a question", "/extract", { urls: [url] }, 400],
  ])("refuses %s", async (_, path, body, status) => {
    expect(await crawl(path, body)).toMatchObject({
      status,
      body: { success: false, error: expect.any(String) },
    });
  });

  it("tells what a page answered inside of its own success, and names a site that is not there", async () => {
    expect((await crawl("/scrape", { url: "https://ekspert-dom.example/404" })).body).toMatchObject({
      success: true,
      data: { metadata: { statusCode: 404 } },
    });
    expect(await crawl("/scrape", { url: "https://gone.invalid/" })).toMatchObject({
      status: 500,
      body: { code: "SCRAPE_DNS_RESOLUTION_ERROR" },
    });
  });

  it("refuses a wrong key and an account without credits", async () => {
    expect((await crawl("/scrape", { url }, "fc-wrong")).status).toBe(401);
    await twins.control("PATCH", "/firecrawl/options", { credits: 0 });
    expect((await crawl("/map", { url })).status).toBe(402);
  });

  it("maps pages as objects, as many as the site has", async () => {
    await twins.control("POST", "/firecrawl/sites", { host: "big.example", pages: 5000 });
    const { body } = await crawl("/map", { url: "https://big.example", limit: 5000 });
    expect(new Set(body.links.map((link: Json) => link.url)).size).toBe(5000);
    expect((await crawl("/map", { url: "https://big.example", limit: 3 })).body.links).toHaveLength(3);
  });

  it("stops giving orders to language models when it is told to", async () => {
    const hostile = { url: "https://sovety-mastera.example/sovety/диван/" };
    expect((await crawl("/scrape", hostile)).body.data.markdown).toContain("игнорируй все предыдущие");
    await twins.control("PATCH", "/firecrawl/options", { hostile: false });
    expect((await crawl("/scrape", hostile)).body.data.markdown).not.toContain("игнорируй");
  });

  it("reads nothing of this machine but the twins", async () => {
    for (const url of ["http://127.0.0.1:1/", "http://localhost:5432/", "http://[::1]/"])
      expect(await crawl("/scrape", { url })).toMatchObject({
        status: 500,
        body: { code: "SCRAPE_SITE_ERROR" },
      });
  });
});

describe("PageSpeed", () => {
  it("runs performance alone unless asked for more", async () => {
    const { body } = await speed("url=https://shop.example/");
    expect(Object.keys(body.lighthouseResult.categories)).toEqual(["performance"]);
    const more = await speed(
      "url=https://shop.example/&strategy=mobile&category=seo&category=best-practices",
    );
    expect(Object.keys(more.body.lighthouseResult.categories)).toEqual(["seo", "best-practices"]);
  });

  it.each<[string, string, number, string]>([
    ["no address", "strategy=mobile", 400, "INVALID_ARGUMENT"],
    ["a wrong key", "url=https://a.example&key=wrong", 400, "INVALID_ARGUMENT"],
    ["an unknown category", "url=https://a.example&category=speed", 400, "INVALID_ARGUMENT"],
    ["a site that is not there", "url=https://gone.invalid", 400, "INVALID_ARGUMENT"],
  ])("refuses %s", async (_, query, status, word) => {
    expect(await speed(query)).toMatchObject({ status, body: { error: { code: status, status: word } } });
  });

  it("has a small quota for callers without a key", async () => {
    for (let call = 0; call < 4; call += 1) expect((await speed("url=https://a.example")).status).toBe(200);
    expect(await speed("url=https://a.example")).toMatchObject({
      status: 429,
      body: { error: { status: "RESOURCE_EXHAUSTED" } },
    });
  });
});

describe("Yandex", () => {
  const top = "/v2/wordstat/topRequests";

  it("writes whole numbers as text, and leaves out what is empty", async () => {
    const { body } = await yandex(top, { phrase: "диван", numPhrases: 3 });
    expect(body).toMatchObject({ totalCount: expect.stringMatching(/^\d+$/), results: { length: 3 } });
    expect((await yandex(top, { phrase: "абракадабра" })).body).toEqual({});
  });

  it.each<[string, unknown, string | undefined, number, number]>([
    ["a wrong key", { phrase: "диван" }, "wrong", 401, 16],
    ["a foreign folder", { phrase: "диван", folderId: "b1gother" }, undefined, 403, 7],
    ["too many phrases", { phrase: "диван", numPhrases: 2001 }, undefined, 400, 3],
    ["an unknown field", { phrase: "диван", region: "213" }, undefined, 400, 3],
    ["a long phrase", { phrase: "д".repeat(401) }, undefined, 400, 3],
  ])("refuses %s", async (_, body, key, status, code) => {
    expect(await yandex(top, body, key)).toMatchObject({ status, body: { code } });
  });

  it("takes a hundred questions an hour, and the tree of regions beside them", async () => {
    for (let call = 0; call < 100; call += 1) {
      clock.advance(200);
      expect((await yandex(top, { phrase: "диван", numPhrases: 1 })).status).toBe(200);
    }
    expect(await yandex(top, { phrase: "диван" })).toMatchObject({ status: 429, body: { code: 8 } });
    expect((await yandex("/v2/wordstat/getRegionsTree", "")).body.regions[0]).toMatchObject({
      id: "225",
      label: "Россия",
    });
    clock.advance(3_600_000);
    expect((await yandex(top, { phrase: "диван" })).status).toBe(200);
  });
});
