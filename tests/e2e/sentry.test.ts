/** Errors of the whole system arrive in Sentry; nobody who uses the system notices Sentry. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openLog, openVault } from "../../src/configured/index.ts";
import { demo } from "../../src/delivery/index.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import { enqueue } from "../../src/kernel/jobs/index.ts";
import { version } from "../../src/kernel/paths/index.ts";
import type { Reports } from "../../src/kernel/sentry/index.ts";
import { configFrom, modules, settingsOfModules } from "../../src/modules.ts";
import { keepCredential } from "../../src/workspaces/index.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { builtScript } from "../support/built-script.ts";
import { testDatabase } from "../support/database.ts";
import { killed, startDispatcherProcess } from "../support/dispatcher-process.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { aTelegramPerson, type TelegramPerson } from "../support/telegram-person.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { troubled, troubledBot, troubledTask } from "../support/troubled.ts";
import { eventually } from "../support/until.ts";

const key = "0123456789abcdef0123456789abcdef";
const openAiKey = "the key of a provider 42";
/** Bot tokens of workspaces are in no setting. */
const foreignToken = `7000000009:${"Zx9_".repeat(9)}`;
const diary = "Мой дневник: мама, я в больнице";

interface Kept {
  readonly event: Record<string, unknown> & {
    readonly exception: { readonly values: readonly [{ readonly type: string; readonly value: string }] };
  };
  readonly errors: readonly string[];
}

let sentry: TestTwins;
let running: RunningSystem;
let reports: Reports;
let person: TelegramPerson;
const logged: string[] = [];
let says = "";
let aheadMs = 0;

beforeAll(async () => {
  sentry = await startTestTwins();
  const environment = {
    SENTRY_DSN: dsn(),
    MOLVA_HOME: tempFolder("sentry"),
    OPENAI_API_KEY: openAiKey,
  };
  const all = [...modules, troubled(() => says)];
  const config = configFrom(environment, all);
  const opened = await openLog(config, {
    ...{ level: "info", roles: ["api", "jobs"], settings: settingsOfModules(all), environment },
    destination: { write: (line) => void logged.push(line) },
    clock: { now: () => new Date(Date.now() + aheadMs) },
  });
  reports = opened.reports;
  running = await startSystem({ environment, log: opened.log, modules: all });
  person = await aTelegramPerson(running.twinsUrl);
  await keepCredential(
    { sql: running.database.sql, clock, vault: await openVault(config, clock) },
    ...([demo.workspaceId, { platform: "telegram", auth_ref: troubledBot }] as const),
    ...([{ token: person.token }, { operator: "test" }] as const),
  );
});
afterAll(async () => {
  await running?.stop();
  await reports?.stop();
  await sentry?.close();
});
beforeEach(async () => {
  await reports.flush();
  await sentry.control("POST", "/reset");
  logged.length = 0;
});

const dsn = () => `http://${key}@${new URL(sentry.url).host}/sentry/1`;
const kept = async () => (await sentry.control<{ events: Kept[] }>("GET", "/sentry/events")).events;
const askRoute = (body: object = {}) =>
  fetch(`${running.system.url()}/api/v1/troubled/17?token=query-secret-1`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-molva-secret": "header-secret-1" },
    body: JSON.stringify(body),
  });
const failJob = () => enqueue(running.database.sql, troubledTask, { note: diary });

/** The only event, once it has come. */
async function theEvent(): Promise<Kept["event"]> {
  await eventually(kept, (events) => events.length > 0, { what: "an event in Sentry" });
  await reports.flush();
  const [first, ...more] = await kept();
  expect([more, first?.errors]).toEqual([[], []]);
  if (!first) throw new Error("no event");
  return first.event;
}

const common = {
  ...{ platform: "node", level: "error", release: `molva@${version}`, environment: "demo" },
  sdk: { name: "molva", version },
};
const frames = (file: RegExp) => ({
  stacktrace: {
    frames: expect.arrayContaining([
      expect.objectContaining({
        filename: expect.stringMatching(file),
        lineno: expect.any(Number),
        in_app: true,
      }),
    ]),
  },
});

it("an error of a route arrives once, with its place and without the request", async () => {
  says = "the route stumbled";
  const answer = await askRoute({ text: diary });
  expect(answer.status).toBe(500);
  const event = await theEvent();
  expect(event).toMatchObject({
    ...common,
    logger: "molva.http",
    transaction: "POST /api/v1/troubled/:id",
    logentry: { formatted: "a request failed" },
    tags: { role: "api,jobs", request_id: answer.headers.get("x-request-id") },
    exception: {
      values: [
        { type: "Error", value: "the route stumbled", ...frames(/^app:\/\/\/tests\/support\/troubled\.ts$/) },
      ],
    },
  });
  expect(event).not.toHaveProperty("server_name");
  expect(JSON.stringify(event)).not.toMatch(/дневник|query-secret|header-secret|127\.0\.0\.1/);
});

