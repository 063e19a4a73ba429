import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { balanceOf, findingsIn } from "../../src/billing/testing/builders.ts";
import { reconcileCardPayments } from "../../src/billing/yookassa/reconcile.ts";
import { renewDue } from "../../src/billing/yookassa/renew.ts";
import { type CardTask, orderOf, tapPay } from "../../src/billing/yookassa/testing/card-deps.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { builtScript } from "../support/built-script.ts";
import { type CardHarness, cardHarness } from "../support/card-harness.ts";
import { type PostgresRelay, startPostgresRelay } from "../support/postgres-relay.ts";
import { eventually } from "../support/until.ts";

/**
 * A process is killed between every two steps of a charge, and others go on. The person is charged once and gets the tokens once.
 * Where the step is a statement, a relay in front of the database stops the process there; where it is a request, the twin does.
 */
let harness: CardHarness;
let relay: PostgresRelay;
let workspaceId: string;
let userId: number;
const processes: ChildProcess[] = [];
const minute = 60_000;
const day = 24 * 60 * minute;

beforeAll(async () => {
  harness = await cardHarness();
  relay = await startPostgresRelay(harness.database.url);
});
beforeEach(async () => {
  ({ workspaceId, userId } = await harness.reset());
});
afterEach(async () => {
  for (const child of processes.splice(0)) await kill(child);
});
afterAll(async () => {
  if (spare) await kill(spare);
  await relay?.close();
  await harness?.close();
});

/** The next process loads its code while the one before it works. */
let spare: ChildProcess | undefined;
const source = join(projectRoot, "tests", "support", "card-process.ts");
const fresh = async () => fork(await builtScript(source), { execArgv: [] });

async function aProcess(): Promise<ChildProcess> {
  const child = spare ?? (await fresh());
  if (child !== spare) await once(child, "message");
  else if (!(await loaded)) throw new Error("a process did not load");
  processes.push(child);
  const next = await fresh();
  spare = next;
  loaded = once(next, "message");
  return child;
}
let loaded: Promise<unknown> | undefined;

const send = (child: ChildProcess, what: CardTask["what"]) =>
  child.send({
    ...{ what, workspaceId, userId, databaseUrl: relay.url },
    apiRoot: `${harness.twins.url}/yookassa/v3`,
    now: harness.clock.now().toISOString(),
  } satisfies CardTask);

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** YooKassa has received the request, applied the fault and does not answer. */
const struck = () =>
  eventually(
    () => harness.twins.control<{ faults: unknown[] }>("GET", "/faults"),
    ({ faults }) => faults.length === 0,
  );

const at = (moment: "before" | "after", words: string) => async () => {
  const stopped = relay.stopAt(moment, words);
  return () => stopped;
};
const hung = (after: boolean) => async () => {
  await harness.fault("POST /payments", { kind: "hang", after });
  return struck;
};

const payments = () => harness.control("GET", "/payments").then(({ payments: all }) => all);
const balance = () => balanceOf(harness.sql, workspaceId, userId);
const faults = () => findingsIn(harness.sql, workspaceId, harness.clock.now());
const kinds = async () => (await harness.told(workspaceId)).map(({ kind }) => kind);

describe("a process that charges for a subscription, killed", () => {
  // covers cards: A period is charged for once
  it.each([
    ["before it takes the subscription", at("before", "billing.begin_renewal")],
    ["when it has taken it, before it knows", at("after", "billing.begin_renewal")],
    ["when the request is written, before the commit", at("after", "billing.keep_request")],
    ["after the commit, before it asks YooKassa", at("after", "commit")],
    ["when the request has left, before YooKassa does anything", hung(false)],
    ["when YooKassa has charged, before it hears of it", hung(true)],
    ["when it has heard, before it notes the charge", at("before", "billing.name_charge")],
    ["when the charge is noted, before the tokens", at("after", "billing.name_charge")],
    ["when the tokens are given, before the commit", at("after", "billing.record_payment")],
  ])("%s: charged once, credited once", async (_step, prepare) => {
    const id = orderOf(await tapPay(harness.deps, { workspaceId, userId, code: "pro", recurring: true }));
    await harness.control("POST", `/payments/${id}/act`, { act: "pay" });
    await harness.deliver();
    await harness.advance(30 * day - 30 * minute);

    const child = await aProcess();
    const stands = await prepare();
    send(child, "renew");
    await stands();
    await kill(child);

    await renewDue(harness.deps);
    await harness.advance(3 * minute);
    await Promise.all([reconcileCardPayments(harness.deps), renewDue(harness.deps), harness.deliver()]);
    await harness.deliver();
    expect([(await payments()).length, await balance(), await faults()]).toEqual([2, 15_400, []]);
    expect(await kinds()).toEqual(["paid", "renewed"]);
  });
});

describe("a process that begins a purchase, killed", () => {
  it.each([
    ["when the payment is expected, before the commit", at("after", "billing.expect_payment")],
    ["after the commit, before it asks YooKassa", at("after", "commit")],
    ["when the request has left, before YooKassa does anything", hung(false)],
    ["when YooKassa has made the payment, before it hears of it", hung(true)],
    ["when it has heard, before it notes the charge", at("before", "billing.name_charge")],
  ])("%s: the next tap finds one payment, which is credited once", async (_step, prepare) => {
    const child = await aProcess();
    const stands = await prepare();
    send(child, "pay");
    await stands();
    await kill(child);

    const id = orderOf(await tapPay(harness.deps, { workspaceId, userId }));
    await harness.control("POST", `/payments/${id}/act`, { act: "pay" });
    await harness.deliver();
    expect([(await payments()).length, await balance(), await faults()]).toEqual([1, 4_500, []]);
    expect(await kinds()).toEqual(["paid"]);
  });
});

// covers cards: A period is charged for once
it("two processes that renew at once charge once", async () => {
  const id = orderOf(await tapPay(harness.deps, { workspaceId, userId, code: "pro", recurring: true }));
  await harness.control("POST", `/payments/${id}/act`, { act: "pay" });
  await harness.deliver();
  await harness.advance(30 * day - 30 * minute);
  const [one, other] = [await aProcess(), await aProcess()];
  const ended = Promise.all([once(one, "message"), once(other, "message")]);
  for (const child of [one, other]) send(child, "renew");
  const outcomes = (await ended).flatMap(([word]) => word.done).filter((each) => each !== "taken");
  expect(outcomes).toEqual(["charged"]);
  await harness.deliver();
  expect([(await payments()).length, await balance(), await faults()]).toEqual([2, 15_400, []]);
});
