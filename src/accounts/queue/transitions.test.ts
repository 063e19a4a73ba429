import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { newRecords, type Records } from "../testing/records.ts";

let database: TestDatabase;
let records: Records;

beforeAll(async () => {
  database = await testDatabase();
  records = await newRecords(database.sql);
});
afterAll(() => database.drop());

const statuses = ["pending", "processing", "completed", "failed", "flood_wait"] as const;
type Status = (typeof statuses)[number];

const allowed: Readonly<Record<Status, readonly Status[]>> = {
  pending: ["processing", "failed"],
  processing: ["completed", "pending", "failed", "flood_wait"],
  completed: [],
  failed: [],
  flood_wait: ["pending", "failed"],
};

const wayTo: Readonly<Record<Status, readonly Status[]>> = {
  pending: [],
  processing: ["processing"],
  completed: ["processing", "completed"],
  failed: ["failed"],
  flood_wait: ["processing", "flood_wait"],
};

async function aTask(): Promise<string> {
  const account_id = await records.anAccount();
  return records.aTask({ account_id, object_id: await records.anObject(), chat_id: await records.aChat() });
}

async function put(id: string, status: Status): Promise<void> {
  const taken = status === "processing";
  await database.sql`
    update accounts.queue
    set status = ${status}, claim_token = ${taken ? id : null}, started_at = now(), completed_at = now(), reason = 'test'
    where id = ${id}`;
}

describe("a task goes only the way the document says", () => {
  const steps = statuses.flatMap((from) =>
    statuses.filter((to) => to !== from).map((to) => ({ from, to, may: allowed[from].includes(to) })),
  );
  it.each(steps)("$from → $to: $may", async ({ from, to, may }) => {
    const id = await aTask();
    for (const step of wayTo[from]) await put(id, step);
    if (may) await put(id, to);
    else await expect(put(id, to)).rejects.toThrow(`a task cannot go from ${from} to ${to}`);
  });

  it.each(statuses.filter((status) => status !== "pending"))("a task cannot begin as %s", async (status) => {
    const id = await aTask();
    const birth = database.sql`
      insert into accounts.queue (workspace_id, object_id, chat_id, account_id, owner, origin, status, scheduled_time)
      select workspace_id, object_id, chat_id, account_id, owner, origin, ${status}, scheduled_time
      from accounts.queue where id = ${id}`;
    await expect(birth).rejects.toThrow(`a task cannot begin as ${status}`);
  });
});

describe("what the queue cannot hold", () => {
  it("two open tasks of one object, chat and account", async () => {
    const ids = {
      account_id: await records.anAccount(),
      object_id: await records.anObject(),
      chat_id: await records.aChat(),
    };
    const first = await records.aTask(ids);
    await expect(records.aTask(ids)).rejects.toThrow("queue_one_open");
    await put(first, "failed");
    await records.aTask(ids);
  });

  it("two tasks of one account under way", async () => {
    const account_id = await records.anAccount();
    const [first = "", second = ""] = [
      await records.aTask({
        account_id,
        object_id: await records.anObject(),
        chat_id: await records.aChat(),
      }),
      await records.aTask({
        account_id,
        object_id: await records.anObject(),
        chat_id: await records.aChat(),
      }),
    ];
    await put(first, "processing");
    await expect(put(second, "processing")).rejects.toThrow("queue_one_in_flight");
  });
});

it("an account's zone is one that exists", async () => {
  await expect(records.anAccount({ timezone: "Europe/Moskva" })).rejects.toThrow("is not a time zone");
});
