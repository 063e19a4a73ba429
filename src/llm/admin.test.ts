import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import { startTestHttpServer, type TestHttpServer } from "../http/testing/http-server.ts";
import { llmRoutes } from "./index.ts";
import { allowedOptions } from "./policies/options.ts";
import { aGateway, type GatewayHarness, mini } from "./testing/harness.ts";

let database: TestDatabase;
let twins: TestTwins;
let harness: GatewayHarness;
let server: TestHttpServer;
let workspaceId: string;
let headers: { authorization: string };

beforeAll(async () => {
  database = await testDatabase();
  await database.sql`select workspaces.ensure_event_partitions(p_now => '2026-11-15T12:00:00Z')`;
  twins = await startTestTwins();
  harness = aGateway(database.sql, twins.url);
  const { sql } = database;
  const { clock, gateway } = harness;
  server = await startTestHttpServer({
    sql,
    clock,
    modules: [llmRoutes({ sql, clock, gateway })],
  });
});
afterAll(async () => {
  await server?.stop();
  await harness?.close();
  await twins?.close();
  await database?.drop();
});
beforeEach(async () => {
  workspaceId = await aWorkspace(database.sql);
  headers = await server.bearer(["read", "write", "operate", "admin"], workspaceId);
  await harness.gateway.ensure(workspaceId);
});

