import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type AccountHarness,
  accountHarness,
  type HarnessAccount,
} from "../../../tests/support/account-harness.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { saveConfig } from "../config/save-config.ts";
import { createGovernor } from "../governor/governor.ts";
import { publishManually } from "../manual/publish-manually.ts";
import type { AccountWorker } from "../work/account-worker.ts";
import type { PlanDeps } from "./plan-deps.ts";

let harness: AccountHarness;
let deps: PlanDeps;
let worker: AccountWorker;
let account: HarnessAccount;
let another: HarnessAccount;
let chats: string[];

beforeAll(async () => {
  harness = await accountHarness(await testDatabase());
  deps = { ...harness.deps, governor: createGovernor(harness) };
  worker = harness.worker({ governor: deps.governor });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.sql`delete from accounts.accounts`;
  await harness.sql`delete from accounts.objects`;
  const day = new Date(harness.clock.now().getTime() + 24 * 3_600_000).toISOString().slice(0, 10);
  harness.clock.set(`${day}T09:00:00Z`);
  account = await harness.anAccount({ connected_at: harness.clock.now() });
  another = await harness.anAccount({ connected_at: harness.clock.now() });
  chats = [];
  for (let index = 0; index < 10; index += 1) chats.push((await harness.aChat([account, another])).id);
});

interface Promised {
  readonly id: string;
  readonly scheduled_time: Date;
}

/** Lets time pass from one planned moment to the next, and says what became of each task. */
async function live(promised: readonly Promised[]) {
  const came: unknown[] = [];
  for (const { id, scheduled_time } of promised) {
    harness.clock.set(scheduled_time.toISOString());
    await harness.work(worker);
    const { status, completed_at, reason } = await harness.task(id);
    came.push({ status, reason, at: completed_at });
  }
  return came;
}

const asPromised = (promised: readonly Promised[]) =>
  promised.map(({ scheduled_time }) => ({ status: "completed", reason: null, at: scheduled_time }));

// covers accounts: 1. Each mode has its gaps, inside the window
it("a new account keeps every time that its plan of today names", async () => {
  const object = await harness.anObject();
  const entry = { account_id: account.id, chat_ids: chats };
  const saved = await saveConfig(deps, harness.workspaceId, object, { accounts: [entry] }, harness.anna);
  expect([saved.planned.length, saved.left]).toEqual([4, 6]);
  expect(await live(saved.planned)).toEqual(asPromised(saved.planned));
});

// covers accounts: 1. Each mode has its gaps, inside the window
it("what a new account cannot send today has a real day, and goes then", async () => {
  const objects = [
    await harness.anObject(),
    await harness.anObject({ texts: { default: "Гараж у вокзала, сухой" } }),
  ];
  for (const object_id of objects)
    await publishManually(
      deps,
      harness.workspaceId,
      { object_id, account_id: account.id, chat_ids: chats },
      harness.anna,
    );
  const promised = await harness.sql<Promised[]>`
    select id, scheduled_time from accounts.queue where account_id = ${account.id} order by scheduled_time, id`;
  const days = new Set(promised.map(({ scheduled_time }) => scheduled_time.toISOString().slice(0, 10)));
  expect([promised.length, days.size]).toEqual([20, 3]);
  expect(await live(promised)).toEqual(asPromised(promised));
});

it("the daily plan keeps its times, and chats that were left out yesterday come first today", async () => {
  const object = await harness.anObject();
  const entry = { account_id: account.id, chat_ids: chats };
  const saved = await saveConfig(deps, harness.workspaceId, object, { accounts: [entry] }, harness.anna);
  await live(saved.planned);
  const day = new Date(harness.clock.now().getTime() + 24 * 3_600_000).toISOString().slice(0, 10);
  harness.clock.set(`${day}T05:00:00Z`);
  await harness.work(worker);
  const today = await harness.sql<(Promised & { chat_id: string })[]>`
    select id, chat_id, scheduled_time from accounts.queue
    where account_id = ${account.id} and origin = 'daily' order by scheduled_time, id`;
  const had = new Set(saved.planned.map(({ chat_id }) => chat_id));
  expect(today.filter(({ chat_id }) => had.has(chat_id))).toEqual([]);
  expect(today.length).toBeGreaterThanOrEqual(4);
  expect(await live(today)).toEqual(asPromised(today));
});

// covers accounts: 1. Each mode has its gaps, inside the window
it("accounts that publish one object keep their times: each knows what the others have planned", async () => {
  const object = await harness.anObject();
  const accounts = [account, another].map(({ id }) => ({ account_id: id, chat_ids: chats }));
  const saved = await saveConfig(deps, harness.workspaceId, object, { accounts }, harness.anna);
  expect(new Set(saved.planned.map(({ account_id }) => account_id)).size).toBe(2);
  expect(await live(saved.planned)).toEqual(asPromised(saved.planned));
});
