import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { cancelTasks } from "../queue/cancel-tasks.ts";
import { newRecords, type Records } from "../testing/records.ts";
import { noGovernor } from "../work/governor-contract.ts";
import { type ManualPublication, publishManually } from "./publish-manually.ts";

let database: TestDatabase;
let records: Records;
let clock: ManualClock;
let deps: PlanDeps;
let account: string;
let chats: string[];
let object: string;

const anna = { operator: "anna", owner: "anna", isAdmin: false };
const admin = { operator: "root", owner: "root", isAdmin: true };

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`delete from workspaces.workspaces`;
  records = await newRecords(database.sql);
  clock = manualClock(new Date("2026-11-16T12:00:00Z"));
  deps = { sql: database.sql, clock, log: silentLog, governor: noGovernor, chance: () => 0 };
  account = await records.anAccount();
  chats = [await records.aChat(), await records.aChat(), await records.aChat()];
  for (const chat of chats) await records.link(account, chat);
  object = await records.anObject();
});

const publish = (given: Partial<ManualPublication> = {}, who = anna) =>
  publishManually(
    deps,
    records.workspaceId,
    { object_id: object, account_id: account, chat_ids: chats, ...given },
    who,
  );

const published = (chat: string | undefined, minutesAgo: number) => database.sql`
  insert into accounts.history (workspace_id, object_id, chat_id, account_id, published_at, message_id)
  values (${records.workspaceId}, ${object}, ${chat ?? ""}, ${account},
    ${new Date(clock.now().getTime() - minutesAgo * 60_000)}, '1')`;

const setting = (key: string, value: Record<string, boolean>) => database.sql`
  insert into accounts.settings (workspace_id, key, value)
  values (${records.workspaceId}, ${key}, ${database.sql.json(value)})
  on conflict (workspace_id, key) do update set value = excluded.value`;

describe("a person publishes an object", () => {
  it("at the account's pace, without a configuration; the answer has the tasks and the first time", async () => {
    const answer = await publish({ format: "compact" });
    expect(answer).toMatchObject({ first_time: clock.now(), rate_limited: false });
    const tasks = await database.sql`select * from accounts.queue order by scheduled_time`;
    expect(tasks.map(({ id }) => id)).toEqual(answer.queue_ids);
    expect(tasks.map(({ chat_id }) => chat_id)).toEqual(chats);
    expect(tasks.map(({ scheduled_time }) => scheduled_time.toISOString().slice(11, 19))).toEqual([
      "12:00:00",
      "12:05:01",
      "12:10:02",
    ]);
    expect(tasks[0]).toMatchObject({ origin: "manual", format: "compact", owner: "anna", status: "pending" });
  });

  it("at night from the next opening of the window, and beyond the day's limit on the days after", async () => {
    clock.set(new Date("2026-11-16T19:30:00Z"));
    await database.sql`update accounts.accounts set daily_limit = 2`;
    await publish();
    const tasks = await database.sql`select scheduled_time from accounts.queue order by scheduled_time`;
    expect(tasks.map(({ scheduled_time }) => scheduled_time.toISOString())).toEqual([
      "2026-11-17T05:00:00.000Z",
      "2026-11-17T05:05:01.000Z",
      "2026-11-18T05:00:00.000Z",
    ]);
  });

  it("half an hour later when the account's limiter is spent, and is told so", async () => {
    await database.sql`insert into accounts.sends (workspace_id, account_id, at)
      values (${records.workspaceId}, ${account}, ${new Date(clock.now().getTime() - 30_000)})`;
    const answer = await publish();
    expect(answer).toMatchObject({ rate_limited: true, first_time: new Date("2026-11-16T12:30:01Z") });
  });
});

