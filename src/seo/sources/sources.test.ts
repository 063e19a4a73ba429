import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { payer, type SourcesHarness, startSources } from "../../../tests/support/seo-sources.ts";
import { createAddressCheck } from "./address-check.ts";
import type { Sourced } from "./result.ts";
import type { Sources } from "./sources.ts";

let harness: SourcesHarness;
beforeAll(async () => {
  harness = await startSources();
});
afterAll(() => harness?.close());
beforeEach(() => harness.clean());

const phrase = "угловой диван";
const page = "https://ekspert-dom.example/stati/как-выбрать-диван/";

/** One call of each source, with the provider's name for it and how many requests all its attempts make. */
const calls: readonly {
  readonly source: "dataforseo" | "serper" | "firecrawl" | "pagespeed" | "yandex";
  readonly attempts: number;
  /** Requests of one attempt. */
  readonly requests: number;
  call(sources: Sources): Promise<Sourced<unknown>>;
}[] = [
  {
    source: "dataforseo",
    attempts: 2,
    requests: 1,
    call: ({ dataforseo }) => dataforseo.suggestions(phrase, payer),
  },
  { source: "serper", attempts: 2, requests: 1, call: ({ serper }) => serper.search(phrase, payer) },
  { source: "firecrawl", attempts: 3, requests: 1, call: ({ firecrawl }) => firecrawl.page(page, payer) },
  { source: "pagespeed", attempts: 2, requests: 2, call: ({ pagespeed }) => pagespeed.audit(page, payer) },
  { source: "yandex", attempts: 2, requests: 1, call: ({ yandex }) => yandex.demand(phrase, ["213"], payer) },
];