it("an error of a job arrives once, without what people wrote", async () => {
  const job = await failJob();
  const event = await theEvent();
  expect(event).toMatchObject({
    ...common,
    logger: "molva.jobs",
    tags: { task: "troubled.task", job },
    exception: {
      values: [{ type: "TypeError", value: 'the job cannot work with "[text]"', ...frames(/troubled\.ts$/) }],
    },
  });
  expect(JSON.stringify(event)).not.toContain("дневник");
});

it("an error of a bot's step arrives once, with the bot and its workspace", async () => {
  await person.say("/start");
  await person.see("Нажмите");
  await person.press("Дальше");
  await person.see("Готово");
  expect(await theEvent()).toMatchObject({
    ...common,
    logger: "molva.bots",
    tags: { bot: troubledBot, workspace_id: demo.workspaceId },
    exception: { values: [{ type: "RangeError", value: "the step stumbled", ...frames(/troubled\.ts$/) }] },
  });
});

it("no secret leaves in the text of an error, nor is it in the log", async () => {
  says = `GET https://me:pa55word@api.telegram.org/bot${foreignToken}/getMe?access_token=abc123 refused ${openAiKey}`;
  expect((await askRoute()).status).toBe(500);
  const event = await theEvent();
  expect(event.exception.values[0].value).toBe(
    "GET https://[secret]@api.telegram.org/bot[secret]/getMe?… refused [secret]",
  );
  const seen = `${JSON.stringify(event)}${logged.join("")}`;
  for (const secret of [foreignToken, openAiKey, "pa55word", "abc123"]) expect(seen).not.toContain(secret);
});

it("while Sentry wants nothing, it gets nothing", async () => {
  await sentry.control("PUT", "/sentry/quota", { seconds: 600, categories: ["error"] });
  says = "the quota is used up";
  await askRoute();
  await reports.flush();
  await sentry.control("DELETE", "/sentry/quota");
  await failJob();
  await eventually(
    () => logged.join(""),
    (lines) => lines.includes("job failed for good"),
  );
  await reports.flush();
  const { entries } = await sentry.control<{ entries: unknown[] }>("GET", "/journal?provider=sentry");
  expect([entries.length, await kept()]).toEqual([1, []]);
  // Afterwards it gets errors again, and the number of those that it missed.
  aheadMs += 600_000;
  await failJob();
  expect((await theEvent()).extra).toEqual({ equal_errors_not_sent: 1 });
});

it("while Sentry hangs, nobody notices but the log, by one line", async () => {
  await sentry.control("POST", "/faults", { provider: "sentry", fault: { kind: "hang" } });
  says = "nobody hears it";
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => askRoute()));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(500));
  // A request to Sentry would be waited for five seconds.
  expect(performance.now() - began).toBeLessThan(4_000);
  await person.press("Ещё раз");
  await person.see("Нажмите");
  await person.press("Дальше");
  await person.see("Готово");
  await sentry.control("DELETE", "/faults");
  await eventually(kept, (events) => events.length > 0);
  const warnings = logged.filter((line) => line.includes('"level":"warn"') && line.includes("Sentry"));
  expect(warnings).toHaveLength(1);
});

it.each(["exception", "rejection"])("an uncaught %s is reported before it ends the process", async (kind) => {
  const script = await builtScript("tests/support/ending-process.ts");
  const child = fork(script, [kind], {
    env: { PATH: process.env.PATH, SENTRY_DSN: dsn() },
    stdio: "pipe",
  });
  const [code] = await once(child, "exit");
  expect(code).toBe(1);
  expect(await theEvent()).toMatchObject({
    ...{ ...common, level: "fatal", tags: { role: "api" } },
    exception: { values: [{ type: "Error", value: `an uncaught ${kind}`, mechanism: { handled: false } }] },
  });
});

it("a server of its own reports under its roles, and stops as it should", async () => {
  const database = await testDatabase();
  let child: ChildProcess | undefined;
  const environment = { DATABASE_URL: database.url, SENTRY_DSN: dsn() };
  try {
    await startDispatcherProcess(environment, (started) => {
      child = started;
    });
    await database.sql`alter function delivery.join_run rename to lost_run`;
    const [first] = await eventually(kept, (events) => events.length > 0);
    expect(first).toMatchObject({
      errors: [],
      event: {
        ...{ level: "error", environment: "development", tags: { role: "dispatcher" } },
        exception: { values: [{ type: "PostgresError", value: expect.stringContaining("does not exist") }] },
      },
    });
    child?.kill("SIGTERM");
    if (child) expect(await once(child, "exit")).toEqual([0, null]);
  } finally {
    if (child) await killed(child);
    await database.drop();
  }
});
