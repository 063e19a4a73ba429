import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "./testing/builders.ts";

let database: TestDatabase;
let workspace: string;
const start = new Date("2026-11-15T12:00:00Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const hours = 3_600;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
});

const post = (text: string, now = start) => enqueue(database.sql, workspace, text, { now });

const claim = (now: Date) => database.sql`select delivery.claim_deliveries(${workspace}, 'run', 100, ${now})`;

const startSending = (now: Date) => database.sql`
  select delivery_id, claim_token from delivery.start_sending(${workspace}, 'run', 100, ${now})`;

/** Sends everything that waits. */
async function carry(now: Date): Promise<void> {
  await claim(now);
  for (const { delivery_id } of await startSending(now))
    await database.sql`
      select delivery.mark_sent(${workspace}, ${delivery_id}, '1'::text, ${now}::timestamptz, '{}'::jsonb)`;
}

const suppressions = () => database.sql`
  select channel_id, message_id, attempt from workspaces.events
  where workspace_id = ${workspace} and action = 'dedup_suppressed'`;

describe("a repeat", () => {
  /** Each step continues where the previous one ended. */
  const ways = {
    queued: async () => undefined,
    claimed: async () => claim(later(1)),
    sending: async () => {
      await claim(later(1));
      await startSending(later(1));
    },
    retry: async () => {
      await claim(later(1));
      const [started] = await startSending(later(1));
      const error = { category: "TRANSIENT", scope: "delivery", code: "test", message: "нет" };
      await database.sql`
        select delivery.schedule_retry(${workspace}, ${started?.delivery_id}, ${later(60)}::timestamptz, ${database.sql.json(error)}, ${later(1)}::timestamptz)`;
    },
  };

  // covers autoposting: Dedup requirements; Point 14
  it.each(Object.entries(ways))("is suppressed while the first is %s", async (status, bring) => {
    await aChannel(database.sql, workspace);
    await post("Раз");
    await bring();
    const [first] = await database.sql`
      select status from delivery.deliveries where workspace_id = ${workspace}`;
    expect(first).toEqual({ status });
    expect(await post("Раз", later(2))).toMatchObject({ queued: 0, skipped_inflight: 1 });
    expect(await suppressions()).toMatchObject([{ attempt: 0 }]);
  });

  // covers autoposting: Non-goals; Key guarantees; Dedup requirements; Point 13
  it("is a matter of one channel: a channel that came later gets the post, the others do not get it again", async () => {
    await aChannel(database.sql, workspace);
    await aChannel(database.sql, workspace);
    expect(await post("Раз")).toMatchObject({ queued: 2 });
    await carry(later(1));
    await aChannel(database.sql, workspace);
    expect(await post("Раз", later(2))).toMatchObject({ queued: 1, deduped: 2 });
    expect(await suppressions()).toHaveLength(2);
  });
});

describe("the window of a repeat", () => {
  // covers autoposting: Dedup requirements; Point 15
  it("is each channel's own, and a week where the channel does not say", async () => {
    await aChannel(database.sql, workspace, { dedup_ttl_hours: 1 });
    await aChannel(database.sql, workspace);
    await post("Раз");
    await carry(start);
    expect(await post("Раз", later(1 * hours))).toMatchObject({ queued: 0, deduped: 2 });
    expect(await post("Раз", later(1 * hours + 1))).toMatchObject({ queued: 1, deduped: 1 });
    expect(await post("Раз", later(168 * hours))).toMatchObject({ deduped: 1 });
    expect(await post("Раз", later(168 * hours + 1))).toMatchObject({ queued: 1 });
  });

  // covers autoposting: Dedup requirements; Point 15
  it("counts from what was really sent: rows kept for suppressed repeats do not prolong it", async () => {
    await database.sql`
      update workspaces.workspaces set settings = '{"deduped_rows": true}' where workspace_id = ${workspace}`;
    await aChannel(database.sql, workspace, { dedup_ttl_hours: 1 });
    await post("Раз");
    await carry(start);
    await post("Раз", later(0.5 * hours));
    await post("Раз", later(1 * hours));
    const kept = await database.sql`
      select status, sent_at from delivery.deliveries where workspace_id = ${workspace} and status = 'deduped'`;
    expect([...kept]).toEqual([
      { status: "deduped", sent_at: null },
      { status: "deduped", sent_at: null },
    ]);
    expect(await post("Раз", later(1 * hours + 1))).toMatchObject({ queued: 1 });
  });
});
