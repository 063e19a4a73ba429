import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type AccountHarness,
  accountHarness,
  type HarnessAccount,
  type HarnessChat,
} from "../../../tests/support/account-harness.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { createAccountWorker } from "./account-worker.ts";

let harness: AccountHarness;
let account: HarnessAccount;
let chat: HarnessChat;
let object: string;

beforeAll(async () => {
  harness = await accountHarness(await testDatabase());
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.sql`delete from accounts.accounts`;
  harness.clock.advance(24 * 60);
  harness.clock.set(`${harness.clock.now().toISOString().slice(0, 10)}T09:00:00Z`);
  account = await harness.anAccount({ title: "Анна" });
  chat = await harness.aChat([account]);
  object = await harness.anObject();
  await harness.aConfig(object, [{ account_id: account.id, chat_ids: [chat.id] }]);
});

const aTask = (given: Record<string, unknown> = {}) =>
  harness.aTask({ object_id: object, chat_id: chat.id, account_id: account.id }, given);

/** Another object of the same account, in a chat of its own unless one is given. */
async function another(given: Record<string, unknown> = {}, place?: HarnessChat) {
  const its = place ?? (await harness.aChat([account]));
  const id = await harness.anObject();
  await harness.aConfig(id, [{ account_id: account.id, chat_ids: [its.id] }]);
  const task = await harness.aTask({ object_id: id, chat_id: its.id, account_id: account.id }, given);
  return { task, chat: its, object: id };
}

const published = (minutesAgo: number, by = account.id) => harness.sql`
  insert into accounts.history (workspace_id, object_id, chat_id, account_id, published_at, message_id)
  values (${harness.workspaceId}, ${object}, ${chat.id}, ${by},
    ${new Date(harness.clock.now().getTime() - minutesAgo * 60_000)}, '1')`;

describe("a task that is due", () => {
  it("is published and leaves its traces: the message, the history, the counters, the event", async () => {
    const id = await aTask({ origin: "daily" });
    await harness.sql`update accounts.accounts set last_error = 'было' where id = ${account.id}`;
    await harness.work();
    const now = harness.clock.now();
    expect(await harness.said(chat)).toEqual([expect.stringMatching(/^Квартира \d+\nСвет и тишина$/)]);
    expect(await harness.task(id)).toMatchObject({
      status: "completed",
      completed_at: now,
      message_id: "1",
      attempts: 0,
      last_error: null,
    });
    expect(await harness.account(account)).toMatchObject({ last_used_at: now, last_error: null });
    const [row] = await harness.sql`select * from accounts.history where queue_id = ${id}`;
    expect(row).toMatchObject({
      object_id: object,
      chat_id: chat.id,
      account_id: account.id,
      published_at: now,
    });
    const [place] = await harness.sql`select * from accounts.chats where id = ${chat.id}`;
    expect(place).toMatchObject({ published_count: 1, last_published_at: now });
    const [event] = (await harness.events("account_sent")).filter(({ task_id }) => task_id === id);
    expect(event).toMatchObject({
      result: "ok",
      meta: { account_id: account.id, object_id: object, chat_id: chat.id, provider_message_id: "1" },
    });
  });

  // covers accounts: 8. Each failed check stores its reason and sends nothing
  it("waits for its time, for the account's window, and for the account's limit", async () => {
    const later = await aTask({ scheduled_time: new Date(harness.clock.now().getTime() + 60_000) });
    await harness.work();
    expect((await harness.task(later)).status).toBe("pending");
    const day = harness.clock.now().toISOString().slice(0, 10);
    harness.clock.set(`${day}T19:00:00Z`);
    await harness.work();
    expect((await harness.task(later)).status).toBe("pending");
    harness.clock.set(`${day}T18:59:59Z`);
    await harness.sql`update accounts.accounts set daily_limit = 0 where id = ${account.id}`;
    await harness.work();
    expect(await harness.said(chat)).toEqual([]);
    await harness.sql`update accounts.accounts set daily_limit = 1 where id = ${account.id}`;
    await harness.work(harness.worker());
    expect(await harness.said(chat)).toHaveLength(1);
  });

  // covers accounts: 2. The limit counts published and planned
  it("never goes beyond the daily limit, however many are due", async () => {
    await harness.sql`update accounts.accounts set daily_limit = 2 where id = ${account.id}`;
    await harness.sql`insert into accounts.settings (workspace_id, key, value)
      values (${harness.workspaceId}, 'account_rate_limit', '{"enabled": false}')`;
    for (let index = 0; index < 5; index += 1) await another();
    await harness.work();
    await harness.work(harness.worker());
    await harness.sql`delete from accounts.settings`;
    const counted =
      await harness.sql`select count(*)::int as n from accounts.history where account_id = ${account.id}`;
    expect(counted[0]?.n).toBe(2);
  });

  it("is sent in the format of the configuration, or the one a person asked for", async () => {
    await harness.sql`update accounts.autopublish set format = 'compact' where object_id = ${object}`;
    await aTask();
    const manual = await harness.anObject({ texts: { default: "Полный текст", compact: "Кратко" } });
    await harness.aTask(
      { object_id: manual, chat_id: chat.id, account_id: account.id },
      {
        origin: "manual",
        format: "default",
        scheduled_time: new Date(harness.clock.now().getTime() + 61_000),
      },
    );
    await harness.work();
    harness.clock.advance(2);
    await harness.work();
    expect(await harness.said(chat)).toEqual([expect.stringMatching(/^Квартира \d+$/), "Полный текст"]);
  });
});

