import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aChannel, anEndpoint, aWorkspace } from "../../../src/delivery/testing/builders.ts";
import { createApiToken, scopes } from "../../../src/http/index.ts";
import { systemClock as clock } from "../../../src/kernel/clock/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { createSystem, type System } from "../../../src/main.ts";
import { configFrom } from "../../../src/modules.ts";
import { databaseWithJobs, type TestDatabase } from "../../support/database.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { textOfAnswer } from "../../support/text-of-answer.ts";
import { readOperations } from "../authorisation/operations.ts";
import { holds, hostileJson, hostileText, numRuns, spoiled } from "./arbitraries.ts";
import { corpus } from "./corpus.ts";
import { repetitions } from "./repetitions.ts";

/**
 * Every operation of the published file is included automatically; those of bots, with their secrets, are in
 * bots.test.ts.
 */
const operations = readOperations().filter(({ name }) => name !== "DELETE /api/v1/session");
const taking = operations.filter(({ body }) => body !== undefined);

let database: TestDatabase;
let system: System;
let headers: Record<string, string>;
let channelId: string;
/** The one of the bot's backend, whose paths begin with /v1 and whose errors have a shape of their own. */
const backendToken = "token-of-the-backend-for-hostile-input";

beforeAll(async () => {
  database = await databaseWithJobs();
  const settings = {
    MOLVA_HOME: tempFolder("fuzz"),
    MOLVA_PORT: "0",
    DATABASE_URL: database.url,
    BOT_BACKEND_TOKEN: backendToken,
  };
  system = await createSystem({
    config: configFrom(settings),
    environment: settings,
    databaseUrl: database.url,
    roles: ["api"],
    log: silentLog,
  });
  await system.start();
  const { sql } = database;
  const workspaceId = await aWorkspace(sql);
  for (const platform of ["telegram", "max"]) channelId = await aChannel(sql, workspaceId, { platform });
  const { secret } = await anEndpoint(sql, workspaceId, { max_payload_bytes: 0 });
  const { token } = await createApiToken(sql, {
    name: "fuzz",
    scopes,
    workspaceId,
    createdBy: null,
    expiresAt: null,
    clock,
  });
  headers = {
    authorization: `Bearer ${token}`,
    "x-molva-secret": secret,
    "content-type": "application/json",
  };
});
afterAll(async () => {
  await system?.stop();
  await database?.drop();
});

describe("ingest", () => {
  it.each(corpus("ingest"))("answers for itself: %s", async (_, bytes) => {
    await check("POST", "/api/v1/ingest", bytes);
  });

  it("takes a post with one bad field or names the field", async () => {
    const payload = { text: "Пост", parse_mode: "HTML", media: [], buttons: [], tags: [], silent: true };
    const body = fc.oneof(
      spoiled({ payload, source_ref: "a", tags: ["b"], trace_id: "c", source: {}, render_meta: {} }),
      spoiled(payload).map((spoilt) => ({ payload: spoilt })),
      hostileText.map((text) => ({ payload: { ...payload, text } })),
      hostileJson,
    );
    await holds(fc.asyncProperty(body, (value) => check("POST", "/api/v1/ingest", JSON.stringify(value))));
  });

  it.each(["HTML", "Markdown", "None"])("answers 100 KB of any repetition read as %s", async (parse_mode) => {
    // Reading alone is measured in linear-work.test.ts; these go through the database too.
    const worst = repetitions.filter((_, index) => index % 6 === 0);
    const texts = [
      ...worst.map(({ text }) => text(1)),
      "<style></style>".repeat(6_600),
      "](".repeat(49_500),
      "[a](b".repeat(19_800),
    ];
    for (const text of texts) {
      const body = { payload: { text, parse_mode } };
      await check("POST", "/api/v1/ingest", JSON.stringify(body));
      await database.sql`select delivery.shortest_length(${text}, ${parse_mode})`;
    }
  });

  it.each([
    ["quotes in quotes", `${"> ".repeat(40)}x`],
    ["lists in lists", `${"- ".repeat(40)}x`],
    ["a divider", `Итоги\n\n${"-".repeat(40)}x\n${"- ".repeat(45)}\n${"-".repeat(60)}`],
    ["many lines of quotes", `${"> ".repeat(30)}x\n`.repeat(900)],
    ["many lines of lists", `${"- ".repeat(40)}x\n`.repeat(900)],
  ])("and render answer a Markdown of %s", async (_, text) => {
    const body = { payload: { text, parse_mode: "Markdown" } };
    await check("POST", "/api/v1/ingest", JSON.stringify(body));
    await check("POST", "/api/v1/render", JSON.stringify({ ...body, channel_id: channelId }));
  });

  it("keeps only what can be stored and sent", async () => {
    const [{ count }] = await database.sql<[{ count: number }]>`
      select count(*)::int from delivery.deliveries d
      where not exists (select from delivery.messages m where m.workspace_id = d.workspace_id and m.message_id = d.message_id)`;
    expect(count).toBe(0);
  });
});

