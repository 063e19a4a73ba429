import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
});
afterAll(() => database?.drop());

const keep = (retention: unknown) => database.sql`
  update workspaces.workspaces
  set settings = settings || ${database.sql.json(JSON.parse(JSON.stringify({ retention })))}
  where workspace_id = ${workspace}`;

it("keeps events 30 days, deliveries 90, payloads 14, media 30 and large videos 7 unless told otherwise", async () => {
  const [defaults] = await database.sql`select * from delivery.retention_of('{}')`;
  expect(defaults).toEqual({
    events_days: 30,
    deliveries_days: 90,
    payloads_days: 14,
    media_days: 30,
    large_video_days: 7,
    large_video_bytes: 50 * 1024 * 1024,
  });
  const [own] = await database.sql`select * from delivery.retention_of('{"retention": {"events_days": 7}}')`;
  expect(own).toEqual({ ...defaults, events_days: 7 });
});

describe("refuses settings that make no sense, with a sentence", () => {
  it.each([
    ["ninety days", /must be an object/],
    [{ event_days: 30 }, /no setting "event_days"; it has events_days/],
    [{ events_days: "30" }, /events_days must be a whole number/],
    [{ events_days: 1.5 }, /events_days must be a whole number/],
    [{ events_days: -1 }, /events_days must be a whole number/],
    [{ media_days: 0 }, /media_days must be from 1 to 3650/],
    [{ deliveries_days: 4000 }, /deliveries_days must be from 1 to 3650/],
    [{ large_video_bytes: 0 }, /large_video_bytes must be at least 1/],
    [{ payloads_days: 91 }, /kept for 91 days, longer than their deliveries \(90 days\)/],
    [{ deliveries_days: 30 }, /events would be kept for 30 days/],
    [{ large_video_days: 31 }, /large videos would be kept for 31 days/],
  ])("%j", async (retention, sentence) => {
    await expect(keep(retention)).rejects.toThrow(sentence);
  });
});

it("refuses a dedup window longer than deliveries are kept, on a new channel and on an old one", async () => {
  await expect(aChannel(database.sql, workspace, { dedup_ttl_hours: 90 * 24 + 1 })).rejects.toThrow(
    /dedup_ttl_hours is 2161 hours, but deliveries are kept for 90 days/,
  );
  const channel = await aChannel(database.sql, workspace, { dedup_ttl_hours: 90 * 24 });
  await expect(
    database.sql`update delivery.channels set dedup_ttl_hours = 3000 where channel_id = ${channel}`,
  ).rejects.toThrow(/could not be recognised/);
});

it("refuses to keep deliveries for less than a channel's dedup window, also its default of 168 hours", async () => {
  await keep({ deliveries_days: 8, events_days: 3, payloads_days: 3 });
  const channel = await aChannel(database.sql, workspace);
  await expect(keep({ deliveries_days: 6, events_days: 3, payloads_days: 3 })).rejects.toThrow(
    `deliveries cannot be kept for only 6 days: channel ${channel} recognises repeats for 168 hours`,
  );
  await expect(
    database.sql`update delivery.channels set dedup_ttl_hours = null where channel_id = ${channel}`,
  ).resolves.toBeDefined();
  await keep({ deliveries_days: 7, events_days: 3, payloads_days: 3 });
});

it("keeps stored payloads no longer than a shorter promise says, and not longer than the old one", async () => {
  const [{ at } = { at: undefined }] = await database.sql`
    insert into delivery.payloads (workspace_id, storage_key, kind, size_bytes, sha256, created_at, expires_at)
    values (${workspace}, 'payloads/x', 'ingress_body', 1, ${"0".repeat(64)}, '2026-11-01Z', '2026-11-15Z')
    returning created_at as at`;
  const lifeDays = async () => {
    const [row] = await database.sql`
      select extract(day from expires_at - created_at)::int as days from delivery.payloads where workspace_id = ${workspace}`;
    return row?.days;
  };
  expect(at).toBeDefined();
  await keep({ payloads_days: 2 });
  expect(await lifeDays()).toBe(2);
  await keep({ payloads_days: 30 });
  expect(await lifeDays()).toBe(2);
});
