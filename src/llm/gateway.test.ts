import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import type { Ask, Part } from "./index.ts";
import {
  aGateway,
  aPolicy,
  aPrompt,
  type GatewayHarness,
  mini,
  providersAt,
  someFiles,
} from "./testing/harness.ts";

let database: TestDatabase;
let twins: TestTwins;
let harness: GatewayHarness;
let workspaceId: string;

beforeAll(async () => {
  database = await testDatabase();
  twins = await startTestTwins();
});
afterAll(async () => {
  await twins?.close();
  await database?.drop();
});
beforeEach(async () => {
  harness = aGateway(database.sql, twins.url);
  workspaceId = await aWorkspace(database.sql);
});
afterEach(async () => {
  await harness.close();
  await twins.control("POST", "/reset");
});

const ask = (given: Partial<Ask> = {}): Ask => ({
  workspaceId,
  policy: "plain",
  prompt: { name: "advice", values: { mode: "care" }, data: { question: "Чем кормить кота?" } },
  ...given,
});

interface Sent {
  readonly request: { model: string; messages: { role: string; content: unknown }[] } & Record<
    string,
    unknown
  >;
  readonly provider: string;
  readonly status: number | string;
}
const journal = async () => (await twins.control<{ entries: Sent[] }>("GET", "/journal")).entries;
const modelsAsked = async () => (await journal()).map(({ request }) => request.model);
const fault = (fault: object, match: object = {}) =>
  twins.control("POST", "/faults", { fault, times: 1, ...match });
const settled = () => harness.gateway.settled();
const requests = () =>
  settled().then(
    () => database.sql`
  select provider, model, purpose, outcome, http_status, estimated, prompt_tokens, completion_tokens, cost_usd::float8 as cost_usd
  from llm.requests where workspace_id = ${workspaceId} order by call_id, number`,
  );
const calls = () =>
  settled().then(
    () => database.sql`
  select status, code, policy, user_id, prompt_version, cost_usd::float8 as cost_usd, request_id
  from llm.calls where workspace_id = ${workspaceId} order by call_id`,
  );
const books = async () => {
  await settled();
  const [row] = await database.sql`
    select spent_usd::float8 as usd, spent_tokens as tokens, spent_calls as calls,
      reserved_usd::float8 as reserved_usd, reserved_tokens, reserved_calls
    from llm.spending where workspace_id = ${workspaceId} and scope = 'workspace' and period = 'day'`;
  return row;
};

