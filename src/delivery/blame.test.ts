import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "./testing/builders.ts";

/** Which party an error is counted against: none, the post, the channel, or the whole group. */
let database: TestDatabase;
let workspace: string;
let channel: string;
const start = new Date("2026-11-15T12:00:00Z");

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { sql } = database;
  workspace = await aWorkspace(sql);
  channel = await aChannel(sql, workspace);
  await sql`update delivery.channels set error_streak = 2 where channel_id = ${channel}`;
});

interface Refusal {
  category: "TRANSIENT" | "PERMANENT";
  scope: "delivery" | "channel" | "platform";
  retry_after_ms?: number;
}

/** The only delivery ends its first attempt with this error. */
async function fail(refusal: Refusal): Promise<void> {
  const { sql } = database;
  await enqueue(sql, workspace, "Пост", { now: start });
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${start})`;
  const [taken] = await sql`
    select delivery_id, claim_token from delivery.start_sending(${workspace}, 'run', 10, ${start})`;
  const outcome = {
    delivery_id: taken?.delivery_id,
    token: taken?.claim_token,
    kind: "failed",
    error: { ...refusal, code: "test", message: "нет" },
  };
  await sql`select delivery.settle_deliveries(${workspace}, ${sql.json([outcome])}, ${start})`;
}

async function state() {
  const { sql } = database;
  const [row] = await sql`
    select d.status, c.error_streak, c.enabled, c.paused_until is not null as paused, g.cooldown_until
    from delivery.deliveries d
    join delivery.channels c using (workspace_id, channel_id)
    left join delivery.platform_limits g
      on g.workspace_id = c.workspace_id and g.platform = c.platform and g.rate_group = c.rate_group
    where d.workspace_id = ${workspace}`;
  return row;
}

describe("the streak of a channel that has refused twice", () => {
  const untouched = { error_streak: 2, enabled: true, paused: false };

  // covers autoposting: error_streak policy; Point 23
  it("does not grow when the messenger asks for patience, and the whole group waits as long", async () => {
    await fail({ category: "TRANSIENT", scope: "platform", retry_after_ms: 9_000 });
    const row = await state();
    expect(row).toMatchObject({ ...untouched, status: "retry" });
    expect(row?.cooldown_until.getTime()).toBeGreaterThanOrEqual(start.getTime() + 9_000);
  });

  // covers autoposting: Permanent failures; error_streak policy; Point 26
  it("does not grow for an error of the platform, which cools the group down instead", async () => {
    await fail({ category: "PERMANENT", scope: "platform" });
    const row = await state();
    expect(row).toMatchObject({ ...untouched, status: "failed_permanent" });
    expect(row?.cooldown_until.getTime()).toBeGreaterThan(start.getTime());
  });

  // covers autoposting: Permanent failures; error_streak policy; Point 27
  it("does not grow for an error of the post", async () => {
    await fail({ category: "PERMANENT", scope: "delivery" });
    expect(await state()).toMatchObject({
      ...untouched,
      status: "failed_permanent",
      cooldown_until: null,
    });
  });

  // covers autoposting: Permanent failures; error_streak policy
  it("grows to its end with the third refusal", async () => {
    await fail({ category: "PERMANENT", scope: "channel" });
    expect(await state()).toMatchObject({
      status: "failed_permanent",
      error_streak: 3,
      enabled: false,
      paused: true,
      cooldown_until: null,
    });
  });
});
