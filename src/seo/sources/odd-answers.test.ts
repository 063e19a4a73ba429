/** Answers of providers with values missing, null, odd or new: no call breaks, and what can be read is read. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { payer } from "../../../tests/support/seo-sources.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createAddressCheck } from "./address-check.ts";
import type { Sourced } from "./result.ts";
import { createSources, type Sources } from "./sources.ts";

const xml = Buffer.from(
  '<yandexsearch><response><results><doc id="1"><url>https://a.example/?x=1&amp;y=2</url><title>А <hlword>диван</hlword> &#171;Б&#187;</title></doc></results></response></yandexsearch>',
).toString("base64");

const keyword = {
  keyword: "диван",
  keyword_info: {
    search_volume: 10,
    cpc: 0.3,
    competition: 0.5,
    monthly_searches: [{ year: 2026, month: 9 }],
  },
  keyword_properties: { keyword_difficulty: 20 },
  search_intent_info: { main_intent: "commercial", foreign_intent: ["informational"] },
};
const envelope = (result: unknown) => ({
  status_code: 20000,
  status_message: "Ok.",
  cost: 0.01,
  tasks: [
    { id: "1", status_code: 20000, status_message: "Ok.", cost: 0.01, result, data: { keyword: "диван" } },
  ],
});

const cases: readonly [string, unknown, (sources: Sources) => Promise<Sourced<unknown>>][] = [
  ["suggestions", envelope([{ items: [keyword, keyword] }]), (s) => s.dataforseo.suggestions("диван", payer)],
  [
    "related",
    envelope([{ items: [{ keyword_data: keyword, depth: 1 }] }]),
    (s) => s.dataforseo.related("диван", payer),
  ],
  [
    "volumes",
    envelope([{ keyword: "диван", search_volume: 5, cpc: 1, competition_index: 40, competition: "LOW" }]),
    (s) => s.dataforseo.enrich(["диван"], payer),
  ],
  [
    "intents",
    envelope([{ items: [{ keyword: "диван", keyword_intent: { label: "commercial", probability: 1 } }] }]),
    (s) => s.dataforseo.intents(["диван"], payer),
  ],
  [
    "results",
    {
      organic: [{ title: "А", link: "https://a.example", snippet: "б", position: 1 }],
      peopleAlsoAsk: [{ question: "Что?", snippet: "То", title: "А", link: "https://a.example" }],
      relatedSearches: [{ query: "диван" }],
      credits: 1,
    },
    (s) => s.serper.search("диван", payer),
  ],
  [
    "a page",
    {
      success: true,
      data: {
        markdown: "# А\n\nтекст",
        summary: "а",
        metadata: { title: ["А"], description: "б", statusCode: 200 },
      },
      warning: null,
    },
    (s) => s.firecrawl.page("https://a.example/", payer),
  ],
  [
    "branding",
    {
      success: true,
      data: {
        branding: {
          colors: { primary: "#fff" },
          fonts: [{ family: "Inter", role: "body" }],
          typography: { fontFamilies: { primary: "Inter" } },
          images: { logo: "https://a.example/l.svg" },
        },
        metadata: { statusCode: 200 },
      },
    },
    (s) => s.firecrawl.branding("https://a.example/", payer),
  ],
  [
    "a map",
    { success: true, links: [{ url: "https://a.example/1", title: "А", description: "б" }] },
    (s) => s.firecrawl.map("https://a.example/", payer),
  ],
  [
    "an audit",
    {
      loadingExperience: {
        metrics: {
          LARGEST_CONTENTFUL_PAINT_MS: { percentile: 1 },
          CUMULATIVE_LAYOUT_SHIFT_SCORE: { percentile: 5 },
        },
      },
      lighthouseResult: {
        categories: { performance: { score: 0.5 }, seo: { score: 1 } },
        audits: {
          a: {
            title: "А",
            description: "б",
            score: 0,
            scoreDisplayMode: "binary",
            details: { overallSavingsMs: 5 },
          },
        },
      },
    },
    (s) => s.pagespeed.audit("https://a.example/", payer),
  ],
  [
    "demand",
    {
      totalCount: "5",
      results: [{ phrase: "диван", count: "5" }],
      associations: [{ phrase: "софа", count: "2" }],
    },
    (s) => s.yandex.demand("диван", [], payer),
  ],
  [
    "regions",
    { results: [{ region: "1", count: "5", share: 0.1, affinityIndex: 100 }] },
    (s) => s.yandex.demandByRegion("диван", payer),
  ],
  [
    "the tree of regions",
    { regions: [{ id: "225", label: "Россия", children: [{ id: "1", name: "Москва" }] }] },
    (s) => s.yandex.regionTree(payer),
  ],
  ["a search", { rawData: xml }, (s) => s.yandex.search("диван", undefined, payer)],
  [
    "a deferred search",
    { done: true, response: { rawData: xml } },
    (s) => s.yandex.deferredResults("a1", payer),
  ],
];

it.each(cases)("%s: an untouched answer is read", async (_, answer, call) => {
  expect(await call(answering(answer))).toMatchObject({ ok: true });
});

it.each(cases)("%s: odd, null, missing and new values never break the call", async (_, answer, call) => {
  await fc.assert(
    fc.asyncProperty(spoilt(answer), async (body) => {
      const result = await call(answering(body));
      if (!result.ok)
        expect(["unavailable", "no_data", "refused", "quota"], JSON.stringify(body)).toContain(result.reason);
    }),
    { numRuns: 150 },
  );
});

it("an odd item does not take its neighbours with it", async () => {
  const odd = [
    null,
    7,
    {},
    { keyword: 5 },
    { ...keyword, keyword_info: null, search_intent_info: "нет" },
    keyword,
  ];
  expect(await answering(envelope([{ items: odd }])).dataforseo.suggestions("диван", payer)).toMatchObject({
    value: [
      { phrase: "диван", volume: null, difficulty: 20, intent: null },
      { phrase: "диван", volume: 10, competition: 0.5, intent: "commercial" },
    ],
  });
});

it("texts of strangers are cut and cleaned before anybody puts them into a prompt", async () => {
  const long = `Заголовок\u0000\u202e ${"я".repeat(100_000)}`;
  const found = await answering({
    organic: [
      { title: long, link: "https://a.example", snippet: long },
      { title: "б", link: "javascript:alert(1)" },
    ],
  }).serper.search("диван", payer);
  if (!found.ok) throw new Error(found.detail);
  expect(found.value.organic).toHaveLength(1);
  expect(found.value.organic[0]?.title).toHaveLength(300);
  expect(found.value.organic[0]?.title).toMatch(/^Заголовок я/);
  const page = await answering({
    data: { markdown: `## ${long}\n\n${"слово ".repeat(50_000)}`, summary: long, metadata: {} },
  }).firecrawl.page("https://a.example/", payer);
  if (!page.ok) throw new Error(page.detail);
  expect(page.value.markdown.length).toBe(40_000);
  expect(page.value.markdown).not.toContain("\u0000");
  expect(page.value.wordCount).toBe(50_002);
  expect([page.value.summary.length, page.value.headings[0]?.text.length]).toEqual([3000, 200]);
});

/** Sources to which every provider gives the same answer; nothing is kept and nothing waited for. */
function answering(body: unknown): Sources {
  const empty = { get: async () => undefined, set: async () => {} } as unknown as KeyValue;
  const account = { apiKey: "k", apiRoot: "http://p.example" };
  return createSources(
    {
      dataforseo: { login: "l", password: "p", apiRoot: "http://p.example", location: 2804 },
      ...{ serper: account, firecrawl: account, pagespeed: account },
      yandex: { ...account, folderId: "f", operationRoot: "http://p.example" },
    },
    {
      http: {
        request: async ({ url }) => ({
          ...{ kind: "answer", status: 200, headers: {}, url },
          body: new TextEncoder().encode(JSON.stringify(body)),
        }),
      },
      ...{ keyValue: empty, log: silentLog, pause: async () => {}, noteCost: async () => {} },
      ...{ newId: () => "1", clock: systemClock },
    },
    createAddressCheck({ allowHosts: [], resolve: async () => [] }),
  );
}

const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  "слово",
  0,
  -1,
  1.5,
  1e300,
  true,
  [],
  {},
  [null],
  [[]],
  {
    id: null,
  },
);

function spoilt(good: unknown): fc.Arbitrary<unknown> {
  return fc
    .array(fc.tuple(fc.constantFrom(...placesIn(good)), odd), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce((body, [place, value]) => changed(body, place.slice(1).split("/"), value), good),
    );
}

function placesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `/${key}`,
    ...placesIn(inner).map((rest) => `/${key}${rest}`),
    `/${key}/new_field`,
  ]);
}

function changed(good: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof good !== "object" || good === null) return good;
  if (Array.isArray(good))
    return good.map((item, index) => (String(index) === key ? changed(item, rest, value) : item));
  return { ...good, [key]: changed(Reflect.get(good, key), rest, value) };
}
