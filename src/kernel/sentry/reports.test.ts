import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../../../tests/support/until.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { manualClock } from "../clock/index.ts";
import { createLog, type Log, redactText } from "../log/index.ts";
import { createProviderClient } from "../outbound/index.ts";
import { createReports, type Reports, readDsn } from "./index.ts";
import { limits } from "./limits.ts";

interface Kept {
  readonly event: { exception: { values: { value: string }[] }; extra?: Record<string, unknown> };
  readonly errors: readonly string[];
}

let twins: TestTwins;
let reports: Reports;
let log: Log;
let lines: string[];
let clock = manualClock();
beforeAll(async () => {
  twins = await startTestTwins();
});
afterAll(() => twins.close());
beforeEach(async () => {
  await twins.control("POST", "/reset");
  open(`http://0123456789abcdef0123456789abcdef@${new URL(twins.url).host}/sentry/1`);
});
afterEach(() => reports.stop());

function open(text: string): void {
  const dsn = readDsn(text);
  if (!dsn) throw new Error(`${text} is no DSN`);
  lines = [];
  clock = manualClock();
  reports = createReports({
    ...{
      dsn,
      clock,
      client: "molva/1.0.0",
      http: createProviderClient(),
      pauseMs: { first: 20, longest: 20 },
    },
    facts: {
      ...{ release: "molva@1.0.0", version: "1.0.0", environment: "demo", role: "api", root: process.cwd() },
      hide: (one) => redactText(one),
    },
    warn: (facts, text) => log.warn(facts, text),
  });
  const destination = { write: (line: string) => void lines.push(line) };
  log = createLog({ level: "info", destination, onError: reports.take });
}

const fail = (message: string, told = message) => log.error({ err: new Error(message) }, told);
const kept = async () => (await twins.control<{ events: Kept[] }>("GET", "/sentry/events")).events;
const values = async () => (await kept()).map(({ event }) => event.exception.values[0]?.value);
const calls = async () =>
  (await twins.control<{ entries: unknown[] }>("GET", "/journal?provider=sentry&limit=1000")).entries.length;
const fault = (kind: object, times?: number) =>
  twins.control("POST", "/faults", { provider: "sentry", fault: kind, ...(times && { times }) });
const warnings = () => lines.filter((line) => line.includes('"level":"warn"'));

it("sends an error once, in a form that Sentry understands whole", async () => {
  fail("boom");
  await reports.flush();
  expect(await kept()).toMatchObject([
    {
      project: "1",
      client: "molva/1.0.0",
      errors: [],
      event: { exception: { values: [{ value: "boom" }] } },
    },
  ]);
});

it("sends a few of equal errors a minute, and then how many there were", async () => {
  const orders = limits.perMinute + 7;
  for (let order = 0; order <= orders; order++) {
    if (order === orders) {
      await reports.flush();
      expect(await kept()).toHaveLength(limits.perMinute);
      clock.advance(60_000);
    }
    fail(`order ${order} failed`, "an order failed");
  }
  await reports.flush();
  expect((await kept()).at(-1)?.event.extra).toEqual({ equal_errors_not_sent: 7 });
});

it("lets a hundred wait, and drops what is more", async () => {
  for (let count = 0; count < limits.queue + 20; count++) fail("boom", `number ${count}`);
  await eventually(kept, (events) => events.length >= limits.queue);
  await reports.flush();
  expect([await calls(), (await kept()).length]).toEqual([limits.queue, limits.queue]);
});

it.each(["its own limits", "Retry-After alone"])(
  "sends nothing while Sentry wants nothing, told by %s, and goes on afterwards",
  async (told) => {
    if (told === "its own limits")
      await twins.control("PUT", "/sentry/quota", { seconds: 60, categories: ["error"] });
    else await fault({ kind: "status", status: 429, retryAfter: 60 });
    fail("first", "first");
    await reports.flush();
    await twins.control("DELETE", "/sentry/quota");
    await twins.control("DELETE", "/faults");
    fail("second", "second");
    await reports.flush();
    expect([await calls(), await values()]).toEqual([1, []]);
    clock.advance(60_000);
    fail("second", "second");
    await reports.flush();
    expect(await values()).toEqual(["second"]);
    expect(warnings()).toHaveLength(1);
  },
);

it.each([
  ["breaks off before it has it", { kind: "drop_before" }],
  ["breaks off after it has it", { kind: "drop_after" }],
  ["is overloaded", { kind: "status", status: 503 }],
])("tries again when Sentry %s; the event is there once", async (_, trouble) => {
  await fault(trouble, 2);
  fail("boom");
  await eventually(values, (seen) => seen.length === 1);
  await eventually(calls, (count) => count === 3);
  expect(await values()).toEqual(["boom"]);
  expect(warnings()).toHaveLength(1);
});

it("gives an event up after three attempts, and one that is refused at once", async () => {
  await fault({ kind: "status", status: 500 }, limits.attempts);
  fail("unlucky", "unlucky");
  await eventually(calls, (count) => count === limits.attempts);
  await fault({ kind: "status", status: 403 }, 1);
  fail("refused", "refused");
  await eventually(calls, (count) => count === limits.attempts + 1);
  fail("lucky", "lucky");
  await eventually(values, (seen) => seen.length === 1);
  expect(await values()).toEqual(["lucky"]);
});

it("leads to one warning while nobody is there", async () => {
  await reports.stop();
  open("http://0123456789abcdef0123456789abcdef@127.0.0.1:9/sentry/1");
  fail("one", "one");
  await reports.flush();
  fail("two", "two");
  await reports.flush();
  expect(warnings()).toEqual([expect.stringContaining("errors are not reported to Sentry for now")]);
});

it("ends within two seconds although Sentry hangs, and takes nothing more", async () => {
  await fault({ kind: "hang" });
  fail("boom");
  const began = performance.now();
  await reports.stop();
  expect(performance.now() - began).toBeLessThan(limits.flushMs + 1_500);
  fail("late");
  expect(await calls()).toBe(1);
});
