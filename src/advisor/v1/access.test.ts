import { Writable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness, token } from "../../../tests/support/advisor.ts";
import { startTestHttpServer } from "../../http/testing/http-server.ts";
import { connect } from "../../kernel/db/index.ts";
import { createLog } from "../../kernel/log/index.ts";
import { advisorRoutes } from "../index.ts";

let harness: AdvisorHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

describe("behind TLS", () => {
  const from = (address: string, proto: string) => ({
    "x-forwarded-for": address,
    "x-forwarded-proto": proto,
  });

  // covers advisor: Bearer token and HTTPS
  it("plain HTTP from outside is refused, health included, and from the same network it is not", async () => {
    harness = await advisorHarness({ settings: { behindTls: true }, http: { trustProxy: 1 } });
    const me = (headers: Record<string, string>) =>
      harness?.call("GET", "/v1/me?telegram_user_id=1", undefined, headers);
    const refused = { status: 403, body: { error: { code: "https_required" } } };
    expect(await me(from("8.8.8.8", "http"))).toMatchObject(refused);
    expect(await harness.call("GET", "/v1/health", undefined, from("8.8.8.8", "http"))).toMatchObject(
      refused,
    );
    expect(await me(from("8.8.8.8", "https"))).toMatchObject({ status: 200 });
    expect(await me(from("10.0.0.7", "http"))).toMatchObject({ status: 200 });
  });
});

describe("health", () => {
  it("is told also when the database is away, and names neither its address nor its password", async () => {
    harness = await advisorHarness();
    const sql = connect({ url: "postgres://molva:hunter2@127.0.0.1:9/none", max: 1 });
    const server = await startTestHttpServer({
      sql: harness.database.sql,
      modules: [advisorRoutes({ ...harness.deps, sql })],
    });
    try {
      const text = await (await server.call("/v1/health")).text();
      expect(JSON.parse(text)).toEqual({
        ok: true,
        version: "0.1.0",
        db: "fail",
        db_error: expect.any(String),
      });
      expect(text).not.toMatch(/hunter2|127\.0\.0\.1/);
    } finally {
      await server.stop();
      await sql.end({ timeout: 0 });
    }
  });
});

describe("without a token of its own", () => {
  // covers advisor: 500
  it("the server says that it is not set up, whatever token comes", async () => {
    harness = await advisorHarness({ settings: { token: undefined } });
    for (const authorization of ["Bearer ", `Bearer ${token}`, "Bearer undefined"])
      expect(
        await harness.call("GET", "/v1/me?telegram_user_id=1", undefined, { authorization }),
      ).toMatchObject({
        status: 500,
        body: { error: { code: "server_misconfigured" } },
      });
    expect((await harness.call("GET", "/v1/health")).status).toBe(200);
  });
});

describe("the log", () => {
  // covers advisor: Bearer token and HTTPS
  it("has neither the token nor a word of the question", async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    });
    harness = await advisorHarness({ log: createLog({ level: "trace", destination }) });
    await harness.ask({ text: "Тайный вопрос о коте" });
    await harness.ask({ text: "" });
    await harness.call("GET", `/v1/me?telegram_user_id=${token}`);
    await harness.call("GET", `/v1/nothing/${token}`);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.join("\n")).not.toContain(token);
    expect(lines.join("\n")).not.toContain("Тайный");
  });
});

describe("a path that is none", () => {
  it("is answered in the form of this door", async () => {
    harness = await advisorHarness();
    expect(await harness.call("GET", "/v1/nothing")).toMatchObject({
      status: 404,
      body: { error: { code: "not_found", reason: "unknown_path" } },
    });
    expect((await harness.call("DELETE", "/v1/me")).status).toBe(405);
    expect(await harness.call("POST", "/v1/chat/ask", "{", {})).toMatchObject({
      status: 400,
      body: { error: { code: "bad_request" } },
    });
  });
});

describe("deleting", () => {
  // covers advisor: Taken before the model, given back on failure
  it("is no way around the daily limit, and the trace that prevents it is gone the next day", async () => {
    harness = await advisorHarness({ settings: { cooldownSec: 0, freeDailyLimit: 1 } });
    const { sql } = harness.database;
    const forget = () =>
      harness?.call("POST", "/v1/data/delete", { user: { telegram_user_id: 5 }, scope: "all" });
    expect((await harness.ask({ user: 5 })).status).toBe(200);
    await forget();
    expect(await sql`select from advisor.users`).toHaveLength(0);
    expect((await harness.call("GET", "/v1/me?telegram_user_id=5")).body).toMatchObject({
      ...{ plan: "free", limits: { remaining_in_window: 0 }, pets: [] },
    });
    expect(await harness.ask({ user: 5 })).toMatchObject({
      status: 429,
      body: { error: { reason: "daily_limit_exceeded" } },
    });
    await forget();
    expect(JSON.stringify(await sql`select * from advisor.used_today`)).not.toMatch(/"5"|:5[,}]/);
    harness.clock.advance(86_400_000);
    expect((await harness.ask({ user: 5 })).status).toBe(200);
    expect(await sql`select from advisor.used_today`).toHaveLength(0);
  });
});
