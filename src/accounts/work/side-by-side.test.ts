import { afterAll, beforeAll, expect, it } from "vitest";
import { type AccountStand, accountStand } from "../../../tests/support/account-stand.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import type { AccountDriver } from "../../platforms/index.ts";
import { saveConfig } from "../config/save-config.ts";

let stand: AccountStand;

beforeAll(async () => {
  stand = await accountStand(await testDatabase({ max: 20 }), { times: { tickMs: 100, postponeMs: 50 } });
  await stand.sql`insert into accounts.settings (workspace_id, key, value)
    values (${stand.workspaceId}, 'account_rate_limit', '{"enabled": false}')`;
});
afterAll(() => stand.close());

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
  const accounts = [await stand.anAccount(), await stand.anAccount()];
  const chats = [];
  for (const account of accounts)
    for (let index = 0; index < 6; index += 1) {
      const chat = await stand.aChat([account]);
      chats.push(chat);
      const object_id = await stand.anObject();
      await stand.aTask({ object_id, chat_id: chat.id, account_id: account.id }, { origin: "manual" });
    }
  const workers = [1, 2, 3].map(() => stand.worker({ driver: watch(stand.twin.anotherDriver()) }));
  for (const worker of workers) await worker.start();
  await until("all to be published", async () => {
    const left = await stand.sql`select from accounts.queue where status <> 'completed'`;
    return left.length === 0;
  });
  for (const worker of workers) await worker.stop();
  for (const chat of chats) expect(await stand.said(chat)).toHaveLength(1);
  expect(await stand.sql`select from accounts.history`).toHaveLength(12);
  expect(most()).toBe(1);
});

it("one worker serves many accounts at once: one that hangs does not hold up the others", async () => {
  const [slow, quick] = [await stand.anAccount(), await stand.anAccount()];
  await stand.twin.twins.control("POST", "/faults", {
    ...{ provider: "telegram-account", bot: slow.phone, method: "sendText", times: 1 },
    fault: { kind: "hang" },
  });
  const [first, second] = [await stand.aChat([slow]), await stand.aChat([quick])];
  const held = await stand.aTask(
    { object_id: await stand.anObject(), chat_id: first.id, account_id: slow.id },
    { origin: "manual", scheduled_time: new Date(stand.clock.now().getTime() - 1_000) },
  );
  await stand.aTask(
    { object_id: await stand.anObject(), chat_id: second.id, account_id: quick.id },
    { origin: "manual" },
  );
  const worker = stand.worker({ times: { tickMs: 100, softMs: 1_500, hardMs: 3_000 } });
  await worker.start();
  await until("the quick one", async () => (await stand.said(second)).length === 1);
  // At the soft limit the send is given up: nobody knows, so it is tried again.
  await until(
    "the slow one to be given up",
    async () => (await stand.task(held)).reason === "outcome_unknown",
  );
  await worker.stop();
  expect(await stand.task(held)).toMatchObject({ status: "pending", attempts: 1 });
});

it("at the soft limit of a send, what a dead worker left is taken back, long before the next look", async () => {
  const [slow, orphaned] = [await stand.anAccount(), await stand.anAccount()];
  await stand.twin.twins.control("POST", "/faults", {
    ...{ provider: "telegram-account", bot: slow.phone, method: "sendText", times: 1 },
    fault: { kind: "hang" },
  });
  const [first, second] = [await stand.aChat([slow]), await stand.aChat([orphaned])];
  const held = await stand.aTask(
    { object_id: await stand.anObject(), chat_id: first.id, account_id: slow.id },
    { origin: "manual", scheduled_time: new Date(stand.clock.now().getTime() - 1_000) },
  );
  const left = await stand.aTask(
    { object_id: await stand.anObject(), chat_id: second.id, account_id: orphaned.id },
    { origin: "manual", scheduled_time: new Date(stand.clock.now().getTime() + 3_600_000) },
  );
  const worker = stand.worker({ times: { tickMs: 600_000, softMs: 1_500, hardMs: 60_000 } });
  await worker.start();
  await until("the send is under way", async () => (await stand.task(held)).status === "processing");
  const longAgo = new Date(stand.clock.now().getTime() - 600_000);
  await stand.sql`
    update accounts.queue set status = 'processing', started_at = ${longAgo}, claim_token = gen_random_uuid()
    where id = ${left}`;
  await until("the orphan is taken back", async () => (await stand.task(left)).reason === "stuck");
  expect(await stand.task(left)).toMatchObject({ status: "pending", attempts: 1 });
  await worker.stop();
});

it("a configuration that is saved wakes the worker: nothing waits for its next round", async () => {
  const account = await stand.anAccount();
  const chat = await stand.aChat([account]);
  const object = await stand.anObject();
  const worker = stand.worker({ times: { tickMs: 600_000 } });
  await worker.start();
  await worker.drained();
  await saveConfig(
    stand.deps,
    stand.workspaceId,
    object,
    { accounts: [{ account_id: account.id, chat_ids: [chat.id] }] },
    stand.anna,
  );
  await until("the publication", async () => (await stand.said(chat)).length === 1);
  await worker.stop();
});
