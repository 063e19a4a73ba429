import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import { createProviderClient, type HttpClient } from "../kernel/outbound/index.ts";
import type { Answered, AskImages, ImagesAnswer, Picture } from "./index.ts";
import {
  aGateway,
  aPolicy,
  type GatewayHarness,
  providersAt,
  repairPrompt,
  someFiles,
} from "./testing/harness.ts";

const banana = { provider: "openrouter", model: "google/gemini-3-pro-image-preview" } as const;
const small = { provider: "openrouter", model: "google/gemini-2.5-flash-image" } as const;
const drawing = { name: "picture", body: "Нарисуй.\n=== user ===\nЧто: {{ what }}" };
const files = someFiles({
  policies: [
    aPolicy({ ...banana, key: "draw", temperature: null, max_tokens: 4000, fallbacks: [small] }),
    aPolicy({ ...banana, key: "alone", temperature: null, max_tokens: 4000 }),
    aPolicy({ key: "writes" }),
    aPolicy({ key: "openai", provider: "openai", model: "gpt-4o-mini" }),
  ],
  prices: [
    { ...banana, prompt_usd: 2, completion_usd: 12, image_usd: 0.24 },
    { ...small, prompt_usd: 0.3, completion_usd: 2.5, image_usd: 0.039 },
  ],
  prompts: [drawing, repairPrompt],
});

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
  harness = aGateway(database.sql, twins.url, { files });
  workspaceId = await aWorkspace(database.sql);
});
afterEach(async () => {
  await harness.close();
  await twins.control("POST", "/reset");
});

const ask = (given: Partial<AskImages> = {}): AskImages => ({
  workspaceId,
  policy: "draw",
  prompt: { name: "picture", data: { what: "кухня" } },
  pictures: [{}],
  ...given,
});
interface Sent {
  readonly method: string;
  readonly request: Record<string, unknown>;
  readonly response: unknown;
}
const journal = async () => (await twins.control<{ entries: Sent[] }>("GET", "/journal")).entries;
const fault = (given: object, match: object = {}) =>
  twins.control("POST", "/faults", { fault: given, times: 1, ...match });
const drawn = (answered: Answered<ImagesAnswer>): readonly Picture[] =>
  answered.ok ? answered.pictures.flatMap((each) => (each.ok ? [each.picture] : [])) : [];
const call = async () => {
  await harness.gateway.settled();
  const [row] = await database.sql`
    select kind, status, code, user_id, cost_usd::float8 as cost_usd,
      (select sum(images)::int from llm.requests r where r.call_id = c.call_id) as images
    from llm.calls c where workspace_id = ${workspaceId} order by call_id desc limit 1`;
  return row;
};
const held = async () => {
  await harness.gateway.settled();
  const [row] = await database.sql`
    select spent_usd::float8 as spent, reserved_usd::float8 as reserved from llm.spending
    where workspace_id = ${workspaceId} and scope = 'workspace' and period = 'day'`;
  return row;
};
const cap = (usd: number) => database.sql`
  insert into llm.budgets (workspace_id, scope, period, unit, cap) values (${workspaceId}, 'workspace', 'day', 'usd', ${usd})`;

/** A server like OpenRouter that does not tell what its answers cost. */
function withoutCost(client: HttpClient): HttpClient {
  return {
    async request(request) {
      const result = await client.request(request);
      if (result.kind === "failure") return result;
      const { usage, ...answer } = JSON.parse(Buffer.from(result.body).toString("utf8"));
      const { cost: _, ...told } = usage;
      return { ...result, body: Buffer.from(JSON.stringify({ ...answer, usage: told })) };
    },
  };
}