describe("each check that fails stores its reason and sends nothing", () => {
  const cases: [string, () => Promise<unknown>][] = [
    ["object_missing", () => harness.sql`delete from accounts.objects where id = ${object}`],
    [
      "object_archived",
      () => harness.sql`update accounts.objects set archived_at = now() where id = ${object}`,
    ],
    ["chat_missing", () => harness.sql`delete from accounts.chats where id = ${chat.id}`],
    ["no_config", () => harness.sql`delete from accounts.autopublish where object_id = ${object}`],
    [
      "autopublish_off",
      () => harness.sql`update accounts.autopublish set enabled = false where object_id = ${object}`,
    ],
    [
      "accounts_off",
      () => harness.sql`update accounts.autopublish set accounts_enabled = false where object_id = ${object}`,
    ],
    [
      "not_in_config",
      () => harness.sql`update accounts.autopublish set accounts_config = '[]' where object_id = ${object}`,
    ],
    [
      "account_not_connected",
      () => harness.sql`update accounts.accounts set connected_at = null where id = ${account.id}`,
    ],
    ["chat_of_bot", () => harness.sql`update accounts.chats set owner_type = 'bot' where id = ${chat.id}`],
    ["chat_inactive", () => harness.sql`update accounts.chats set is_active = false where id = ${chat.id}`],
    ["chat_not_linked", () => harness.sql`delete from accounts.account_chats where chat_id = ${chat.id}`],
    [
      "chat_not_joined",
      () => harness.sql`update accounts.chats set telegram_chat_id = null where id = ${chat.id}`,
    ],
    [
      "chat_not_writable",
      () => harness.sql`update accounts.account_chats set can_write = false where chat_id = ${chat.id}`,
    ],
    ["duplicate", () => published(60)],
    ["no_text", () => harness.sql`update accounts.objects set texts = '{}' where id = ${object}`],
    [
      "text_refused",
      () =>
        harness.sql`update accounts.objects set texts = '{"default": "<b>нет конца"}' where id = ${object}`,
    ],
  ];
  // covers accounts: 8. Each failed check stores its reason and sends nothing
  it.each(cases)("a check that fails: %s", async (reason, spoil) => {
    const id = await aTask();
    await spoil();
    await harness.work();
    expect(await harness.task(id)).toMatchObject({
      status: "failed",
      reason,
      last_error: expect.stringMatching(/[а-я]/),
      attempts: 0,
    });
    expect(await harness.said(chat)).toEqual([]);
    const [event] = (await harness.events("account_failed")).filter(({ task_id }) => task_id === id);
    expect(event).toMatchObject({ result: "error", error: { code: reason } });
  });

  it("the older scheme makes a chat usable too", async () => {
    await harness.sql`delete from accounts.account_chats where chat_id = ${chat.id}`;
    await harness.sql`update accounts.chats set owner_account_id = ${account.id} where id = ${chat.id}`;
    await aTask();
    await harness.work();
    expect(await harness.said(chat)).toHaveLength(1);
  });

  it("what a person asked for needs no configuration", async () => {
    await harness.sql`delete from accounts.autopublish where object_id = ${object}`;
    await aTask({ origin: "manual" });
    await harness.work();
    expect(await harness.said(chat)).toHaveLength(1);
  });
});