describe("it is refused as a whole", () => {
  // covers accounts: 9. Repeats
  it("when one of the chats had it within 24 hours, with the list of those", async () => {
    await published(chats[1], 23 * 60 + 59);
    await published(chats[2], 24 * 60 + 1);
    await expect(publish()).rejects.toMatchObject({
      code: "publication_duplicates",
      errors: [{ pointer: "/chat_ids/1", detail: expect.stringContaining("2026-11-16T12:01:00") }],
    });
    expect(await database.sql`select from accounts.queue`).toHaveLength(0);
  });

  it("unless repeats are allowed: to everybody, or to administrators who ask for it", async () => {
    await published(chats[0], 5);
    await expect(publish({ allow_duplicate: true }, admin)).rejects.toMatchObject({ code: "unprocessable" });
    await setting("allow_duplicates", { admin_bypass: true });
    await expect(publish({ allow_duplicate: true })).rejects.toMatchObject({ code: "unprocessable" });
    await publish({ allow_duplicate: true }, admin);
    const [task] = await database.sql`select allow_duplicate from accounts.queue limit 1`;
    expect(task).toEqual({ allow_duplicate: true });
    await database.sql`delete from accounts.queue`;
    await setting("allow_duplicates", { manual_account: true });
    await publish();
  });

  it("when it is planned already", async () => {
    await publish({ chat_ids: chats.slice(1, 2) });
    await expect(publish()).rejects.toMatchObject({
      code: "conflict",
      errors: [{ pointer: "/chat_ids/1", detail: expect.stringContaining("2026-11-16T12:00:00") }],
    });
  });

  it("when a chat is not there or not the account's", async () => {
    const foreign = await records.aChat();
    const nowhere = crypto.randomUUID();
    const asked = publish({ chat_ids: [...chats, foreign, nowhere] });
    await expect(asked).rejects.toMatchObject({
      statusCode: 404,
      errors: [{ pointer: "/chat_ids/3" }, { pointer: "/chat_ids/4" }],
    });
    await database.sql`update accounts.chats set is_active = false where id = ${chats[0] ?? ""}`;
    await expect(publish()).rejects.toMatchObject({ statusCode: 422 });
  });

  it("when the account or the object is somebody else's, is not there, or is switched off", async () => {
    const boris = { operator: "boris", owner: "boris", isAdmin: false };
    await expect(publish({}, boris)).rejects.toMatchObject({ statusCode: 403 });
    await expect(publish({ account_id: crypto.randomUUID() })).rejects.toMatchObject({ statusCode: 404 });
    await expect(publish({ object_id: crypto.randomUUID() })).rejects.toMatchObject({ statusCode: 404 });
    const his = await records.anObject({ owner: "boris" });
    await expect(publish({ object_id: his })).rejects.toMatchObject({ statusCode: 403 });
    await database.sql`update accounts.accounts set is_active = false, last_error = 'Telegram просит подождать'`;
    await expect(publish()).rejects.toMatchObject({
      code: "account_inactive",
      message: "Telegram просит подождать",
    });
  });

  it("when there is no room for it in a month", async () => {
    await database.sql`update accounts.accounts set daily_limit = 0`;
    await expect(publish()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("30 days"),
    });
  });
});

describe("what waits can be called off", () => {
  it("by id, object, account or chat, by its owner or an administrator", async () => {
    const { queue_ids } = await publish();
    const cancel = (which: Parameters<typeof cancelTasks>[2], who = anna) =>
      cancelTasks(deps, records.workspaceId, which, who);
    const boris = { operator: "boris", owner: "boris", isAdmin: false };
    await expect(cancel({ object_id: object }, boris)).rejects.toMatchObject({ code: "not_yours" });
    await expect(cancel({})).rejects.toMatchObject({ code: "unprocessable" });
    expect(await cancel({ ids: queue_ids.slice(0, 1) })).toEqual({ cancelled: 1 });
    expect(await cancel({ chat_id: chats[1] })).toEqual({ cancelled: 1 });
    expect(await cancel({ account_id: account }, admin)).toEqual({ cancelled: 1 });
    expect(await cancel({ account_id: account })).toEqual({ cancelled: 0 });
    const [task] = await database.sql`select * from accounts.queue where id = ${queue_ids[0] ?? ""}`;
    expect(task).toMatchObject({ status: "failed", reason: "cancelled", last_error: "Отменено" });
    const events = await database.sql`
      select * from workspaces.events where workspace_id = ${records.workspaceId} and action = 'account_cancelled'`;
    expect(events).toHaveLength(3);
  });

  it("but not what is under way", async () => {
    const { queue_ids } = await publish({ chat_ids: chats.slice(0, 1) });
    await database.sql`select accounts.take_task(${records.workspaceId}, ${account}, ${clock.now()})`;
    expect(await cancelTasks(deps, records.workspaceId, { ids: queue_ids }, anna)).toEqual({ cancelled: 0 });
  });
});