describe("pictures", () => {
  // covers llm: Pictures
  it.each(["chat", "images"] as const)(
    "are drawn at the same time, each by its own words and in its own proportions (%s)",
    async (images) => {
      const providers = providersAt(twins.url);
      const own = aGateway(database.sql, twins.url, {
        files,
        providers: { ...(providers.openrouter && { openrouter: { ...providers.openrouter, images } }) },
      });
      const answered = await own.gateway.images(
        ask({
          userId: "7",
          pictures: [
            { aspectRatio: "16:9", data: { what: "кухня" } },
            { aspectRatio: "2:3", data: { what: "стол" } },
            { data: { what: "стул" }, size: "2K" },
          ],
        }),
      );
      expect(drawn(answered).map(({ width, height, mediaType }) => [width, height, mediaType])).toEqual([
        [1024, 576, "image/png"],
        [682, 1024, "image/png"],
        [2048, 2048, "image/png"],
      ]);
      const looks = await Promise.all(
        drawn(answered).map(({ bytes }) => sharp(bytes).resize(8, 8, { fit: "fill" }).raw().toBuffer()),
      );
      expect(new Set(looks.map((look) => look.toString("hex"))).size).toBe(3);
      expect(answered.meta).toMatchObject({ model: banana.model, requests: 3, fallbackUsed: false });
      expect(answered.meta.usage.costUsd).toBeGreaterThan(3 * 0.134);
      await own.gateway.settled();
      expect(await call()).toEqual({
        kind: "images",
        status: "ok",
        code: null,
        user_id: "7",
        cost_usd: expect.closeTo(answered.meta.usage.costUsd ?? 0, 9),
        images: 3,
      });
      const sent = await journal();
      expect(sent.map(({ method }) => method)).toEqual(
        Array(3).fill(images === "chat" ? "POST /chat/completions" : "POST /images"),
      );
      await own.close();
    },
  );

  it("by their prompt alone are the same, and a reference is sent with the words", async () => {
    const [one] = drawn(await harness.gateway.images(ask()));
    const [same] = drawn(await harness.gateway.images(ask()));
    expect(Buffer.from(one?.bytes ?? []).equals(Buffer.from(same?.bytes ?? [1]))).toBe(true);
    if (!one) throw new Error("nothing was drawn");
    const references = [{ type: "image" as const, bytes: one.bytes, mediaType: one.mediaType }];
    await harness.gateway.images(ask({ pictures: [{ references }] }));
    expect(JSON.stringify((await journal()).at(-1)?.request.messages)).toContain("image_url");
  });

  // covers llm: Pictures
  it("are held at the highest price of the chain before they are drawn, and settled at what they cost", async () => {
    await cap(1);
    const pictures = Array.from({ length: 4 }, () => ({}));
    const refused = await harness.gateway.images(ask({ pictures: [...pictures, {}] }));
    expect(refused).toMatchObject({ ok: false, error: { code: "budget_exceeded" } });
    expect(await journal()).toEqual([]);
    const answered = await harness.gateway.images(ask({ pictures }));
    expect(drawn(answered)).toHaveLength(4);
    expect(await held()).toEqual({ spent: expect.closeTo(answered.meta.usage.costUsd ?? 0, 9), reserved: 0 });
  });

  // covers llm: Pictures
  it("whose cost the provider does not tell cost the price of a picture", async () => {
    const { openrouter } = providersAt(twins.url);
    const client = createProviderClient();
    const own = aGateway(database.sql, twins.url, {
      files: someFiles({
        policies: [aPolicy({ ...banana, provider: "compatible", key: "draw" })],
        prices: [
          { provider: "compatible", model: banana.model, prompt_usd: 0, completion_usd: 9, image_usd: 0.05 },
        ],
        prompts: [drawing],
      }),
      http: withoutCost(client),
      ...(openrouter && { providers: { compatible: openrouter } }),
    });
    const answered = await own.gateway.images(ask({ pictures: [{}, {}] }));
    expect(answered.meta.usage.costUsd).toBeCloseTo(0.1, 9);
    await own.close();
    await client.close();
  });

  // covers llm: Pictures
  it("that one model does not draw are drawn by the next, one by one", async () => {
    await fault({ kind: "status", status: 503 }, { chat: banana.model, times: 2 });
    const answered = await harness.gateway.images(ask());
    expect(answered).toMatchObject({
      ok: true,
      meta: { model: small.model, fallbackUsed: true, requests: 3 },
    });
    expect(answered.meta.usage.costUsd).toBeCloseTo(0.039, 2);
  });

  it.each([
    ["no_image", "empty_answer"],
    ["bad_image", "invalid_answer"],
    ["refusal", "refused"],
    ["empty", "empty_answer"],
    ["error", "unavailable"],
  ])("that come as %s end as %s when nobody else can draw", async (flaw, code) => {
    await fault({ kind: "answer", flaw }, { times: 4 });
    expect(await harness.gateway.images(ask({ policy: "alone" }))).toMatchObject({
      ok: false,
      error: { code },
    });
    expect(await call()).toMatchObject({ status: "failed", code });
  });

  // covers llm: Pictures
  it("of which some fail are an answer with the others, and a failure only when none was drawn", async () => {
    await fault({ kind: "answer", flaw: "refusal" }, { times: 2 });
    const answered = await harness.gateway.images(
      ask({ policy: "alone", pictures: ["а", "б", "в"].map((what) => ({ data: { what } })) }),
    );
    expect(answered.ok && answered.pictures.map(({ ok }) => ok).sort()).toEqual([false, false, true]);
    expect(await call()).toMatchObject({ status: "ok", images: 1 });
  });

  it("that take too long go to the next model, and their cost counts as estimated", async () => {
    const own = aGateway(database.sql, twins.url, {
      files: {
        ...files,
        policies: [
          aPolicy({ ...banana, key: "draw", timeout_ms: 1_500, fallbacks: [small], max_tokens: 4000 }),
        ],
      },
    });
    await fault({ kind: "hang" }, { chat: banana.model });
    const answered = await own.gateway.images(ask());
    expect(answered).toMatchObject({ ok: true, meta: { model: small.model } });
    expect(answered.meta.usage.costUsd).toBeGreaterThan(0.24);
    await own.close();
  });

  it("that are called off stop at once and ask nobody else", async () => {
    const control = new AbortController();
    await fault({ kind: "hang" });
    const asked = harness.gateway.images(ask({ signal: control.signal }));
    await expect.poll(async () => (await journal()).length).toBe(1);
    control.abort();
    expect(await asked).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(await journal()).toHaveLength(1);
  });

  it("are not asked of a model that draws none, nor of OpenAI, and no more than ten at once", async () => {
    expect(await harness.gateway.images(ask({ policy: "writes" }))).toMatchObject({
      ok: false,
      error: { code: "unavailable", message: expect.stringContaining("output modalities") },
    });
    expect(await harness.gateway.images(ask({ policy: "openai" }))).toMatchObject({
      ok: false,
      error: { code: "invalid_input" },
    });
    await expect(harness.gateway.images(ask({ pictures: [] }))).rejects.toThrow("one to 10");
  });

  it("with an id are drawn once", async () => {
    const both = await Promise.all(
      [1, 2].map(() => harness.gateway.images(ask({ requestId: "run 5 picture 1" }))),
    );
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await journal()).toHaveLength(1);
  });

  it("leave no bytes in the books or in the journal", async () => {
    await harness.gateway.images(ask());
    await harness.gateway.settled();
    const rows = await database.sql`
      select to_jsonb(c) as call, to_jsonb(r) as request from llm.calls c join llm.requests r using (call_id)
      where c.workspace_id = ${workspaceId}`;
    expect(JSON.stringify(rows)).not.toContain("iVBOR");
    expect(JSON.stringify(await journal()).length).toBeLessThan(5_000);
  });

  it("are seen by billing's check as other calls are", async () => {
    const { meta } = await harness.gateway.images(ask({ userId: "7" }));
    await harness.gateway.settled();
    const now = harness.clock.now();
    const rows = await database.sql`
      select call_id, user_id, cost_usd::float8 as cost_usd
      from llm.provider_calls(${workspaceId}, ${new Date(now.getTime() - 60_000)}, ${new Date(now.getTime() + 60_000)})`;
    expect(rows).toEqual([
      { call_id: meta.callId, user_id: "7", cost_usd: expect.closeTo(meta.usage.costUsd ?? 0, 9) },
    ]);
  });
});

describe("an empty account", () => {
  // covers llm: An empty account is an alert
  it("is an event once an hour, from which operators get an alert", async () => {
    await fault({ kind: "status", status: 402 }, { times: 4 });
    for (const _ of [1, 2])
      expect(await harness.gateway.images(ask())).toMatchObject({ ok: false, error: { code: "no_credits" } });
    const events = () => database.sql`
      select error, meta from workspaces.events where workspace_id = ${workspaceId} and action = 'llm_no_credits'`;
    expect(await events()).toEqual([
      {
        error: { code: "no_credits", message: expect.stringContaining("openrouter") },
        meta: { provider: "openrouter", model: banana.model },
      },
    ]);
    expect(
      await database.sql`
        select reason from delivery.monitor_findings(${workspaceId}, '{}', ${new Date(harness.clock.now().getTime() + 1_000)})`,
    ).toEqual([{ reason: "llm_no_credits" }]);
    harness.clock.advance(61 * 60_000);
    await harness.gateway.images(ask());
    expect(await events()).toHaveLength(2);
  });
});
