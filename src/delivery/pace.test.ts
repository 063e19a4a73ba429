import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace, type ChannelBuilder, enqueue } from "./testing/builders.ts";

/** Which delivery gets a slot when, and what happens after a slot was missed. */
let database: TestDatabase;
let workspace: string;
const start = new Date("2026-11-15T12:00:00Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
});

const post = (text: string, now = start) => enqueue(database.sql, workspace, text, { now });

const claim = (now = start, limit = 100) => database.sql<{ delivery_id: string; channel_id: string }[]>`
  select * from delivery.claim_deliveries(${workspace}, 'run', ${limit}, ${now})`;

const startUntil = (until: Date, now = start) => database.sql<
  { delivery_id: string; claim_token: string; departs_at: Date }[]
>`
  select * from delivery.start_until(${workspace}, 'run', 100, ${until}, ${now}) order by departs_at`;

const someChannels = (count: number, given: ChannelBuilder = {}) =>
  Promise.all(Array.from({ length: count }, () => aChannel(database.sql, workspace, given)));

const limitGroup = (rate: number) => database.sql`
  insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
  values (${workspace}, 'telegram', 'bot', ${rate})`;

const nextClaimAt = async (now = start): Promise<Date | null> =>
  (await database.sql`select delivery.next_claim_at(${workspace}, ${now}) as at`)[0]?.at;

it("a request that may have arrived late makes the next one of its channel leave as much later, whoever sends it", async () => {
  await someChannels(1, { rate_rps: 1, max_parallel: 1 });
  await post("а");
  await post("б");
  await claim();
  const [first] = await startUntil(start);
  const outcome = { delivery_id: first?.delivery_id, token: first?.claim_token, kind: "sent", late_ms: 600 };
  await database.sql`
    select * from delivery.settle_deliveries(${workspace}, ${JSON.stringify([outcome])}::text::jsonb, ${later(0.7)})`;
  expect(await startUntil(later(1.6), later(1.6))).toHaveLength(0);
  const [second] = await startUntil(later(1.65), later(1.6));
  expect(second?.departs_at).toEqual(later(1.61));
});

describe("a limited group", () => {
  beforeEach(async () => {
    await limitGroup(10);
    await someChannels(8, { max_parallel: 10 });
    await post("а");
    await claim();
  });

  it("sends one by one after a stall, however many slots have passed", async () => {
    const started = await startUntil(later(30.25), later(30));
    const departures = started.map(({ departs_at }) => departs_at.getTime() - later(30).getTime());
    expect(departures).toEqual([0, 101, 202]);
    expect(await startUntil(later(30.3), later(30.3))).toHaveLength(0);
    expect(await startUntil(later(30.31), later(30.31))).toHaveLength(1);
  });

  it("is given slots only a little ahead of now, and more when they are nearly used up", async () => {
    for (let text = 0; text < 10; text++) await post(`пост ${text}`);
    expect(await claim(later(0.1))).toHaveLength(14);
    expect(await claim(later(0.2))).toHaveLength(0);
    expect(await nextClaimAt(later(0.2))).toEqual(later(1.2));
    expect((await claim(later(1.2))).length).toBeGreaterThan(5);
  });
});

describe("a crowd of channels", () => {
  it("shares small claims in turn", async () => {
    const channels = await someChannels(30, { max_parallel: 2 });
    for (const text of ["а", "б", "в"]) await post(text);
    const first = [await claim(start, 10), await claim(start, 10), await claim(start, 10)].flat();
    expect(new Set(first.map(({ channel_id }) => channel_id))).toEqual(new Set(channels));
    const all = [first];
    for (let round = 0; round < 6; round++) all.push(await claim(start, 10));
    expect(new Set(all.flat().map(({ delivery_id }) => delivery_id)).size).toBe(90);
  });

  it("gives a channel without a rate what it can send next and after that, and no more while that waits", async () => {
    await aChannel(database.sql, workspace, { max_parallel: 3 });
    for (let text = 0; text < 10; text++) await post(`пост ${text}`);
    expect(await claim()).toHaveLength(6);
    expect(await claim()).toHaveLength(0);
    expect(await startUntil(start)).toHaveLength(3);
    expect(await claim()).toHaveLength(3);
  });

  it("does not hide an open channel behind closed ones", async () => {
    await someChannels(20, { paused_until: later(60) });
    const open = await aChannel(database.sql, workspace);
    await post("а");
    expect((await claim(start, 5)).map(({ channel_id }) => channel_id)).toEqual([open]);
  });

  it("is locked only as far as a claim takes from it", async () => {
    const channels = await someChannels(12, { rate_rps: 5 });
    await post("а");
    const lockable = await database.sql.begin(async (claimer) => {
      const claimed = await claimer<{ channel_id: string }[]>`
        select channel_id from delivery.claim_deliveries(${workspace}, 'run', 4, ${start})`;
      const free = await database.sql<{ channel_id: string }[]>`
        select channel_id from delivery.channels where workspace_id = ${workspace} for update skip locked`;
      expect(claimed).toHaveLength(4);
      return free;
    });
    expect(lockable).toHaveLength(channels.length - 4);
  });
});

