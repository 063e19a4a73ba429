import { afterAll, beforeAll, expect, it } from "vitest";
import { type AccountHarness, accountHarness } from "../../../tests/support/account-harness.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import type { AccountDriver } from "../../platforms/index.ts";
import { saveConfig } from "../config/save-config.ts";

let harness: AccountHarness;

beforeAll(async () => {
  harness = await accountHarness(await testDatabase({ max: 20 }), { times: { tickMs: 100, postponeMs: 50 } });
  await harness.sql`insert into accounts.settings (workspace_id, key, value)
    values (${harness.workspaceId}, 'account_rate_limit', '{"enabled": false}')`;
});
afterAll(() => harness.close());

/** Counts how many sends of one account are under way at once, over all drivers that it watches. */
function watched() {
  const under = new Map<string, number>();
  let most = 0;
  const watch = (driver: AccountDriver): AccountDriver => ({
    ...driver,
    async open(account) {
      const client = await driver.open(account);
      const step = (by: number) => {
        const now = (under.get(account.accountId) ?? 0) + by;
        under.set(account.accountId, now);
        most = Math.max(most, now);
      };
      return {
        ...client,
        async send(post, signal) {
          step(1);
          try {
            return await client.send(post, signal);
          } finally {
            step(-1);
          }
        },
      };
    },
  });
  return { watch, most: () => most };
}

// covers accounts: 7. Two workers never send one task twice
it("workers side by side on the same accounts: every task is sent once, an account sends one at a time", async () => {
  const { watch, most } = watched();
  const accounts = [await harness.anAccount(), await harness.anAccount()];
  const chats = [];
  for (const account of accounts)
    for (let index = 0; index < 6; index += 1) {
      const chat = await harness.aChat([account]);
      chats.push(chat);
      const object_id = await harness.anObject();
      await harness.aTask({ object_id, chat_id: chat.id, account_id: account.id }, { origin: "manual" });
    }
  const workers = [1, 2, 3].map(() => harness.worker({ driver: watch(harness.twin.anotherDriver()) }));
  for (const worker of workers) await worker.start();
  await until("all to be published", async () => {
    const left = await harness.sql`select from accounts.queue where status <> 'completed'`;
    return left.length === 0;
  });
  for (const worker of workers) await worker.stop();
  for (const chat of chats) expect(await harness.said(chat)).toHaveLength(1);
  expect(await harness.sql`select from accounts.history`).toHaveLength(12);
  expect(most()).toBe(1);
});

it("one worker serves many accounts at once: one that hangs does not hold up the others", async () => {
  const [slow, quick] = [await harness.anAccount(), await harness.anAccount()];
  await harness.twin.twins.control("POST", "/faults", {
    ...{ provider: "telegram-account", bot: slow.phone, method: "sendText", times: 1 },
    fault: { kind: "hang" },
  });
  const [first, second] = [await harness.aChat([slow]), await harness.aChat([quick])];
  const held = await harness.aTask(
    { object_id: await harness.anObject(), chat_id: first.id, account_id: slow.id },
    { origin: "manual", scheduled_time: new Date(harness.clock.now().getTime() - 1_000) },
  );
  await harness.aTask(
    { object_id: await harness.anObject(), chat_id: second.id, account_id: quick.id },
    { origin: "manual" },
  );
  const worker = harness.worker({ times: { tickMs: 100, softMs: 1_500, hardMs: 3_000 } });
  await worker.start();
  await until("the quick one", async () => (await harness.said(second)).length === 1);
  // At the soft limit the send is given up: nobody knows, so it is tried again.
  await until(
    "the slow one to be given up",
    async () => (await harness.task(held)).reason === "outcome_unknown",
  );
  await worker.stop();
  expect(await harness.task(held)).toMatchObject({ status: "pending", attempts: 1 });
});

it("at the soft limit of a send, what a dead worker left is taken back, long before the next look", async () => {
  const [slow, orphaned] = [await harness.anAccount(), await harness.anAccount()];
  await harness.twin.twins.control("POST", "/faults", {
    ...{ provider: "telegram-account", bot: slow.phone, method: "sendText", times: 1 },
    fault: { kind: "hang" },
  });
  const [first, second] = [await harness.aChat([slow]), await harness.aChat([orphaned])];
  const held = await harness.aTask(
    { object_id: await harness.anObject(), chat_id: first.id, account_id: slow.id },
    { origin: "manual", scheduled_time: new Date(harness.clock.now().getTime() - 1_000) },
  );
  const left = await harness.aTask(
    { object_id: await harness.anObject(), chat_id: second.id, account_id: orphaned.id },
    { origin: "manual", scheduled_time: new Date(harness.clock.now().getTime() + 3_600_000) },
  );
  const worker = harness.worker({ times: { tickMs: 600_000, softMs: 1_500, hardMs: 60_000 } });
  await worker.start();
  await until("the send is under way", async () => (await harness.task(held)).status === "processing");
  const longAgo = new Date(harness.clock.now().getTime() - 600_000);
  await harness.sql`
    update accounts.queue set status = 'processing', started_at = ${longAgo}, claim_token = gen_random_uuid()
    where id = ${left}`;
  await until("the orphan is taken back", async () => (await harness.task(left)).reason === "stuck");
  expect(await harness.task(left)).toMatchObject({ status: "pending", attempts: 1 });
  await worker.stop();
});

it("a configuration that is saved wakes the worker: nothing waits for its next round", async () => {
  const account = await harness.anAccount();
  const chat = await harness.aChat([account]);
  const object = await harness.anObject();
  const worker = harness.worker({ times: { tickMs: 600_000 } });
  await worker.start();
  await worker.drained();
  await saveConfig(
    harness.deps,
    harness.workspaceId,
    object,
    { accounts: [{ account_id: account.id, chat_ids: [chat.id] }] },
    harness.anna,
  );
  await until("the publication", async () => (await harness.said(chat)).length === 1);
  await worker.stop();
});
