import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { returnLostHolds } from "../../src/billing/books/lost-holds.ts";
import { findingsIn } from "../../src/billing/testing/builders.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { builtScript } from "../support/built-script.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { regressionSeed } from "../support/seed.ts";
import { type Account, type Books, emptyBooks, move, sumOf } from "./ledger-model.ts";
import { people } from "./ledger-operation.ts";
import type { WorkerSettings } from "./ledger-worker.ts";

const operations = Number(process.env.MOLVA_LEDGER_OPERATIONS ?? 400);
const processes = 4;
const welcome = 1_500;
const folder = import.meta.dirname;
const accountName = z.enum([
  ...(["tokens", "in_progress", "done", "revenue", "bonuses", "referral", "refunds", "adjustments"] as const),
]);
const answer = z.object({
  books: z.object({
    balances: z.map(z.number(), z.number()),
    accounts: z.record(accountName, z.number()),
    refunded: z.set(z.number()),
  }),
  deaths: z.number(),
});

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await testDatabase({ max: 4 });
  sql = database.sql;
  await sql`select workspaces.ensure_event_partitions()`;
  await sql.unsafe(`
    create schema a_product;
    create function a_product.referrer_of(p_workspace_id uuid, p_user_id bigint) returns bigint
      language sql stable as 'select nullif(p_user_id - 1, 0)'`);
});
afterAll(() => database?.drop());

describe("whatever is done to the books by four processes that are killed between any two statements, no token is made or lost", () => {
  it.each([
    // So few operations may end before one of them is met from outside.
    ["in operations of the seed that every run had before", () => regressionSeed, 0.2, 0],
    ["in operations of this run's seed", () => inject("seed"), 0.8, 1],
  ])(
    "and the books balance at every moment: %s",
    async (_, seed, share, leastKills) => {
      const kills = await workTogether(seed(), operations * share);
      expect(kills).toBeGreaterThanOrEqual(leastKills);
    },
    1_800_000,
  );
});

/** Returns how often a connection was killed from outside. */
async function workTogether(seed: number, wanted: number): Promise<number> {
  const workspaceId = await aWorkspace(sql);
  const begun = emptyBooks();
  for (let user = 1; user <= people; user += 1) {
    await sql`select billing.open_account(${workspaceId}, ${user})`;
    move(begun, user, welcome, "bonuses");
  }
  const outside = new AbortController();
  const killer = killNowAndThen(outside.signal);
  const watcher = watch(workspaceId, outside.signal);
  const told = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      work(workspaceId, { index, seed, share: wanted / processes }),
    ),
  ).finally(() => outside.abort());
  const kills = await killer;
  expect(await watcher).toEqual([]);
  await returnLostHolds(sql, new Date());
  const books = sumOf([begun, ...told.map((each) => each.books)]);

  expect(await balances(workspaceId)).toEqual(
    new Map([...books.balances].toSorted(([one], [other]) => one - other)),
  );
  expect(await accounts(workspaceId)).toEqual(books.accounts);
  expect(await findingsIn(sql, workspaceId)).toEqual([]);
  expectNoDebtWithoutRefund(books);
  await expectEveryPrefixBalanced(workspaceId);
  expect(told.reduce((sum, { deaths }) => sum + deaths, 0)).toBeGreaterThan(wanted / 20);
  return kills;
}

/** Each process has operations of its own, the same ones for the same seed. */
async function work(
  workspaceId: string,
  { index, seed, share }: { index: number; seed: number; share: number },
): Promise<{ books: Books; deaths: number }> {
  const settings: WorkerSettings = {
    ...{ url: database.url, workspaceId, name: `p${index}` },
    ...{ operations: share, seed: seed + index },
  };
  const child = fork(await builtScript(join(folder, "ledger-worker.ts")), [JSON.stringify(settings)], {
    // Maps and sets come over as they are.
    ...{ execArgv: [], serialization: "advanced", stdio: ["ignore", "ignore", "pipe", "ipc"] },
  });
  const said: Buffer[] = [];
  child.stderr?.on("data", (part: Buffer) => said.push(part));
  const told: unknown[] = [];
  child.on("message", (message) => told.push(message));
  const [code] = await once(child, "exit");
  if (code !== 0 || told.length === 0) throw new Error(`process ${index} failed: ${Buffer.concat(said)}`);
  return answer.parse(told[0]);
}

/** Kills connections of the processes from outside, at any moment. */
async function killNowAndThen(signal: AbortSignal): Promise<number> {
  let kills = 0;
  while (!signal.aborted) {
    const killed = await sql`
      select pg_terminate_backend(a.pid), pg_sleep(0.15) from pg_stat_activity a
      where a.datname = current_database() and a.application_name like 'ledger-%' and a.state <> 'idle'
      order by random() limit 1`;
    kills += killed.length;
    if (killed.length === 0) await sql`select pg_sleep(0.15)`;
  }
  return kills;
}

/** Checks the books while transfers run; returns what is wrong at any moment. */
async function watch(workspaceId: string, signal: AbortSignal): Promise<string[]> {
  while (!signal.aborted) {
    const wrong = await findingsIn(sql, workspaceId, new Date(Date.now() - 3_600_000));
    if (wrong.length > 0) return wrong;
    await sql`select pg_sleep(0.2)`;
  }
  return [];
}

async function balances(workspaceId: string): Promise<Map<number, number>> {
  const rows = await sql<{ id: number; balance: number }[]>`
    select id, balance from billing.users where workspace_id = ${workspaceId} order by id`;
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}

async function accounts(workspaceId: string): Promise<Record<Account, number>> {
  const [row] = await sql<[Record<Account, number>]>`
    select sum(tokens + debt)::int as tokens, sum(in_progress)::int as in_progress, sum(done)::int as done,
      sum(revenue)::int as revenue, sum(bonuses)::int as bonuses, sum(referral)::int as referral, sum(refunds)::int as refunds,
      sum(adjustments)::int as adjustments
    from billing.transfers where workspace_id = ${workspaceId}`;
  return { ...row };
}

function expectNoDebtWithoutRefund({ balances, refunded }: Books): void {
  const owing = [...balances].filter(([, balance]) => balance < 0).map(([user]) => user);
  expect(owing.filter((user) => !refunded.has(user))).toEqual([]);
}

/** Any prefix of the transfers sums to zero, and no work holds a negative amount. */
async function expectEveryPrefixBalanced(workspaceId: string): Promise<void> {
  const wrong = await sql`
    select key from (
      select key,
        sum(tokens + debt + in_progress + done + revenue + bonuses + referral + refunds + adjustments) over (order by id) as total,
        sum(in_progress) over (partition by run, step order by id) as held
      from billing.transfers where workspace_id = ${workspaceId}
    ) prefixes
    where total <> 0 or held < 0`;
  expect([...wrong]).toEqual([]);
}
