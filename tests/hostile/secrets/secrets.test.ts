import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { demo } from "../../../src/delivery/index.ts";
import { anAlertTarget } from "../../../src/delivery/monitor/testing/an-alert-target.ts";
import { createApiToken, createSignInLink, ensureAdmin, scopes } from "../../../src/http/index.ts";
import { cookieOf } from "../../../src/http/testing/http-server.ts";
import { systemClock as clock } from "../../../src/kernel/clock/index.ts";
import { createVault } from "../../../src/kernel/crypto/index.ts";
import { createLog } from "../../../src/kernel/log/index.ts";
import { modules } from "../../../src/modules.ts";
import type { FaultKind } from "../../../twins/index.ts";
import type { TestDatabase } from "../../support/database.ts";
import { type RunningSystem, startSystem } from "../../support/running-system.ts";
import { forgottenSeals } from "../../support/sealed-columns.ts";
import { telethonString } from "../../support/session-strings.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { textOfAnswer } from "../../support/text-of-answer.ts";
import { until } from "../../support/until.ts";
import { readOperations } from "../authorisation/operations.ts";
import { type IndiscreetModels, startIndiscreetModels } from "./indiscreet-models.ts";
import { planted, plantedAs } from "./planted.ts";
import { type Leak, leaksIn, leaksInDatabase, leaksInFolder } from "./scan.ts";

const secrets = new Map(Object.entries(planted));
const home = tempFolder("secrets");
const logged: string[] = [];
/** Answers that must not contain a secret: all but those whose purpose is to return a new one. */
const answers: { where: string; text: string }[] = [];

let running: RunningSystem;
let models: IndiscreetModels;
let token: string;

beforeAll(async () => {
  models = await startIndiscreetModels();
  running = await startSystem({
    log: createLog({ level: "trace", destination: into(logged) }),
    environment: {
      MOLVA_HOME: home,
      MOLVA_ENCRYPTION_KEYS: plantedAs("the key that encrypts secrets"),
      MOLVA_SMTP_URL: `smtp://molva:${plantedAs("the password of the mail server")}@127.0.0.1:9`,
      MOLVA_SOURCE_SHOP: `postgres://reader:${plantedAs("a source's secret in the environment")}@127.0.0.1:9/shop`,
      MOLVA_WORKSPACE_VARIABLES: "MOLVA_SOURCE_SHOP=*",
      OPENROUTER_BASE_URL: models.url,
      OPENROUTER_API_KEY: plantedAs("the key of OpenRouter"),
      OPENAI_BASE_URL: models.url,
      OPENAI_API_KEY: plantedAs("the key of OpenAI"),
      LLM_BASE_URL: models.url,
      LLM_API_KEY: plantedAs("the key of a server of one's own"),
      BOT_BACKEND_TOKEN: plantedAs("the token of the advisor's clients"),
    },
    prepare: prepareTroubles,
  });
  const { sql } = running.database;
  ({ token } = await createApiToken(sql, {
    name: "scan",
    scopes,
    workspaceId: null,
    createdBy: null,
    expiresAt: null,
    clock,
  }));
  secrets.set("an API token", token);
  await signInAndOut();
  await configure();
  await askSources();
  await postThroughFaults();
  await askModels();
  await askAdvisor();
  await signAccountsIn();
  await askForErrors();
  await readEverything();
});
afterAll(async () => {
  await running?.stop();
  await models?.close();
});