describe.each(calls)("$source", ({ source, attempts, requests, call }) => {
  it("answers, and its cost is noted once with the run that it was for", async () => {
    const answer = await call(harness.sources());
    expect(answer).toMatchObject({ ok: true, cached: false, callId: expect.stringContaining(`${source}-`) });
    if (!answer.ok) return;
    expect(harness.noted).toEqual([
      { ...payer, provider: source, callId: answer.callId, costUsd: answer.costUsd },
    ]);
    expect(answer.costUsd > 0).toBe(source !== "pagespeed");
  });

  it("says with a sentence that it is off when no key is set, and asks nobody", async () => {
    const answer = await call(harness.sources({ [source]: undefined }));
    expect(answer).toMatchObject({ ok: false, source, reason: "off" });
    if (answer.ok) return;
    expect(answer.message.ru).toMatch(/не подключён.*Задайте [A-Z_]+/);
    expect(answer.message.en).toMatch(/not connected.*Set [A-Z_]+/);
    expect(harness.sources({ [source]: undefined }).isOn(source)).toBe(false);
    expect(await harness.calls(source)).toEqual([]);
  });

  it("is asked again after a failure, and then answers", async () => {
    await harness.fault(source, { kind: "status", status: 503 }, requests);
    expect(await call(harness.sources())).toMatchObject({ ok: true });
    expect(await harness.calls(source)).toHaveLength(2 * requests);
    expect(harness.noted).toHaveLength(1);
  });

  it.each([
    ["fails", { kind: "status", status: 500 }],
    ["drops connections", { kind: "drop_after" }],
    ["sends something other than JSON", { kind: "malformed" }],
    [
      "sends HTML of a server in front",
      { kind: "status", status: 502, description: "<html>Bad Gateway</html>" },
    ],
  ])("is given up when it %s in every attempt", async (_, fault) => {
    await harness.fault(source, fault, 20);
    expect(await call(harness.sources())).toMatchObject({ ok: false, source, reason: "unavailable" });
    expect(await harness.calls(source)).toHaveLength(attempts * requests);
    expect(harness.noted).toEqual([]);
  });

  it("is given up when it never answers", async () => {
    harness.impatient(() => true);
    await harness.fault(source, { kind: "hang" }, 20);
    expect(await call(harness.sources())).toMatchObject({ ok: false, reason: "unavailable" });
  });

  it("waits as long as it was told with 429, but not longer than half a minute", async () => {
    await harness.fault(source, { kind: "status", status: 429, retryAfter: 11 }, requests);
    expect(await call(harness.sources())).toMatchObject({ ok: true });
    expect(harness.pauses).toEqual(Array(requests).fill(11_000));
    await harness.clean();
    await harness.fault(source, { kind: "status", status: 429, retryAfter: 3600 }, 20);
    expect(await call(harness.sources())).toMatchObject({ ok: false, reason: "quota" });
    expect(harness.pauses).toEqual([]);
  });

  it.each([
    [401, "refused"],
    [402, "quota"],
    [403, "refused"],
  ])("is not asked again after %i, which is %s", async (status, reason) => {
    await harness.fault(source, { kind: "status", status }, 20);
    const answer = await call(harness.sources());
    expect(answer).toMatchObject({ ok: false, reason });
    expect(await harness.calls(source)).toHaveLength(requests);
    // Details are for logs: they never hold the key.
    for (const secret of Object.values(harness.accounts[source]))
      if (typeof secret === "string") expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it("refuses a wrong key with a sentence", async () => {
    const wrong = { ...harness.accounts[source], apiKey: "wrong", password: "wrong" };
    expect(await call(harness.sources({ [source]: wrong }))).toMatchObject({ ok: false, reason: "refused" });
  });
});

describe("kept answers", () => {
  const kept = calls.filter(({ source }) => ["serper", "firecrawl", "yandex"].includes(source));

  it.each(kept)("of $source are used again without a cost, by every process", async ({ source, call }) => {
    const first = await call(harness.sources());
    const second = await call(harness.sources());
    expect(first).toMatchObject({ ok: true, cached: false });
    expect(second).toEqual({ ...first, cached: true, costUsd: 0 });
    expect(await harness.calls(source)).toHaveLength(1);
    expect(harness.noted).toHaveLength(1);
  });

  it.each(kept)("of $source: two callers at once make one call, and one pays", async ({ source, call }) => {
    const sources = harness.sources();
    const [first, second] = await Promise.all([call(sources), call(sources)]);
    expect([first, second].map((each) => each.ok && each.cached)).toEqual([false, true]);
    expect(await harness.calls(source)).toHaveLength(1);
    expect(harness.noted).toHaveLength(1);
  });

  it("are not made of failures", async () => {
    await harness.fault("serper", { kind: "status", status: 403 });
    const sources = harness.sources();
    expect(await sources.serper.search(phrase, payer)).toMatchObject({ ok: false });
    expect(await sources.serper.search(phrase, payer)).toMatchObject({ ok: true, cached: false });
  });

  it("are made anew when a caller wants a fresh one", async () => {
    const { firecrawl } = harness.sources();
    await firecrawl.map("https://ekspert-dom.example", payer);
    expect(await firecrawl.map("https://ekspert-dom.example", payer, { fresh: true })).toMatchObject({
      cached: false,
    });
    expect(await firecrawl.map("https://ekspert-dom.example", payer)).toMatchObject({ cached: true });
  });

  it("are done without when the cache is down or holds something of another release", async () => {
    const broken = {
      ...harness.deps.keyValue,
      get: () => Promise.reject(new Error("down")),
      set: () => Promise.reject(new Error("down")),
    };
    const { createSources } = await import("./sources.ts");
    const { serper } = createSources(harness.accounts, { ...harness.deps, keyValue: broken });
    expect(await serper.search(phrase, payer)).toMatchObject({ ok: true });
    const old = { ...harness.deps.keyValue, get: async () => '{"value":{"organic":"старое"}}' };
    const again = createSources(harness.accounts, { ...harness.deps, keyValue: old });
    expect(await again.serper.search(phrase, payer)).toMatchObject({ ok: true, cached: false });
  });

  it("are used even if the books could not be written", async () => {
    const { createSources } = await import("./sources.ts");
    const deps = { ...harness.deps, noteCost: () => Promise.reject(new Error("down")) };
    expect(await createSources(harness.accounts, deps).serper.search(phrase, payer)).toMatchObject({
      ok: true,
    });
  });
});

describe("addresses", () => {
  const check = createAddressCheck({
    allowHosts: ["127.0.0.1:8090"],
    resolve: async (host) =>
      host === "inside.example"
        ? [{ address: "10.0.0.8", family: 4 }]
        : host === "public.example"
          ? [{ address: "93.184.216.34", family: 4 }]
          : Promise.reject(new Error("unknown name")),
  });

  it.each([
    "http://127.0.0.1/",
    "http://127.0.0.1:8091/",
    "http://[::1]/",
    "http://10.1.2.3/",
    "http://2130706433/",
    "http://169.254.169.254/latest/meta-data",
    "http://inside.example/",
    "http://intranet/",
    "https://user:secret@public.example/",
    "https://public.example:22/",
    "ftp://public.example/",
    "file:///etc/passwd",
    "не адрес",
  ])("%s is never sent to a provider", async (url) => {
    expect(await check(url)).toEqual(expect.any(String));
  });

  it.each([
    "https://public.example/",
    "https://unknown-here.example/",
    "http://127.0.0.1:8090/wordpress/shop/",
  ])("%s may be", async (url) => {
    expect(await check(url)).toBeUndefined();
  });

  it("are checked before Firecrawl and PageSpeed are asked", async () => {
    const { firecrawl, pagespeed } = harness.sources();
    const inside = "http://169.254.169.254/latest/meta-data";
    const answers = await Promise.all([
      firecrawl.page(inside, payer),
      firecrawl.map(inside, payer),
      firecrawl.branding(inside, payer),
      firecrawl.extract({ urls: [page, inside], prompt: "", schema: {} }, payer),
      pagespeed.audit(inside, payer),
      pagespeed.audit(`https://long.example/${"a".repeat(2000)}`, payer),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({
        ok: false,
        reason: "refused",
        message: { ru: expect.stringContaining("https://example.ru") },
      });
    expect([...(await harness.calls("firecrawl")), ...(await harness.calls("pagespeed"))]).toEqual([]);
  });
});