it.each(taking.map((operation) => [operation.name, operation] as const))(
  "%s answers a hostile body for itself",
  async (_, { method, pattern, body }) => {
    const path = pattern.replace(/\{[^}]+\}/g, "00000000-0000-7000-8000-000000000000");
    const good = typeof body === "object" && body !== null ? { ...body } : {};
    await holds(
      fc.asyncProperty(fc.oneof(spoiled(good), hostileJson), (value) =>
        check(method, path, JSON.stringify(value)),
      ),
      Math.ceil(numRuns / 15),
    );
  },
);

it("every path and query is answered, whatever is in it", async () => {
  const step = fc.oneof(
    fc.constantFrom("..", "%2e%2e%2f", "%00", "%", "%ff", "a'b", "*", "null"),
    fc.string({ maxLength: 20 }).map(encodeURIComponent),
  );
  const address = fc
    .tuple(
      fc.constantFrom(...operations),
      step,
      fc.constantFrom("limit", "before", "since", "status", "workspace_id", "after"),
      step,
    )
    .map(([{ pattern }, word, name, value]) => `${pattern.replace(/\{[^}]+\}/g, word)}?${name}=${value}`);
  await holds(fc.asyncProperty(address, (path) => check("GET", path)));
});

it.each(["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59-14:00"])(
  "a moment at the edge of the calendar is answered: %s",
  async (moment) => {
    for (const path of ["deliveries", "messages", "events", "errors", "overview"])
      await check("GET", `/api/v1/${path}?since=${moment}&until=${moment}`);
    const filter = { since: moment };
    await check("POST", "/api/v1/deliveries/requeue", JSON.stringify({ filter, reason: "edge of time" }));
  },
);

it("is still there afterwards", async () => {
  expect((await fetch(`${system.url()}/healthz/readiness`)).status).toBe(200);
  const post = JSON.stringify({ payload: { text: "После всего" } });
  expect(await statusOf("POST", "/api/v1/ingest", post)).toBe(200);
});

/** An answer, or a problem that says what is wrong; never a server error. */
async function statusOf(method: string, path: string, body?: string | Buffer): Promise<number> {
  const answer = await fetch(system.url() + path, {
    method,
    headers: path.startsWith("/v1/") ? { ...headers, authorization: `Bearer ${backendToken}` } : headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
  const text = await textOfAnswer(answer);
  // No Telegram application is configured here; saying so is not a server error.
  if (answer.status === 503 && text.includes('"telegram_not_configured"')) return answer.status;
  expect(answer.status, `${method} ${path}: ${text.slice(0, 300)}`).toBeLessThan(500);
  if (answer.status >= 400) {
    const { error, ...problem } = JSON.parse(text);
    const { code, message = problem.title } = error ?? problem;
    expect({ code, message }).toEqual({ code: expect.any(String), message: expect.stringMatching(/./) });
  }
  return answer.status;
}

async function check(method: string, path: string, body?: string | Buffer): Promise<void> {
  await statusOf(method, path, body);
}