describe("after a run in which everything went wrong that can", () => {
  it("there was something to hide: every kind of trouble has left its trace", async () => {
    const { sql } = running.database;
    const [{ errors }] = await sql<[{ errors: number }]>`
      select count(*)::int as errors from workspaces.events where result <> 'ok'`;
    expect(errors).toBeGreaterThan(5);
    const targets = await sql<{ last_error: string | null }[]>`select last_error from delivery.alert_targets`;
    expect(targets.map(({ last_error }) => last_error)).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
    expect(logged.length).toBeGreaterThan(20);
    expect(answers.filter(({ where }) => / [45]\d\d$/.test(where)).length).toBeGreaterThan(10);
  });

  it("the log holds no secret, at its most talkative", () => {
    expect(named(logged.flatMap((line) => leaksIn(line, messageOf(line), secrets)))).toEqual([]);
  });

  it("no answer of the API holds one, whether an error, a list or the figures", () => {
    expect(named(answers.flatMap(({ where, text }) => leaksIn(text, where, secrets)))).toEqual([]);
  });

  // covers llm: Keys nowhere but in the request
  it("no column of the database holds one in plain text", async () => {
    expect(named(await leaksInDatabase(running.database.sql, secrets))).toEqual([]);
  });

  it("every column in which something is encrypted is known to `molva secrets rotate`", async () => {
    const stores = modules.flatMap(({ sealed = [] }) => sealed);
    expect(await forgottenSeals(running.database.sql, stores)).toEqual([]);
    // The run has stored secrets and sessions; the scan of the stores left out finds them.
    expect(await forgottenSeals(running.database.sql, [])).toEqual(
      expect.arrayContaining(["accounts.session_values.value", "workspaces.secrets.ciphertext"]),
    );
  });

  it("no file in its folder holds one", () => {
    expect(named(leaksInFolder(home, secrets))).toEqual([]);
  });

  it("and the scan would have found them", () => {
    const secret = plantedAs("the key that encrypts secrets");
    const forms = [secret, `"${secret}"`, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
    for (const form of forms) expect(leaksIn(`… ${form} …`, "here", secrets)).toHaveLength(1);
  });
});

/** Alerts to three targets, none of which can be reached, are due as soon as the monitor starts. */
async function prepareTroubles({ sql }: TestDatabase): Promise<void> {
  const vault = createVault([plantedAs("the key that encrypts secrets")], clock);
  const { workspaceId } = demo;
  await anAlertTarget(sql, vault, workspaceId, {
    kind: "telegram",
    config: { chat_id: "77" },
    secret: plantedAs("the token of the bot that alerts"),
  });
  await anAlertTarget(sql, vault, workspaceId, {
    kind: "webhook",
    config: { url: "http://127.0.0.1:9/alerts" },
    secret: plantedAs("the secret that signs alerts"),
  });
  await anAlertTarget(sql, vault, workspaceId, { kind: "email", config: { to: "duty@example.com" } });
  await sql`
    insert into delivery.monitor_settings (workspace_id, paused_channels_threshold) values (${workspaceId}, 0)`;
  await sql`
    insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, paused_until)
    values (${workspaceId}, 'telegram', '-100999', 'paused', 'paused', now() + interval '1 hour')`;
}

async function signInAndOut(): Promise<void> {
  const { sql } = running.database;
  const { login } = await ensureAdmin(sql, { clock });
  const link = await createSignInLink(sql, login, { clock });
  if (!link) throw new Error("no sign-in link was made");
  secrets.set("a sign-in link", link);
  const signedIn = await fetch(`${running.system.url()}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ link }),
  });
  const cookie = cookieOf(signedIn);
  secrets.set("the cookie of a session", cookie.slice(cookie.indexOf("=") + 1));
  const asOperator = { cookie, origin: running.system.url() };
  const password = plantedAs("the password of an operator");
  await call("PUT", "/session/password", { password }, asOperator);
  await call(
    "PUT",
    "/session/password",
    { current: plantedAs("a password that was mistyped"), password },
    asOperator,
  );
  await call("POST", "/session", { link }, {});
  await call("POST", "/session", { login, password: plantedAs("a password that was mistyped") }, {});
  await call("POST", "/session", { login, password: [password] }, {});
  await call("DELETE", "/session", undefined, asOperator);
}

async function configure(): Promise<void> {
  for (const [platform, name] of [
    ["telegram", "Telegram"],
    ["max", "MAX"],
  ] as const) {
    const revoked = plantedAs(`the token of a ${name} bot that was revoked`);
    await call("PUT", `/credentials/${platform}/revoked`, { token: revoked });
    await call("PUT", `/credentials/${platform}/revoked`, { token: revoked, unknown_field: revoked });
    await call("PUT", `/credentials/${platform}/revoked`, { token: [revoked] });
    await call("POST", "/channels", { platform, target_id: "-100777", auth_ref: "revoked" });
  }
  const secret = plantedAs("a secret of the customer's own for an endpoint");
  const made = await handedOver("POST", "/endpoints", { name: "Дверь", secret });
  secrets.set("the next secret of an endpoint", await rotated(made.endpoint_id));
  await call("POST", "/endpoints", { name: "Дверь", secret, kind: "no such kind" });
}

async function rotated(endpointId: unknown): Promise<string> {
  const { secret } = await handedOver("POST", `/endpoints/${endpointId}/rotate`, { reason: "planted" });
  return z.string().parse(secret);
}

async function askSources(): Promise<void> {
  const header = `Bearer ${plantedAs("the Authorization header of a source")}`;
  const rows = { query: "select 1 as id, now() as at", time_column: "at", id_column: "id" };
  const fields = { id: "/id", text: "/id" };
  const database = `postgres://reader:${plantedAs("the password of a source's database")}`;
  const sources = [
    { source_id: "private", kind: "rss", config: { url: "http://127.0.0.1:9/feed" }, secret: header },
    {
      source_id: "missing",
      kind: "rss",
      config: { url: `${running.twinsUrl}/no-such-feed` },
      secret: header,
    },
    { source_id: "inside", kind: "db", config: { ...rows, fields }, secret: `${database}@127.0.0.1:9/shop` },
    {
      source_id: "nowhere",
      kind: "db",
      config: { ...rows, fields },
      secret: `${database}@shop.invalid/shop`,
    },
    { source_id: "unreadable", kind: "db", config: { ...rows, fields }, secret: `${database}@:port:/` },
    {
      source_id: "environment",
      kind: "db",
      config: { ...rows, fields },
      secret_variable: "MOLVA_SOURCE_SHOP",
    },
  ];
  for (const source of sources) {
    await call("POST", "/sources", source);
    await call("POST", `/sources/${source.source_id}/run`, { dry_run: true });
    await call("POST", `/sources/${source.source_id}/run`, {});
  }
}

async function postThroughFaults(): Promise<void> {
  for (const [at, faultFor] of faults.entries()) {
    for (const { platform, username, token: own } of demo.bots)
      await running.fault({ provider: platform, bot: username }, faultFor(own));
    await running.post({ payload: { text: `Пост ${at}`, media: photo(at) }, source_ref: `planted-${at}` });
    await nothingUnderWay();
  }
}

/** Some quote the request with its token, as proxies and careless servers do. */
const faults: ((token: string) => FaultKind)[] = [
  (own) => ({ kind: "status", status: 500, description: `Internal error in /bot${own}/sendMessage` }),
  (own) => ({ kind: "status", status: 400, description: `Bad Request: token ${own}` }),
  () => ({ kind: "status", status: 429, retryAfter: 1 }),
  () => ({ kind: "drop_after" }),
  () => ({ kind: "drop_before" }),
  () => ({ kind: "malformed" }),
  () => ({ kind: "hang" }),
];

const photo = (at: number) =>
  at % 2 === 0 ? [] : [{ type: "photo", url: `${running.twinsUrl}/demo/photo-${at}.jpg` }];

async function nothingUnderWay(): Promise<void> {
  await until("every delivery has been tried", async () => {
    const [{ waiting }] = await running.database.sql<[{ waiting: number }]>`
      select count(*)::int as waiting from delivery.deliveries
      join delivery.channels using (workspace_id, channel_id)
      where status in ('claimed', 'sending') or (status = 'queued' and enabled and attempt = 0 and not_before <= now()
        and coalesce(paused_until, '-infinity') <= now() and held_at is null)`;
    return waiting === 0;
  });
}

/** Every provider of language models refuses, and quotes its key while doing so. */
async function askModels(): Promise<void> {
  for (const provider of ["openrouter", "openai", "compatible"]) {
    const policy = { key: `planted-${provider}`, provider, model: "m", max_tokens: 10, timeout_ms: 5_000 };
    await call("POST", "/llm/policies", policy);
    await call("POST", `/llm/policies/${policy.key}/try`, {});
  }
  const [{ asked }] = await running.database.sql<
    [{ asked: number }]
  >`select count(error)::int as asked from llm.requests`;
  expect(asked).toBe(3);
}

/** With the token in its header, in a query where it does not belong, and with a model that fails. */
async function askAdvisor(): Promise<void> {
  const advisorToken = plantedAs("the token of the advisor's clients");
  const authorization = `Bearer ${advisorToken}`;
  const question = {
    request_id: randomUUID(),
    user: { telegram_user_id: 7 },
    message: { text: "Чем кормить кота?" },
  };
  for (const [method, path, bearer, body] of [
    ["GET", "/v1/me?telegram_user_id=7", authorization, null],
    ["GET", `/v1/me?telegram_user_id=${advisorToken}`, `${authorization}x`, null],
    ["GET", `/v1/${advisorToken}`, authorization, null],
    ["POST", "/v1/chat/ask", authorization, JSON.stringify(question)],
  ] as const) {
    const headers = { authorization: bearer, ...(body && { "content-type": "application/json" }) };
    const answer = await fetch(running.system.url() + path, { method, headers, body });
    answers.push({
      where: `${method} ${path.split("?")[0]?.slice(0, 12)} ${answer.status}`,
      text: await answer.text(),
    });
  }
}

/** An account signs in by phone with its second password, another by a session; proxies are kept and shown. */
async function signAccountsIn(): Promise<void> {
  const phone = "+79990001122";
  const password = plantedAs("the second password of an account");
  await atTwin("/accounts", { phone, name: "Анна", password, fixed_code: "12345" });
  const proxy = `socks5://anna:${plantedAs("the password of an account's proxy")}@proxy.example:1080`;
  await call("POST", "/accounts/login", { phone, proxy: proxy.replace("socks5", "gopher") });
  const { id } = await handedOver("POST", "/accounts/login", { phone, proxy });
  await call("POST", `/accounts/login/${id}/code`, { code: password });
  await call("POST", `/accounts/login/${id}/code`, { code: "12345" });
  await call("POST", `/accounts/login/${id}/password`, { password: `${password}x` });
  const { account_id: account } = await handedOver("POST", `/accounts/login/${id}/password`, { password });
  await call("GET", `/accounts/${account}/proxy`);

  const other = "+79990001133";
  await atTwin("/accounts", { phone: other, name: "Борис" });
  const { key } = z.object({ key: z.string() }).parse(await atTwin(`/accounts/${other}/sessions`));
  secrets.set("the key of an account", key);
  const session = telethonString(Buffer.from(key, "base64url"));
  secrets.set("the session of an account", session);
  await call("POST", "/accounts/import", { session: `${session}x` });
  await call("POST", "/accounts/import", { session });
  const [{ signedIn }] = await running.database.sql<[{ signedIn: number }]>`
    select count(*)::int as "signedIn" from accounts.accounts where phone in (${phone}, ${other})`;
  expect(signedIn).toBe(2);
}

async function atTwin(path: string, body: unknown = {}): Promise<unknown> {
  const answer = await fetch(`${running.twinsUrl}/_control/telegram-account${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** Secrets where they do not belong. */
async function askForErrors(): Promise<void> {
  const secret = plantedAs("a secret of the customer's own for an endpoint");
  await call("GET", `/ingest?secret=${secret}`);
  await call("GET", `/no-such-thing/${secret}`);
  await call("GET", `/channels/${secret}`);
  await call("GET", `/payload-links/${secret}`);
  await call("POST", "/ingest", { payload: 1 }, { "x-molva-secret": demo.secret });
  await call("POST", "/ingest", { payload: { text: "x" } }, { "x-molva-secret": `${secret}x` });
  await call("GET", "/channels", undefined, { authorization: `Bearer ${secret}` });
  await call("GET", "/channels", undefined, {
    authorization: `Basic ${Buffer.from(`a:${secret}`).toString("base64")}`,
  });
  const broken = await fetch(`${running.system.url()}/api/v1/credentials/telegram/x`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: `{"token":"${secret}"`,
  });
  answers.push({ where: `broken JSON ${broken.status}`, text: await broken.text() });
}

/** Every list of the API and the figures. */
async function readEverything(): Promise<void> {
  const lists = readOperations().filter(({ method, pattern }) => method === "GET" && !pattern.includes("{"));
  for (const { pattern } of lists) {
    const answer = await fetch(running.system.url() + pattern, {
      headers: { authorization: `Bearer ${token}` },
    });
    answers.push({ where: `GET ${pattern} ${answer.status}`, text: await textOfAnswer(answer) });
  }
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
): Promise<void> {
  const answer = await fetch(`${running.system.url()}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const shownPath = path.split("?")[0]?.split("/")[1];
  answers.push({ where: `${method} /${shownPath} ${answer.status}`, text: await answer.text() });
}

/** An answer whose purpose is to show a secret once. */
async function handedOver(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${running.system.url()}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return z.record(z.string(), z.unknown()).parse(await answer.json());
}

function into(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}

function messageOf(line: string): string {
  return `the log: ${JSON.parse(line).msg}`;
}

function named(leaks: readonly Leak[]): string[] {
  return [...new Set(leaks.map(({ what, where }) => `${what} in ${where}`))];
}