describe("what has become too old while it waited for its slot", () => {
  it.each([
    ["drop", "failed_permanent", null],
    ["hold", "queued", "stale"],
  ])("is not sent: %s", async (onStale, status, holdReason) => {
    await aChannel(database.sql, workspace);
    await database.sql`
      update delivery.channels set max_age_seconds = 60, on_stale = ${onStale} where workspace_id = ${workspace}`;
    await post("а");
    await claim();
    expect(await startUntil(later(61), later(61))).toHaveLength(0);
    expect(
      await database.sql`select status, hold_reason, attempt from delivery.deliveries where workspace_id = ${workspace}`,
    ).toEqual([{ status, hold_reason: holdReason, attempt: 0 }]);
  });
});

describe("the next time to claim", () => {
  it("is the due time, the end of a pause or of a cooldown, or the nearness of the next slot", async () => {
    const channel = await aChannel(database.sql, workspace, { rate_rps: 0.1 });
    await post("а");
    expect(await nextClaimAt()).toEqual(start);
    await claim();
    await post("б");
    expect(await nextClaimAt()).toEqual(later(9));
    await database.sql`update delivery.channels set paused_until = ${later(30)} where channel_id = ${channel}`;
    expect(await nextClaimAt()).toEqual(later(30));
    await limitGroup(1);
    await database.sql`update delivery.platform_limits set cooldown_until = ${later(40)} where workspace_id = ${workspace}`;
    expect(await nextClaimAt()).toEqual(later(40));
  });

  it.each([
    ["a paused workspace", "update workspaces.workspaces set status = 'paused' where workspace_id = $1"],
    [
      "a channel paused for good",
      "update delivery.channels set paused_until = 'infinity' where workspace_id = $1",
    ],
    ["a disabled channel", "update delivery.channels set enabled = false where workspace_id = $1"],
  ])("does not come by itself in %s", async (_, change) => {
    await aChannel(database.sql, workspace);
    await post("а");
    await database.sql.unsafe(change, [workspace]);
    expect(await nextClaimAt()).toBeNull();
  });
});

it("claims, starts and every kind of settlement at once never lock each other out", async () => {
  await limitGroup(1_000);
  await someChannels(6, { rate_rps: 1_000, max_parallel: 50 });
  for (let text = 0; text < 40; text++) await post(`пост ${text}`);
  const worker = async (number: number) => {
    for (let round = 0; round < 25; round++) {
      const now = later(round);
      await claim(now, 40);
      const started = await startUntil(now, now);
      const outcomes = started.map(({ delivery_id, claim_token }, index) => ({
        delivery_id,
        token: claim_token,
        ...ends[(index + number) % ends.length],
      }));
      await database.sql`
        select * from delivery.settle_deliveries(${workspace}, ${database.sql.json(outcomes)}, ${now})`;
    }
  };
  const error = { category: "TRANSIENT", code: "test", message: "нет" };
  const ends = [
    { kind: "sent", provider_message_id: "1" },
    { kind: "failed", error: { ...error, scope: "delivery" } },
    { kind: "failed", error: { ...error, scope: "platform", retry_after_ms: 1 } },
    { kind: "unknown", error: { ...error, scope: "delivery" } },
  ];
  await Promise.all([0, 1, 2, 3].map(worker));
  const [statistics] =
    await database.sql`select deadlocks::int from pg_stat_database where datname = current_database()`;
  expect(statistics?.deadlocks).toBe(0);
});