describe("a question in plain text", () => {
  // covers llm: OpenRouter, OpenAI and any compatible server
  it("is answered by the policy's model, and the call is written down with what it used and cost", async () => {
    const answered = await harness.gateway.text(ask({ userId: "7" }));
    expect(answered).toMatchObject({
      ok: true,
      text: expect.stringContaining("Чем кормить кота?"),
      refused: false,
      meta: {
        policy: "plain",
        provider: "openrouter",
        model: "google/gemini-2.5-flash",
        requests: 1,
        fallbackUsed: false,
      },
    });
    const { usage } = answered.meta;
    expect(usage.costUsd).toBeCloseTo((usage.promptTokens * 0.3 + usage.completionTokens * 2.5) / 1e6, 8);
    expect(await calls()).toMatchObject([
      { status: "ok", code: null, policy: "plain", user_id: "7", prompt_version: 1, cost_usd: usage.costUsd },
    ]);
    expect(await requests()).toMatchObject([
      { outcome: "ok", http_status: 200, estimated: false, prompt_tokens: usage.promptTokens },
    ]);
    expect(await books()).toMatchObject({
      usd: usage.costUsd,
      calls: 1,
      reserved_usd: 0,
      reserved_tokens: 0,
      reserved_calls: 0,
    });
  });

  it("carries the policy's temperature and limit, and the provider's own options", async () => {
    const options = { provider: { sort: "price", require_parameters: true } };
    const own = aGateway(database.sql, twins.url, {
      files: someFiles({ policies: [aPolicy({ temperature: 0.7, max_tokens: 123, options })] }),
    });
    await own.gateway.text(ask());
    const [sent] = await journal();
    expect(sent?.request).toMatchObject({ temperature: 0.7, max_tokens: 123, ...options });
    await own.close();
  });

  // covers llm: OpenRouter, OpenAI and any compatible server
  it("goes to OpenAI with the names that its models take, and its cost comes from the price", async () => {
    const policies = [aPolicy({ provider: "openai", model: "gpt-5.2", temperature: null })];
    const prices = [{ provider: "openai" as const, model: "gpt-5.2", prompt_usd: 2, completion_usd: 10 }];
    const own = aGateway(database.sql, twins.url, { files: someFiles({ policies, prices }) });
    const { ok, meta } = await own.gateway.text(ask());
    expect(ok).toBe(true);
    expect(meta.usage.costUsd).toBeCloseTo(
      (meta.usage.promptTokens * 2 + meta.usage.completionTokens * 10) / 1e6,
      9,
    );
    expect((await journal())[0]?.request).toMatchObject({ max_completion_tokens: 400 });
    await own.close();
  });

  // covers llm: OpenRouter, OpenAI and any compatible server
  it("goes to any compatible server, with a key or without", async () => {
    const { openai } = providersAt(twins.url);
    const files = someFiles({
      policies: [aPolicy({ provider: "compatible", model: "gpt-4o-mini" })],
      prices: [],
    });
    const own = aGateway(database.sql, twins.url, { files, providers: openai ? { compatible: openai } : {} });
    expect(await own.gateway.text(ask())).toMatchObject({
      ok: true,
      meta: { provider: "compatible", usage: { costUsd: null } },
    });
    await own.close();
    const local = await aKeylessServer();
    const keyless = aGateway(database.sql, twins.url, {
      files,
      providers: { compatible: { baseUrl: local.url } },
    });
    expect(await keyless.gateway.text(ask())).toMatchObject({ ok: true, text: "Отвечаю без ключа." });
    expect(local.keys).toEqual([undefined]);
    await keyless.close();
    await local.close();
  });

  it("says that it was cut by the policy's limit", async () => {
    const own = aGateway(database.sql, twins.url, {
      files: someFiles({ policies: [aPolicy({ max_tokens: 5 })] }),
    });
    expect(await own.gateway.text(ask())).toMatchObject({ ok: true, truncated: true });
    await own.close();
  });

  it("that the model declines is answered with its words", async () => {
    await fault({ kind: "answer", flaw: "refusal" });
    expect(await harness.gateway.text(ask())).toMatchObject({
      ok: true,
      refused: true,
      text: expect.stringContaining("не могу"),
    });
  });

  it("that gets no word is asked once more, then of the fallback", async () => {
    await fault({ kind: "answer", flaw: "empty" });
    expect(await harness.gateway.text(ask())).toMatchObject({ ok: true, meta: { requests: 2 } });
    await fault({ kind: "answer", flaw: "no_choice" }, { times: 2 });
    const answered = await harness.gateway.text(ask({ policy: "with_fallback" }));
    expect(answered).toMatchObject({
      ok: true,
      meta: { requests: 3, fallbackUsed: true, model: mini.model },
    });
    await fault({ kind: "answer", flaw: "empty" }, { times: 2 });
    expect(await harness.gateway.text(ask())).toMatchObject({ ok: false, error: { code: "empty_answer" } });
  });

  it("keeps what was said before, in its order", async () => {
    const turns = [
      { role: "user", text: "Привет" },
      { role: "assistant", text: "Здравствуйте" },
    ] as const;
    await harness.gateway.text(ask({ turns, parts: [{ type: "text", text: "И ещё" }] }));
    const [sent] = await journal();
    expect(sent?.request.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(JSON.stringify(sent?.request.messages.at(-1))).toContain("И ещё");
  });
});

describe("images and sounds", () => {
  const png: Part = { type: "image", bytes: pngOf(320, 200), mediaType: "image/png" };
  const wav: Part = { type: "audio", bytes: wavOf(2), mediaType: "audio/wav" };

  // covers llm: Images and sounds in
  it("reach a model that sees and hears", async () => {
    const answered = await harness.gateway.text(ask({ parts: [png, wav] }));
    expect(answered).toMatchObject({
      ok: true,
      text: expect.stringMatching(/320×200 \(PNG\)[\s\S]*запись 2 с/),
    });
  });

  // covers llm: Images and sounds in
  it("reach OpenAI's models in its own form", async () => {
    const files = someFiles({ policies: [aPolicy({ provider: "openai", model: "gpt-4o-audio-preview" })] });
    const own = aGateway(database.sql, twins.url, { files });
    expect(await own.gateway.text(ask({ parts: [wav] }))).toMatchObject({
      ok: true,
      text: expect.stringContaining("запись 2 с"),
    });
    await own.close();
  });

  // covers llm: Images and sounds in
  it("that the model cannot take go to the fallback that can, else they are refused as input", async () => {
    const deepseek = { provider: "openrouter", model: "deepseek/deepseek-v3.2" } as const;
    const files = someFiles({
      policies: [aPolicy({ ...deepseek }), aPolicy({ key: "second", ...deepseek, fallbacks: [mini] })],
    });
    const own = aGateway(database.sql, twins.url, { files });
    expect(await own.gateway.text(ask({ policy: "second", parts: [png] }))).toMatchObject({
      ok: true,
      meta: { model: mini.model },
    });
    expect(await own.gateway.text(ask({ parts: [png] }))).toMatchObject({
      ok: false,
      error: { code: "unavailable" },
    });
    expect(
      await own.gateway.text(
        ask({ policy: "second", parts: [{ type: "audio", bytes: wavOf(1), mediaType: "audio/weird" }] }),
      ),
    ).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    await own.close();
  });
});

describe("an answer of a shape", () => {
  const schema = z.object({
    answer_text: z.string().min(10),
    safety_level: z.enum(["low", "medium", "high"]),
    recommended_actions: z.array(z.string()).min(1).max(5),
    followup_question: z.string().nullable(),
  });
  const shaped = (given: Partial<Ask> = {}) => ({ ...ask(given), schema, schemaName: "advice" });

  // covers llm: Structured answers with one repair and then the fallback model
  it("comes back typed", async () => {
    const answered = await harness.gateway.object(shaped());
    expect(answered).toMatchObject({
      ok: true,
      object: { safety_level: "low" },
      meta: { requests: 1, repaired: false },
    });
    if (answered.ok) expect(schema.parse(answered.object)).toEqual(answered.object);
    const [sent] = await journal();
    expect(sent?.request).toMatchObject({
      response_format: { type: "json_schema", json_schema: { name: "advice", strict: true } },
    });
  });

  it("comes back typed from OpenAI too", async () => {
    const own = aGateway(database.sql, twins.url, {
      files: someFiles({ policies: [aPolicy({ provider: "openai", model: "gpt-4o-mini" })] }),
    });
    expect(await own.gateway.object(shaped())).toMatchObject({ ok: true });
    await own.close();
  });

  it("is found among prose and fences without another request", async () => {
    await fault({ kind: "answer", flaw: "fenced" });
    expect(await harness.gateway.object(shaped())).toMatchObject({ ok: true, meta: { requests: 1 } });
  });

  // covers seo: F35
  it("with a bracket or a key's quotes missing is healed by OpenRouter when the policy says so, streams and others are not", async () => {
    const policies = [
      aPolicy({ options: { response_healing: true } }),
      aPolicy({
        key: "elsewhere",
        provider: "openai",
        model: "gpt-4o-mini",
        options: { response_healing: true },
      }),
    ];
    const own = aGateway(database.sql, twins.url, { files: someFiles({ policies }) });
    await fault({ kind: "answer", flaw: "broken" });
    expect(await own.gateway.object(shaped())).toMatchObject({
      ok: true,
      meta: { requests: 1, repaired: false },
    });
    await own.gateway.object(shaped({ policy: "elsewhere" }));
    await own.gateway.text(ask());
    const sent = await journal();
    expect(sent.map(({ request }) => request.plugins)).toEqual([
      [{ id: "response-healing" }],
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(sent)).not.toContain("response_healing");
    await fault({ kind: "answer", flaw: "broken" });
    expect(await harness.gateway.object(shaped({ policy: "with_fallback" }))).toMatchObject({
      ok: true,
      meta: { requests: 2, repaired: true },
    });
    await own.close();
  });

  it("of Anthropic's models marks the system part for their cache, which others do by themselves", async () => {
    const claude = { provider: "openrouter", model: "anthropic/claude-sonnet-4.5" } as const;
    const own = aGateway(database.sql, twins.url, {
      files: someFiles({ policies: [aPolicy(claude), aPolicy({ key: "other" })] }),
    });
    await own.gateway.object(shaped());
    await own.gateway.object(shaped({ policy: "other" }));
    const systems = (await journal()).map(({ request }) => JSON.stringify(request.messages[0]));
    expect(systems[0]).toContain('"cache_control":{"type":"ephemeral"}');
    expect(systems[1]).not.toContain("cache_control");
    await own.close();
  });

  // covers llm: Structured answers with one repair and then the fallback model
  it.each(["invalid", "truncated"] as const)("that is %s is mended once by the same model", async (flaw) => {
    await fault({ kind: "answer", flaw });
    const answered = await harness.gateway.object(shaped({ policy: "with_fallback" }));
    expect(answered).toMatchObject({ ok: true, meta: { requests: 2, repaired: true, fallbackUsed: false } });
    const mending = (await journal())[1]?.request.messages ?? [];
    expect(mending.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(String(mending.at(-1)?.content)).toContain("Ошибки:");
    expect(await requests()).toMatchObject([
      { purpose: "answer", outcome: "invalid_answer" },
      { purpose: "repair", outcome: "ok" },
    ]);
  });

  // covers llm: Structured answers with one repair and then the fallback model
  // covers seo: F35
  it("that cannot be mended is asked of the fallback model", async () => {
    await fault({ kind: "answer", flaw: "invalid" }, { times: 2 });
    const answered = await harness.gateway.object(shaped({ policy: "with_fallback" }));
    expect(answered).toMatchObject({
      ok: true,
      meta: { requests: 3, fallbackUsed: true, model: mini.model },
    });
  });

  // covers llm: Structured answers with one repair and then the fallback model
  it("that no model gives is an error, and every request is paid for in the books", async () => {
    await fault({ kind: "answer", flaw: "invalid" }, { times: 4 });
    const answered = await harness.gateway.object(shaped({ policy: "with_fallback" }));
    expect(answered).toMatchObject({ ok: false, error: { code: "invalid_answer" }, meta: { requests: 4 } });
    expect(await books()).toMatchObject({
      usd: expect.closeTo(answered.meta.usage.costUsd ?? 0, 9),
      reserved_usd: 0,
    });
    expect(await calls()).toMatchObject([{ status: "failed", code: "invalid_answer" }]);
  });

  // covers llm: Structured answers with one repair and then the fallback model
  it("that the model declines goes to the fallback, then it is a refusal", async () => {
    await fault({ kind: "answer", flaw: "refusal" }, { times: 2 });
    expect(await harness.gateway.object(shaped({ policy: "with_fallback" }))).toMatchObject({
      ok: false,
      error: { code: "refused" },
    });
    expect(await modelsAsked()).toEqual(["google/gemini-2.5-flash", mini.model]);
  });

  it("with a field that may be missing is a mistake of the code that asks", async () => {
    const loose = z.object({ a: z.object({ b: z.string().optional() }) });
    await expect(harness.gateway.object({ ...ask(), schema: loose, schemaName: "loose" })).rejects.toThrow(
      "a.b is optional",
    );
  });
});

describe("what a provider does wrong", () => {
  // covers llm: Retries by error class, Retry-After
  it("429 with a short wait is waited out exactly, then the same model answers", async () => {
    await fault({ kind: "status", status: 429, retryAfter: 3 });
    expect(await harness.gateway.text(ask({ policy: "with_fallback" }))).toMatchObject({
      ok: true,
      meta: { requests: 2, fallbackUsed: false },
    });
    expect(harness.waits).toEqual([3_000]);
  });

  // covers llm: Retries by error class, Retry-After
  // covers seo: F29
  // covers seo: E12
  it("429 with a long wait goes to the fallback, and the model is left alone until then", async () => {
    await fault({ kind: "status", status: 429, retryAfter: 120 });
    expect(await harness.gateway.text(ask({ policy: "with_fallback" }))).toMatchObject({
      ok: true,
      meta: { fallbackUsed: true },
    });
    expect(harness.waits).toEqual([]);
    await harness.gateway.text(ask({ policy: "with_fallback" }));
    expect(await modelsAsked()).toEqual(["google/gemini-2.5-flash", mini.model, mini.model]);
    expect(await harness.gateway.text(ask())).toMatchObject({
      ok: false,
      error: { code: "unavailable", retryAfterMs: 120_000 },
    });
    harness.clock.advance(120_001);
    expect(await harness.gateway.text(ask())).toMatchObject({ ok: true });
  });

  it("429 without a fallback tells the caller how long to wait", async () => {
    await fault({ kind: "status", status: 429, retryAfter: 60 });
    expect(await harness.gateway.text(ask())).toMatchObject({
      ok: false,
      error: { code: "rate_limited", retryAfterMs: 60_000 },
    });
    expect(await calls()).toMatchObject([{ status: "failed", code: "rate_limited", cost_usd: 0 }]);
  });

  // covers llm: Retries by error class, Retry-After
  it.each([500, 502, 503, 529])(
    "%i is tried again after a pause, then the fallback is asked",
    async (status) => {
      await fault({ kind: "status", status });
      expect(await harness.gateway.text(ask({ policy: "with_fallback" }))).toMatchObject({
        ok: true,
        meta: { requests: 2, fallbackUsed: false },
      });
      expect(harness.waits).toEqual([500]);
      await fault({ kind: "status", status }, { times: 2 });
      expect(await harness.gateway.text(ask({ policy: "with_fallback" }))).toMatchObject({
        ok: true,
        meta: { requests: 3, fallbackUsed: true },
      });
    },
  );

  // covers llm: Retries by error class, Retry-After
  it.each([
    [402, "no_credits"],
    [401, "not_configured"],
  ])(
    "%i makes the provider useless for this call: another provider is asked, its own models are not",
    async (status, code) => {
      await fault({ kind: "status", status }, { provider: "openrouter", times: 2 });
      expect(await harness.gateway.text(ask({ policy: "with_fallback" }))).toMatchObject({
        ok: false,
        error: { code, provider: "openrouter" },
        meta: { requests: 1 },
      });
      expect(await harness.gateway.text(ask({ policy: "other_provider" }))).toMatchObject({
        ok: true,
        meta: { provider: "openai", fallbackUsed: true },
      });
    },
  );

  // covers llm: Retries by error class, Retry-After
  it.each([
    [400, "invalid_input"],
    [403, "refused"],
    [404, "unavailable"],
    [413, "invalid_input"],
  ])("%i is not tried again as it is, but another model may take it", async (status, code) => {
    await fault({ kind: "status", status });
    expect(await harness.gateway.text(ask())).toMatchObject({
      ok: false,
      error: { code },
      meta: { requests: 1 },
    });
    await fault({ kind: "status", status });
    expect(await harness.gateway.text(ask({ policy: "with_fallback" }))).toMatchObject({
      ok: true,
      meta: { requests: 2, fallbackUsed: true },
    });
  });

  // covers llm: Retries by error class, Retry-After
  it("a model that does not answer in the policy's time is a timeout, and its cost is counted as estimated", async () => {
    const own = aGateway(database.sql, twins.url, {
      files: someFiles({ policies: [aPolicy({ timeout_ms: 300 })] }),
    });
    await fault({ kind: "hang" });
    const answered = await own.gateway.text(ask());
    expect(answered).toMatchObject({ ok: false, error: { code: "timeout" }, meta: { requests: 1 } });
    expect(await requests()).toMatchObject([{ outcome: "timeout", estimated: true, completion_tokens: 400 }]);
    expect(await books()).toMatchObject({
      usd: expect.closeTo(answered.meta.usage.costUsd ?? 0, 9),
      reserved_usd: 0,
    });
    await own.close();
  });

  it.each([
    ["a connection that dies before the work", { kind: "drop_before" }],
    ["a connection that dies after the work", { kind: "drop_after" }],
    ["an answer that is not JSON", { kind: "malformed" }],
    ["a failure with status 200", { kind: "answer", flaw: "error" }],
    ["an answer that breaks off", { kind: "answer", flaw: "cut" }],
  ])("%s is tried again", async (_, kind) => {
    await fault(kind);
    expect(await harness.gateway.text(ask())).toMatchObject({ ok: true, meta: { requests: 2 } });
  });

  it("a provider that is not there is unavailable, and costs nothing", async () => {
    const providers = { openrouter: { baseUrl: "http://127.0.0.1:9/api/v1", apiKey: "sk-or-v1-nobody" } };
    const own = aGateway(database.sql, twins.url, { providers });
    expect(await own.gateway.text(ask())).toMatchObject({
      ok: false,
      error: { code: "unavailable" },
      meta: { usage: { costUsd: 0 } },
    });
    await own.close();
  });

  it("a provider that is not configured says so, and one that is answers in its place", async () => {
    const { openai } = providersAt(twins.url);
    const own = aGateway(database.sql, twins.url, { providers: openai ? { openai } : {} });
    expect(await own.gateway.text(ask())).toMatchObject({
      ok: false,
      error: { code: "not_configured", message: expect.stringContaining("openrouter") },
    });
    expect(await own.gateway.text(ask({ policy: "other_provider" }))).toMatchObject({
      ok: true,
      meta: { provider: "openai" },
    });
    await own.close();
  });

  // covers llm: Retries by error class, Retry-After
  it("a question that is called off stops at once and asks nobody else", async () => {
    const leaving = new AbortController();
    await fault({ kind: "hang" });
    const answered = harness.gateway.text(ask({ policy: "with_fallback", signal: leaving.signal }));
    await expect.poll(async () => (await journal()).length).toBe(1);
    leaving.abort();
    expect(await answered).toMatchObject({ ok: false, error: { code: "aborted" }, meta: { requests: 1 } });
    expect(await calls()).toMatchObject([{ status: "failed", code: "aborted" }]);
  });
});

describe("a circuit", () => {
  // covers llm: Circuit breaker per provider
  it("opens after five failures in a row, lets one through after its rest, and closes when that works", async () => {
    await fault({ kind: "status", status: 500 }, { times: 6 });
    for (let turn = 0; turn < 2; turn += 1)
      expect(await harness.gateway.text(ask())).toMatchObject({ error: { code: "unavailable" } });
    // Whoever hears of it first is told as well when to ask again.
    expect(await harness.gateway.text(ask())).toMatchObject({
      error: { code: "unavailable", retryAfterMs: expect.any(Number) },
    });
    const asked = (await journal()).length;
    expect(harness.gateway.providers()[0]).toMatchObject({ provider: "openrouter", circuit: "open" });
    expect(await harness.gateway.text(ask())).toMatchObject({
      ok: false,
      error: { code: "unavailable", retryAfterMs: expect.any(Number) },
      meta: { requests: 0 },
    });
    expect((await journal()).length).toBe(asked);
    harness.clock.advance(300_000);
    expect(harness.gateway.providers()[0]).toMatchObject({ circuit: "half_open" });
    expect(await harness.gateway.text(ask())).toMatchObject({ ok: true });
    expect(harness.gateway.providers()[0]).toMatchObject({ circuit: "closed", failures: 0 });
  });

  // covers llm: Circuit breaker per provider
  it("of one provider leaves the other alone", async () => {
    await fault({ kind: "status", status: 500 }, { provider: "openrouter", times: 6 });
    for (let turn = 0; turn < 3; turn += 1)
      expect(await harness.gateway.text(ask({ policy: "other_provider" }))).toMatchObject({
        ok: true,
        meta: { provider: "openai" },
      });
    await harness.gateway.text(ask({ policy: "other_provider" }));
    expect((await journal()).at(-1)).toMatchObject({ provider: "openai" });
    expect(harness.gateway.providers()).toMatchObject([
      { circuit: "open" },
      { provider: "openai", circuit: "closed" },
      { configured: false },
    ]);
  });
});

describe("a stream", () => {
  const read = async (words: AsyncIterable<string>) => {
    const seen: string[] = [];
    for await (const each of words) seen.push(each);
    return seen;
  };

  // covers llm: Streaming
  it.each(["plain", "openai"])(
    "brings the words one after another and what they cost in the end (%s)",
    async (policy) => {
      const policies = [aPolicy(), aPolicy({ key: "openai", provider: "openai", model: "gpt-4o-mini" })];
      const own = aGateway(database.sql, twins.url, { files: someFiles({ policies }) });
      const { words, answered } = own.gateway.stream(ask({ policy }));
      const seen = await read(words);
      expect(seen.length).toBeGreaterThan(5);
      expect(await answered).toMatchObject({
        ok: true,
        text: seen.join(""),
        meta: { usage: { costUsd: expect.any(Number) } },
      });
      await own.close();
      expect(await requests()).toMatchObject([{ outcome: "ok", estimated: false }]);
    },
  );

  // covers llm: Streaming
  it("that fails before its first word is tried again and goes to the fallback", async () => {
    await fault({ kind: "status", status: 503 }, { times: 2 });
    const { words, answered } = harness.gateway.stream(ask({ policy: "with_fallback" }));
    expect((await read(words)).join("")).toContain("кота");
    expect(await answered).toMatchObject({ ok: true, meta: { fallbackUsed: true, requests: 3 } });
  });

  // covers llm: Streaming
  it.each(["cut", "error"] as const)(
    "that is %s in its middle ends as a failure, and nobody else goes on with it",
    async (flaw) => {
      await fault({ kind: "answer", flaw });
      const { words, answered } = harness.gateway.stream(ask({ policy: "with_fallback" }));
      expect((await read(words)).length).toBeGreaterThan(0);
      expect(await answered).toMatchObject({
        ok: false,
        error: { code: "unavailable" },
        meta: { requests: 1 },
      });
      expect(await requests()).toMatchObject([{ estimated: true }]);
      expect(await books()).toMatchObject({ reserved_tokens: 0, reserved_calls: 0 });
    },
  );

  it("of a refusal has no words, and the refusal is the answer", async () => {
    await fault({ kind: "answer", flaw: "refusal" });
    const { words, answered } = harness.gateway.stream(ask());
    expect(await read(words)).toEqual([]);
    expect(await answered).toMatchObject({ ok: true, refused: true });
  });

  // covers llm: Streaming
  it("that nobody reads to its end is called off", async () => {
    const { words, answered } = harness.gateway.stream(ask());
    for await (const _ of words) break;
    expect(await answered).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(await books()).toMatchObject({ reserved_tokens: 0 });
  });

  it("of a policy that does not exist ends at once", async () => {
    const { words, answered } = harness.gateway.stream(ask({ policy: "nowhere" }));
    expect(await read(words)).toEqual([]);
    expect(await answered).toMatchObject({ ok: false, error: { code: "policy_missing" } });
  });
});

describe("policies and prompts", () => {
  // covers llm: Policies in a table, switched without a deploy
  it("decide without a restart: the next question goes to the new model, by the new prompt, or is refused", async () => {
    await harness.gateway.text(ask());
    await database.sql`update llm.llm_policies set model = ${mini.model} where workspace_id = ${workspaceId} and key = 'plain'`;
    expect(await harness.gateway.text(ask())).toMatchObject({
      ok: true,
      meta: { model: mini.model, promptVersion: 1 },
    });
    const body = aPrompt.body.replace("Отвечай", "Отвечай кратко и");
    await database.sql`select llm.save_prompt(${workspaceId}, 'advice', ${body}, 'operator', true)`;
    expect(await harness.gateway.text(ask())).toMatchObject({ meta: { promptVersion: 2 } });
    expect(JSON.stringify((await journal()).at(-1)?.request.messages[0])).toContain("кратко");
    await database.sql`update llm.llm_policies set enabled = false where workspace_id = ${workspaceId} and key = 'plain'`;
    expect(await harness.gateway.text(ask())).toMatchObject({
      ok: false,
      error: { code: "policy_disabled" },
    });
  });

  it("that do not exist are named", async () => {
    expect(await harness.gateway.text(ask({ policy: "nowhere" }))).toMatchObject({
      ok: false,
      error: { code: "policy_missing" },
    });
    expect(await harness.gateway.text(ask({ prompt: { name: "nothing" } }))).toMatchObject({
      ok: false,
      error: { code: "prompt_missing" },
    });
  });

  it("of one workspace are not those of another", async () => {
    await harness.gateway.ensure(workspaceId);
    const other = await aWorkspace(database.sql);
    await harness.gateway.ensure(other);
    await database.sql`update llm.llm_policies set enabled = false where workspace_id = ${other}`;
    expect(await harness.gateway.text(ask())).toMatchObject({ ok: true });
    expect(await harness.gateway.text(ask({ workspaceId: other }))).toMatchObject({ ok: false });
  });
});

describe("the same request", () => {
  // covers llm: The same request is asked once
  it("is asked once, however many ask at the same time", async () => {
    const many = await Promise.all(
      Array.from({ length: 8 }, () => harness.gateway.text(ask({ requestId: "r-1" }))),
    );
    expect(many.filter(({ ok }) => ok)).toHaveLength(1);
    const codes = many.flatMap((each) => (each.ok ? [] : [each.error.code]));
    expect(codes.every((code) => code === "in_progress" || code === "already_answered")).toBe(true);
    expect(await journal()).toHaveLength(1);
    await harness.gateway.settled();
    expect(await harness.gateway.text(ask({ requestId: "r-1" }))).toMatchObject({
      ok: false,
      error: { code: "already_answered" },
    });
  });

  it("may be asked again when it failed", async () => {
    await fault({ kind: "status", status: 402 });
    expect(await harness.gateway.text(ask({ requestId: "r-2" }))).toMatchObject({ ok: false });
    expect(await harness.gateway.text(ask({ requestId: "r-2" }))).toMatchObject({ ok: true });
  });
});

describe("keys", () => {
  // covers llm: Keys nowhere but in the request
  it("that a provider quotes are in no error and in no row", async () => {
    const key = "sk-or-v1-0123456789abcdefsecret";
    await twins.control("POST", "/openrouter/keys", { key });
    const own = aGateway(database.sql, twins.url, { providers: providersAt(twins.url, { openrouter: key }) });
    await fault({ kind: "status", status: 400, description: `bad key ${key}, Authorization: Bearer ${key}` });
    const answered = await own.gateway.text(ask());
    expect(JSON.stringify(answered)).not.toContain(key);
    expect(answered).toMatchObject({ ok: false, error: { message: expect.stringContaining("[key]") } });
    const rows = await database.sql`select error from llm.requests where workspace_id = ${workspaceId}`;
    expect(JSON.stringify(rows)).not.toContain(key);
    await own.close();
  });
});

function pngOf(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(64);
  head.write("\x89PNG\r\n\x1a\n", "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return new Uint8Array(head);
}

function wavOf(seconds: number): Uint8Array {
  const bytes = Buffer.alloc(44 + seconds * 8_000);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(8_000, 28);
  return new Uint8Array(bytes);
}

/** A model server of one's own, as Ollama or llama.cpp run one: it wants no key. `keys` are those that came all the same. */
async function aKeylessServer() {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        ...{ id: "local-1", object: "chat.completion", created: 1, model: "gpt-4o-mini" },
        choices: [
          { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Отвечаю без ключа." } },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    keys,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