async function call(method: string, path: string, body?: unknown) {
  // Each event gets a time of its own.
  harness.clock.advance(1);
  const answer = await server.call(`/api/v1/llm${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : undefined };
}
const events = () => database.sql`
  select action, meta from workspaces.events where workspace_id = ${workspaceId} order by ts, id`;
/** Asks, and waits until the call is settled. */
async function ask(policy = "plain", userId?: string) {
  const answer = await harness.gateway.text({
    ...{
      workspaceId,
      policy,
      prompt: { name: "advice", values: { mode: "care" }, data: { question: "Что?" } },
    },
    ...(userId && { userId }),
  });
  await harness.gateway.settled();
  return answer;
}

describe("policies", () => {
  // covers llm: Policies in a table, switched without a deploy
  it("are listed, changed from the next call on, and the change stands in the audit trail", async () => {
    const listed = await call("GET", "/policies");
    expect(listed.body.items.map(({ key }: { key: string }) => key)).toEqual([
      "other_provider",
      "plain",
      "with_fallback",
    ]);
    const changed = await call("PATCH", "/policies/plain", {
      model: mini.model,
      temperature: null,
      reason: "дешевле",
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { key: "plain", model: mini.model, temperature: null },
    });
    expect(await ask()).toMatchObject({ ok: true, meta: { model: mini.model } });
    expect(await events()).toMatchObject([
      {
        action: "config_changed",
        meta: {
          object: "llm_policy",
          key: "plain",
          reason: "дешевле",
          changes: {
            model: { from: "google/gemini-2.5-flash", to: mini.model },
            temperature: { from: 0.2, to: null },
          },
        },
      },
    ]);
  });

  it("are switched off and on again", async () => {
    await call("PATCH", "/policies/plain", { enabled: false });
    expect(await ask()).toMatchObject({ ok: false, error: { code: "policy_disabled" } });
    await call("PATCH", "/policies/plain", { enabled: true });
    expect(await ask()).toMatchObject({ ok: true });
  });

  it("that change nothing leave no event", async () => {
    expect((await call("PATCH", "/policies/plain", { enabled: true })).status).toBe(200);
    expect(await events()).toEqual([]);
  });

  it("are added and deleted", async () => {
    const policy = {
      key: "mine",
      provider: "openai",
      model: "gpt-4o-mini",
      max_tokens: 100,
      timeout_ms: 5_000,
    };
    expect(await call("POST", "/policies", policy)).toMatchObject({
      status: 201,
      body: { fallbacks: [], temperature: null, enabled: true },
    });
    expect(await call("POST", "/policies", policy)).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: "/key" }] },
    });
    expect(await ask("mine")).toMatchObject({ ok: true, meta: { provider: "openai" } });
    expect((await call("DELETE", "/policies/mine")).status).toBe(204);
    expect((await call("GET", "/policies/mine")).status).toBe(404);
    expect((await call("DELETE", "/policies/mine")).status).toBe(404);
    expect(await events()).toMatchObject([
      { meta: { object: "llm_policy", created: true } },
      { meta: { deleted: true } },
    ]);
  });

  it.each([
    ["an unknown provider", { provider: "acme" }, "/provider"],
    ["a fallback without a model", { fallbacks: [{ provider: "openai" }] }, "/fallbacks/0/model"],
    ["a temperature beyond the scale", { temperature: 2.5 }, "/temperature"],
    ["no tokens at all", { max_tokens: 0 }, "/max_tokens"],
    ["a field that the gateway fills itself", { options: { messages: [] } }, "/options/messages"],
    ["several answers for one", { options: { n: 5 } }, "/options/n"],
    ["other models than the books know", { options: { models: ["openai/gpt-5.2"] } }, "/options/models"],
    [
      "anything else that is not known to be harmless",
      { options: { plugins: [{ id: "web" }] } },
      "/options/plugins",
    ],
    [
      "a way of routing that OpenRouter does not know",
      { options: { provider: { sort: "best" } } },
      "/options/provider/sort",
    ],
    [
      "a price that is none",
      { options: { provider: { max_price: { prompt: -1 } } } },
      "/options/provider/max_price/prompt",
    ],
    [
      "healing that is neither on nor off",
      { options: { response_healing: "yes" } },
      "/options/response_healing",
    ],
    ["an unknown field", { modell: "x" }, "/modell"],
    ["nothing", { reason: "просто так" }, ""],
  ])("refuse %s and name it", async (_, change, pointer) => {
    expect(await call("PATCH", "/policies/plain", change)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });

  it("that two people change at once keep both changes", async () => {
    await Promise.all([
      call("PATCH", "/policies/plain", { max_tokens: 111 }),
      call("PATCH", "/policies/plain", { timeout_ms: 22_222 }),
    ]);
    expect((await call("GET", "/policies/plain")).body).toMatchObject({
      max_tokens: 111,
      timeout_ms: 22_222,
    });
  });

  it("are tried out, and what is wrong is said", async () => {
    const prompt = "Отвечай.\n=== user ===\n{{ text }}";
    await call("POST", "/prompts", { name: "try-out", body: prompt, activate: true });
    expect(await call("POST", "/policies/plain/try", { text: "Проверка" })).toMatchObject({
      status: 200,
      body: {
        ok: true,
        text: expect.stringContaining("Проверка"),
        model: "google/gemini-2.5-flash",
        error: null,
      },
    });
    await twins.control("POST", "/faults", { fault: { kind: "status", status: 402 }, times: 1 });
    expect(await call("POST", "/policies/plain/try", {})).toMatchObject({
      status: 200,
      body: { ok: false, error: { code: "no_credits" } },
    });
    expect((await call("POST", "/policies/nowhere/try", {})).status).toBe(404);
  });
});

describe("prices", () => {
  it("are listed and set", async () => {
    const price = { provider: "openai", model: "new", prompt_usd: 1, completion_usd: 2.5 };
    expect(await call("PUT", "/prices", price)).toMatchObject({ status: 200, body: price });
    expect((await call("GET", "/prices")).body.items).toContainEqual(expect.objectContaining(price));
    expect(await events()).toMatchObject([{ meta: { object: "llm_price", model: "new" } }]);
    expect((await call("PUT", "/prices", { ...price, prompt_usd: -1 })).status).toBe(400);
  });
});

describe("prompts", () => {
  const body = "---\nvalues:\n  mode: [care, emergency]\n---\nНовые слова.\n=== user ===\n{{ question }}";

  // covers llm: Prompts as versioned files
  it("get versions, of which one is active and may be gone back to", async () => {
    expect(await call("POST", "/prompts", { name: "advice", body })).toMatchObject({
      status: 201,
      body: { version: 2, active: false, source: "operator" },
    });
    expect(await ask()).toMatchObject({ meta: { promptVersion: 1 } });
    expect((await call("POST", "/prompts/advice/activate", { version: 2 })).body).toMatchObject({
      version: 2,
      active: true,
    });
    expect(await ask()).toMatchObject({ meta: { promptVersion: 2 } });
    await call("POST", "/prompts/advice/activate", { version: 1 });
    expect(await ask()).toMatchObject({ meta: { promptVersion: 1 } });
    const { items } = (await call("GET", "/prompts/advice")).body;
    expect(items).toMatchObject([
      { version: 2, active: false },
      { version: 1, active: true, source: "file" },
    ]);
    expect(await events()).toMatchObject([
      { meta: { object: "llm_prompt", version: 2, created: true } },
      { meta: { version: 2, activated: true } },
      { meta: { version: 1, activated: true } },
    ]);
    expect((await call("POST", "/prompts/advice/activate", { version: 9 })).status).toBe(404);
    expect((await call("GET", "/prompts/nothing")).status).toBe(404);
  });

  it("that cannot be used are refused with the reason", async () => {
    const refused = (bad: string) => call("POST", "/prompts", { name: "bad", body: bad });
    expect(await refused("{% if %}")).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("line 1"), errors: [{ pointer: "/body" }] },
    });
    expect(await refused("---\nvalues: 5\n---\nТекст")).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("the head") },
    });
    expect(await refused("=== user ===\n{{ a }}")).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("system part is empty") },
    });
  });
});

describe("caps and prices", () => {
  it("are changed by admins only: whoever writes policies does not decide what they may cost", async () => {
    headers = await server.bearer(["read", "write", "operate", "payload"], workspaceId);
    const price = { provider: "openai", model: "gpt-4o-mini", prompt_usd: 0, completion_usd: 0 };
    const refused = { status: 403, body: { code: "scope_missing" } };
    expect(await call("PUT", "/budgets/workspace/*/month/usd", { cap: 1e6 })).toMatchObject(refused);
    expect(await call("DELETE", "/budgets/workspace/*/month/usd")).toMatchObject(refused);
    expect(await call("PUT", "/prices", price)).toMatchObject(refused);
    expect(await call("PATCH", "/policies/plain", { options: { seed: 1 } })).toMatchObject(refused);
    expect((await call("GET", "/budgets")).status).toBe(200);
    expect(await events()).toEqual([]);
    headers = await server.bearer(["read", "write", "admin"], workspaceId);
    const options = { provider: { sort: "price", data_collection: "deny", max_price: { prompt: 5 } } };
    expect(await call("PATCH", "/policies/plain", { options })).toMatchObject({
      status: 200,
      body: { options },
    });
  });
});

describe("the options of a policy", () => {
  it("are the same few in the table, whoever writes there", async () => {
    const write = (name: string) => database.sql`
      update llm.llm_policies set options = ${database.sql.json({ [name]: 1 })}
      where workspace_id = ${workspaceId} and key = 'plain'`;
    for (const name of allowedOptions) expect((await write(name)).count).toBe(1);
    for (const name of ["n", "models", "best_of", "route", "preset", "plugins", "usage", "max_tokens"])
      await expect(write(name)).rejects.toThrow("options_allowed");
  });
});

describe("the cap of the installation", () => {
  it("is told with the usage, but not to the token of one workspace, which cannot change it either", async () => {
    const now = harness.clock.now();
    await database.sql`
      insert into llm.installation_caps (period, unit, cap, updated_at, updated_by)
      values ('month', 'calls', 0, ${now}, 'root')`;
    try {
      const answer = await ask();
      expect(answer).toMatchObject({
        ok: false,
        error: { code: "budget_exceeded", message: expect.stringContaining("for the whole installation") },
      });
      expect((await call("GET", "/usage")).body.installation).toBeNull();
      expect((await call("PUT", "/budgets/installation/*/month/calls", { cap: 9 })).status).toBe(400);
      headers = await server.bearer(["read"]);
      expect((await call("GET", `/usage?workspace_id=${workspaceId}`)).body.installation).toMatchObject([
        { period: "month", unit: "calls", cap: 0, used: expect.any(Number) },
      ]);
    } finally {
      await database.sql`delete from llm.installation_caps`;
    }
  });
});

describe("budgets", () => {
  // covers llm: Budgets that parallel calls cannot pass
  it("are set, hold, show what is used, and are lifted", async () => {
    const path = "/budgets/user/7/day/calls";
    const cap = { scope: "user", subject: "7", period: "day", unit: "calls" };
    expect(await call("PUT", path, { cap: 1 })).toMatchObject({
      status: 200,
      body: { ...cap, cap: 1, used: 0 },
    });
    await ask("plain", "7");
    expect(await ask("plain", "7")).toMatchObject({ ok: false, error: { code: "budget_exceeded" } });
    expect((await call("GET", "/budgets")).body.items).toMatchObject([{ ...cap, used: 1 }]);
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("DELETE", path)).status).toBe(404);
    expect(await ask("plain", "7")).toMatchObject({ ok: true });
    expect(await events()).toMatchObject([
      { meta: { object: "llm_budget", cap: 1 } },
      { meta: { object: "llm_budget", deleted: true } },
    ]);
  });

  it("of each user have no usage of their own, and the workspace has no subject", async () => {
    expect((await call("PUT", "/budgets/user/*/month/usd", { cap: 0.5 })).body).toMatchObject({
      subject: "*",
      used: null,
    });
    expect(await call("PUT", "/budgets/workspace/x/month/usd", { cap: 0.5 })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/subject" }] },
    });
    expect((await call("PUT", "/budgets/team/x/month/usd", { cap: 1 })).status).toBe(400);
  });
});

describe("usage", () => {
  // covers llm: Every call recorded and reported
  it("is told by day, policy, model and user, or by several of them", async () => {
    await ask("plain", "1");
    await ask("plain", "2");
    await twins.control("POST", "/faults", { fault: { kind: "status", status: 500 }, times: 2 });
    await ask("with_fallback", "1");
    await twins.control("POST", "/faults", { fault: { kind: "status", status: 402 }, times: 1 });
    await ask("plain");
    const by = async (text: string) => (await call("GET", `/usage?by=${text}`)).body.items;
    expect(await by("day")).toMatchObject([
      { day: "2026-11-15", calls: 4, failed: 1, requests: 6, policy: null, model: null },
    ]);
    expect(await by("policy")).toMatchObject([
      { policy: "plain", calls: 3, failed: 1 },
      { policy: "with_fallback", calls: 1, failed: 0 },
    ]);
    expect(await by("model")).toMatchObject([
      { provider: "openrouter", model: "google/gemini-2.5-flash", requests: 5 },
      { provider: "openrouter", model: mini.model, requests: 1 },
    ]);
    expect(await by("user")).toMatchObject([
      { user_id: "1", calls: 2 },
      { user_id: "2", calls: 1 },
      { user_id: null, calls: 1 },
    ]);
    expect(await by("policy,user")).toHaveLength(4);
    const [total] = await by("day");
    expect(total.cost_usd).toBeGreaterThan(0);
    expect(total.cost_usd).toBeCloseTo(
      (await by("model")).reduce((sum: number, row: { cost_usd: number }) => sum + row.cost_usd, 0),
      9,
    );
    expect((await call("GET", "/usage?policy=plain&user_id=1&by=policy")).body.items).toMatchObject([
      { calls: 1 },
    ]);
    expect(
      (await call("GET", "/usage?from=2026-11-16T00:00:00Z&to=2026-11-17T00:00:00Z")).body.items,
    ).toEqual([]);
    expect(await call("GET", "/usage?by=week")).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/by/0" }] },
    });
  });

  // covers llm: Every call recorded and reported
  it("is there call by call, newest first, page by page, without a word of what was said", async () => {
    await ask("plain", "1");
    harness.clock.advance(1_000);
    await ask("with_fallback", "2");
    const page = (await call("GET", "/calls?limit=1")).body;
    expect(page.items).toMatchObject([
      { policy: "with_fallback", status: "ok", requests: [{ outcome: "ok", purpose: "answer" }] },
    ]);
    const rest = (await call("GET", `/calls?limit=1&after=${page.next}`)).body;
    expect(rest).toMatchObject({ items: [{ policy: "plain", user_id: "1" }], next: null });
    expect((await call("GET", "/calls?status=failed")).body.items).toEqual([]);
    expect(JSON.stringify(page)).not.toContain("Что?");
  });
});

it("providers are told with their state and without their keys", async () => {
  const { body } = await call("GET", "/providers");
  expect(body.items).toMatchObject([
    { provider: "openrouter", configured: true, circuit: "closed" },
    { provider: "openai" },
    { provider: "compatible", configured: false, host: null },
  ]);
  expect(JSON.stringify(body)).not.toContain("sk-");
});

it("another workspace's token gets nothing of it", async () => {
  const stranger = await server.bearer(["read", "write"], await aWorkspace(database.sql));
  const answer = await server.call(`/api/v1/llm/policies?workspace_id=${workspaceId}`, { headers: stranger });
  expect(answer.status).toBe(403);
});