describe("a repeat", () => {
  // covers accounts: 9. Repeats
  it("is refused 23 h 59 min after the publication and allowed after 24 h 1 min", async () => {
    const early = await aTask();
    await published(23 * 60 + 59);
    await harness.work();
    expect(await harness.task(early)).toMatchObject({ status: "failed", reason: "duplicate" });
    harness.clock.advance(2);
    await aTask();
    await harness.work();
    expect(await harness.said(chat)).toHaveLength(1);
  });

  // covers accounts: 9. Repeats
  it("by another account, of what was deleted, or allowed by the settings is none", async () => {
    const other = await harness.anAccount();
    await published(10, other.id);
    await aTask();
    await harness.work();
    expect(await harness.said(chat)).toHaveLength(1);

    await harness.sql`update accounts.history set deleted = true, deleted_at = now() where object_id = ${object}`;
    harness.clock.advance(2);
    await aTask();
    await harness.work();
    expect(await harness.said(chat)).toHaveLength(2);

    await harness.sql`insert into accounts.settings (workspace_id, key, value)
      values (${harness.workspaceId}, 'allow_duplicates', '{"autopublish_account": true}')`;
    harness.clock.advance(2);
    await aTask();
    await harness.work();
    await harness.sql`delete from accounts.settings`;
    expect(await harness.said(chat)).toHaveLength(3);
  });
});

describe("the limiter", () => {
  // covers accounts: 10. The limiter puts off without a try
  it("lets one message a minute through and puts the rest off without counting a try", async () => {
    await aTask();
    const second = await another();
    await harness.work();
    expect(await harness.task(second.task)).toMatchObject({
      status: "pending",
      reason: "rate_limited",
      attempts: 0,
      scheduled_time: new Date(harness.clock.now().getTime() + 60_000),
    });
    harness.clock.advance(1);
    await harness.work();
    expect(await harness.task(second.task)).toMatchObject({ status: "completed", attempts: 0 });
  });

  // covers accounts: 10. The limiter puts off without a try
  it("lets sixty an hour through", async () => {
    const now = harness.clock.now().getTime();
    for (let index = 0; index < 60; index += 1)
      await harness.sql`insert into accounts.sends (workspace_id, account_id, at)
        values (${harness.workspaceId}, ${account.id}, ${new Date(now - (59 - index * 0.9) * 60_000)})`;
    const id = await aTask();
    await harness.work();
    expect(await harness.task(id)).toMatchObject({
      status: "pending",
      reason: "rate_limited",
      scheduled_time: new Date(now + 60_000),
    });
    const [status] = await harness.sql`
      select * from accounts.limiter_status(${harness.workspaceId}, ${account.id}, ${harness.clock.now()})`;
    expect(status).toMatchObject({
      can_send: false,
      wait_seconds: 60,
      messages_in_hour: 60,
      messages_remaining: 0,
      next_available: new Date(now + 60_000),
      enabled: true,
    });
  });

  it("can be switched off", async () => {
    await harness.sql`insert into accounts.settings (workspace_id, key, value)
      values (${harness.workspaceId}, 'account_rate_limit', '{"enabled": false}')`;
    await aTask();
    const second = await another();
    await harness.work();
    await harness.sql`delete from accounts.settings`;
    expect((await harness.task(second.task)).status).toBe("completed");
  });
});

