import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aChannel, aWorkspace, enqueue } from "../../src/delivery/testing/builders.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

/** The whole table of allowed changes; a cell that is not here is refused. */
const allowed = {
  queued: ["claimed", "failed_permanent", "dead"],
  claimed: ["sending", "queued", "retry", "failed_permanent", "dead"],
  sending: ["sent", "retry", "failed_permanent", "dead"],
  retry: ["claimed", "failed_permanent", "dead"],
  sent: [],
  deduped: [],
  failed_permanent: ["retry"],
  dead: ["retry"],
} as const satisfies Record<string, readonly string[]>;

type Status = keyof typeof allowed;
const statuses: readonly Status[] = [
  "queued",
  "claimed",
  "sending",
  "retry",
  "sent",
  "deduped",
  "failed_permanent",
  "dead",
];
const births: readonly Status[] = ["queued", "deduped", "failed_permanent"];

/** How plain SQL brings a new delivery into each status. */
const ways: Record<Status, readonly Status[]> = {
  queued: [],
  claimed: ["claimed"],
  sending: ["claimed", "sending"],
  retry: ["claimed", "sending", "retry"],
  sent: ["claimed", "sending", "sent"],
  deduped: [],
  failed_permanent: ["failed_permanent"],
  dead: ["dead"],
};

let database: TestDatabase;
let workspace: string;
let posts = 0;
beforeAll(async () => {
  database = await testDatabase();
  workspace = await aWorkspace(database.sql);
  await aChannel(database.sql, workspace);
});
afterAll(() => database.drop());

async function insert(status: Status): Promise<string> {
  const { message_id } = await enqueue(database.sql, workspace, `Пост ${posts++}`);
  const [row] = await database.sql<[{ delivery_id: string }]>`
    insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status, sent_at)
    select workspace_id, message_id, channel_id, hash_version, content_hash || 'x', ${status},
      case when ${status} = 'sent' then now() end
    from delivery.deliveries where message_id = ${message_id}
    returning delivery_id`;
  return row.delivery_id;
}

/** Everything that the status demands beside itself, so that only the change of status can be refused. */
const change = (id: string, status: Status) => database.sql`
  update delivery.deliveries set status = ${status},
    claim_token = case when ${status} in ('claimed', 'sending') then 'проба' end,
    sent_at = case when ${status} = 'sent' then now() else sent_at end,
    next_retry_at = case when ${status} = 'retry' then now() else next_retry_at end
  where delivery_id = ${id} returning status`;

async function deliveryIn(status: Status): Promise<string> {
  const id = await insert(status === "deduped" ? "deduped" : "queued");
  for (const step of ways[status]) await change(id, step);
  return id;
}

describe("a plain update of a delivery's status", () => {
  for (const from of statuses) {
    for (const to of statuses.filter((status) => status !== from)) {
      const legal = allowed[from].some((status) => status === to);
      it(`${legal ? "may" : "may not"} go from ${from} to ${to}`, async () => {
        const id = await deliveryIn(from);
        if (legal) expect([...(await change(id, to))]).toEqual([{ status: to }]);
        else await expect(change(id, to)).rejects.toThrow(`a delivery cannot go from ${from} to ${to}`);
      });
    }
  }
});

describe("a plain insert of a delivery", () => {
  it.each(births)("may begin as %s", async (status) => {
    await expect(insert(status)).resolves.toEqual(expect.any(String));
  });
  it.each(statuses.filter((status) => !births.includes(status)))("may not begin as %s", async (status) => {
    await expect(insert(status)).rejects.toThrow(`a delivery cannot begin as ${status}`);
  });
  it("may not begin with an attempt behind it", async () => {
    const id = await deliveryIn("queued");
    await expect(
      database.sql`
        insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status, attempt)
        select workspace_id, message_id, channel_id, hash_version, content_hash || 'y', 'queued', 1
        from delivery.deliveries where delivery_id = ${id}`,
    ).rejects.toThrow("a delivery cannot begin");
  });
});