describe("what Telegram says", () => {
  const fault = (kind: Record<string, unknown>, times = 1) =>
    harness.twin.twins.control("POST", "/faults", {
      ...{ provider: "telegram-account", bot: account.phone, method: "sendText", times },
      fault: kind,
    });

  // covers accounts: 11. The third failure is final
  it("a temporary error is tried again five minutes later, and the third one is final", async () => {
    await fault({ kind: "status", status: 500 }, 3);
    const id = await aTask();
    for (const attempts of [1, 2]) {
      await harness.work();
      expect(await harness.task(id)).toMatchObject({
        status: "pending",
        attempts,
        reason: "telegram_error",
        last_error: "Ошибка Telegram: RPC_CALL_FAIL",
        started_at: null,
        scheduled_time: new Date(harness.clock.now().getTime() + 5 * 60_000),
      });
      harness.clock.advance(5);
    }
    await harness.work();
    expect(await harness.task(id)).toMatchObject({ status: "failed", attempts: 3, reason: "telegram_error" });
    expect(await harness.said(chat)).toEqual([]);
  });

  // covers accounts: 11. The third failure is final
  it("nobody knows whether a message went: the next try finds it and makes no second one", async () => {
    await fault({ kind: "drop_after" });
    const id = await aTask();
    await harness.work();
    expect(await harness.task(id)).toMatchObject({
      status: "pending",
      reason: "outcome_unknown",
      attempts: 1,
    });
    harness.clock.advance(5);
    await harness.work();
    expect(await harness.task(id)).toMatchObject({ status: "completed", message_id: "1" });
    expect(await harness.said(chat)).toHaveLength(1);
  });

  // covers accounts: 12. A flood wait stops the account at once
  it("a flood wait stops the account at once, with everything that was due", async () => {
    const first = await aTask({ scheduled_time: new Date(harness.clock.now().getTime() - 5_000) });
    const rest = [await another(), await another()];
    await harness.sql`insert into accounts.settings (workspace_id, key, value)
      values (${harness.workspaceId}, 'account_rate_limit', '{"enabled": false}')`;
    await harness.twin.trouble(account.phone, { kind: "flood", seconds: 900 });
    await harness.work();
    await harness.work(harness.worker());
    await harness.sql`delete from accounts.settings`;
    expect(await harness.task(first)).toMatchObject({
      status: "flood_wait",
      reason: "flood_wait",
      attempts: 0,
    });
    for (const { task, chat } of rest) {
      expect((await harness.task(task)).status).toBe("pending");
      expect(await harness.said(chat)).toEqual([]);
    }
    expect(await harness.account(account)).toMatchObject({
      is_active: false,
      stopped_code: "flood_wait",
      flood_seconds: 900,
      flood_until: new Date(harness.clock.now().getTime() + 900_000),
      last_error: expect.stringMatching(/15 минут.*вручную/),
    });
    const [event] = (await harness.events("account_flood_wait")).filter(({ task_id }) => task_id === first);
    expect(event).toMatchObject({
      meta: { account_id: account.id, seconds: 900 },
      error: { code: "flood_wait" },
    });
    // Somebody is told, because only a person can switch it on again.
    const [finding] = await harness.sql`
      select * from delivery.monitor_findings(${harness.workspaceId}, '{}', ${harness.clock.now()}) where reason = 'accounts_stopped'`;
    expect(finding?.examples).toContainEqual(
      expect.objectContaining({ account: "Анна", code: "flood_wait" }),
    );
  });

  // covers accounts: 12. A flood wait stops the account at once
  it.each([
    ["peer_flood", { kind: "peer_flood" }, "@SpamBot"],
    ["account_frozen", { kind: "freeze" }, "заморозил"],
    ["account_banned", { kind: "ban" }, "заблокирован"],
    ["session_revoked", { kind: "revoke" }, "войдите снова"],
    ["session_revoked", { kind: "duplicate" }, "войдите снова"],
  ])("%s stops the account, and its tasks wait for it", async (code, trouble, words) => {
    const id = await aTask();
    const other = await another();
    await harness.twin.trouble(account.phone, trouble);
    await harness.work();
    expect(await harness.account(account)).toMatchObject({
      is_active: false,
      stopped_code: code,
      last_error: expect.stringContaining(words),
    });
    expect(await harness.task(id)).toMatchObject({ status: "pending", attempts: 0, reason: code });
    expect((await harness.task(other.task)).status).toBe("pending");
    const [event] = (await harness.events("account_stopped")).filter(({ task_id }) => task_id === id);
    expect(event).toMatchObject({ meta: { account_id: account.id, code } });
  });

  it.each([
    ["chat_unknown", { members: "banned" }],
    ["banned_in_chat", { members: "muted" }],
    ["no_rights", { topic_closed: true }],
    ["payment_required", { paid_stars: 5 }],
  ])("%s ends the account's work in this chat alone", async (code, change) => {
    const id = await aTask({ scheduled_time: new Date(harness.clock.now().getTime() - 1_000) });
    const same = await another({ scheduled_time: new Date(harness.clock.now().getTime() + 600_000) }, chat);
    const elsewhere = await another({ scheduled_time: new Date(harness.clock.now().getTime() + 60_000) });
    const members =
      "members" in change ? { members: [{ phone: account.phone, role: change.members }] } : change;
    await harness.twin.twins.control("PATCH", `/telegram-account/chats/${chat.telegramId}`, members);
    await harness.work();
    const task = await harness.task(id);
    expect(task).toMatchObject({ status: "failed", attempts: 1, reason: code });
    const [link] = await harness.sql`select * from accounts.account_chats where chat_id = ${chat.id}`;
    expect(link).toMatchObject({ can_write: false, stopped_code: code });
    expect(await harness.task(same.task)).toMatchObject({ status: "failed", reason: code });
    harness.clock.advance(1);
    await harness.work();
    expect((await harness.task(elsewhere.task)).status).toBe("completed");
    expect((await harness.account(account)).is_active).toBe(true);
  });

  // covers accounts: 12. A flood wait stops the account at once
  it("slow mode makes this chat wait and no other, and costs no try", async () => {
    await harness.twin.twins.control("PATCH", `/telegram-account/chats/${chat.telegramId}`, {
      slow_mode_seconds: 900,
    });
    await aTask();
    await harness.work();
    harness.clock.advance(2);
    const again = await another({}, chat);
    await harness.work();
    expect(await harness.task(again.task)).toMatchObject({
      status: "pending",
      reason: "slow_mode",
      attempts: 0,
      scheduled_time: new Date(harness.clock.now().getTime() + 780_000),
    });
    const third = await another({}, chat);
    const elsewhere = await another();
    harness.clock.advance(2);
    await harness.work();
    expect((await harness.task(third.task)).status).toBe("pending");
    expect((await harness.task(elsewhere.task)).status).toBe("completed");
    harness.clock.advance(12);
    await harness.work();
    // The one that has waited longest; then the chat is slow again.
    expect((await harness.task(third.task)).status).toBe("completed");
    harness.clock.advance(1);
    await harness.work();
    expect(await harness.task(again.task)).toMatchObject({ status: "pending", attempts: 0 });
  });

  it("a text that Telegram refuses is not tried again", async () => {
    await harness.twin.twins.control("PATCH", `/telegram-account/chats/${chat.telegramId}`, {
      forbidden: ["plain"],
    });
    const id = await aTask();
    await harness.work();
    expect(await harness.task(id)).toMatchObject({
      status: "failed",
      reason: "content_refused",
      attempts: 1,
    });
    expect((await harness.account(account)).is_active).toBe(true);
  });
});

describe("the governor", () => {
  it("puts a task off without a try, and is told about every send", async () => {
    const until = new Date(harness.clock.now().getTime() + 1_800_000);
    const heard: string[] = [];
    const governor = {
      mayGo: async (_: unknown, chatId: string) =>
        chatId === chat.id
          ? {
              go: false as const,
              until,
              reason: { code: "similar_text", ru: "Похожий текст", en: "Similar" },
            }
          : { go: true as const },
      noticed: async (_: unknown, chatId: string, outcome: { kind: string }) => {
        heard.push(`${chatId} ${outcome.kind}`);
      },
      paceOf: async () => ({ gapFactor: 1 }),
    };
    const id = await aTask();
    const other = await another();
    const worker = createAccountWorker({ ...harness.deps, governor });
    await harness.work(worker);
    await worker.stop();
    expect(await harness.task(id)).toMatchObject({
      ...{ status: "pending", attempts: 0, reason: "similar_text", last_error: "Похожий текст" },
      scheduled_time: until,
    });
    expect(heard).toEqual([`${other.chat.id} sent`]);
  });

  it("that holds back the whole account moves everything that waits behind it, once", async () => {
    const until = new Date(harness.clock.now().getTime() + 1_800_000);
    const reason = { code: "gap", ru: "Пауза", en: "A gap" };
    const governor = {
      mayGo: async () => ({ go: false as const, until, reason }),
      noticed: async () => {},
      paceOf: async () => ({ gapFactor: 2 }),
    };
    const ids = [await aTask(), (await another()).task, (await another()).task];
    const worker = createAccountWorker({ ...harness.deps, governor, chance: () => 0 });
    await harness.work(worker);
    await worker.stop();
    const tasks = (await harness.tasks()).filter(({ status }) => status === "pending");
    expect(new Set(tasks.map(({ id }) => id))).toEqual(new Set(ids));
    expect(tasks.map(({ scheduled_time }) => Number(scheduled_time) - until.getTime())).toEqual([
      0, 601_000, 1_202_000,
    ]);
    const postponed = (await harness.events("account_postponed")).filter(({ task_id }) =>
      ids.includes(String(task_id)),
    );
    expect(postponed).toHaveLength(1);
  });
});
