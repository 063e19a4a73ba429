import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aChannel } from "../testing/builders.ts";
import { aTroubledWorkspace, hour, minute, type TroubledWorkspace } from "./testing/troubled-workspace.ts";

let database: TestDatabase;
let workspace: TroubledWorkspace;
let channel: string;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aTroubledWorkspace(database.sql);
  channel = await watched({ silence_after_seconds: 3600 });
});

/** A channel that is expected to post, created when the clock starts. */
async function watched(settings: Record<string, string | number | Date>): Promise<string> {
  const id = await aChannel(database.sql, workspace.id);
  const row = { created_at: workspace.clock.now(), ...settings };
  await database.sql`update delivery.channels set ${database.sql(row)} where channel_id = ${id}`;
  return id;
}

async function check(): Promise<number> {
  const [row] = await database.sql`
    select delivery.silence_check(${workspace.id}, ${workspace.clock.now()}) as told`;
  return row?.told;
}

const later = (milliseconds: number) => workspace.clock.advance(milliseconds);
const change = (row: Record<string, string | number | boolean | Date | null>) =>
  database.sql`update delivery.channels set ${database.sql(row)} where channel_id = ${channel}`;

async function say(text: string): Promise<void> {
  await workspace.post(text);
  await workspace.send();
}

describe("a watched channel", () => {
  // covers autoposting: Responsibilities
  it("is told of once when it has been silent for its time, and again only after it spoke", async () => {
    await say("Первое");
    later(hour - minute);
    expect(await check()).toBe(0);
    later(2 * minute);
    expect(await check()).toBe(1);
    later(5 * hour);
    expect(await check()).toBe(0);
    expect(await workspace.events("silence_detected")).toMatchObject([
      { channel_id: channel, result: "error", meta: { kind: "quiet", silence_after_seconds: 3600 } },
    ]);

    await say("Второе");
    expect(await check()).toBe(0);
    later(hour + minute);
    expect(await check()).toBe(1);
  });

  it("is told of once by several monitors", async () => {
    later(2 * hour);
    const told = await Promise.all(Array.from({ length: 5 }, check));
    expect(told.reduce((sum, n) => sum + n)).toBe(1);
  });

  it("is silent when what was planned for an exact time is overdue", async () => {
    await workspace.post("По плану");
    const plan = workspace.clock.now();
    await database.sql`
      update delivery.deliveries set scheduled_for = ${plan} where workspace_id = ${workspace.id}`;
    later(59 * minute);
    await database.sql`
      insert into workspaces.events (workspace_id, channel_id, ts, action, result)
      values (${workspace.id}, ${channel}, ${workspace.clock.now()}, 'sent', 'ok')`;
    expect(await check()).toBe(0);
    later(minute);
    expect(await check()).toBe(1);
    later(minute);
    expect(await check()).toBe(0);
    expect(await workspace.events("silence_detected")).toMatchObject([{ meta: { kind: "overdue" } }]);
  });

  it("is not expected to speak while an operator paused it or switched it off", async () => {
    await change({ paused_until: new Date(workspace.clock.now().getTime() + 3 * hour) });
    later(2 * hour);
    expect(await check()).toBe(0);
    later(hour + minute);
    expect(await check()).toBe(0);
    await change({ enabled: false });
    later(hour);
    expect(await check()).toBe(0);
    await database.sql`
      insert into workspaces.events (workspace_id, channel_id, ts, action, result)
      values (${workspace.id}, ${channel}, ${workspace.clock.now()}, 'channel_enabled', 'ok')`;
    await change({ enabled: true });
    later(59 * minute);
    expect(await check()).toBe(0);
    later(minute);
    expect(await check()).toBe(1);
  });

  it("is expected to speak in quarantine, because nobody meant it to be quiet", async () => {
    await change({
      error_streak: 3,
      enabled: false,
      paused_until: new Date(workspace.clock.now().getTime() + 5 * hour),
    });
    later(hour);
    expect(await check()).toBe(1);
  });

  it("is left alone in a paused workspace, and when it is no longer watched", async () => {
    await database.sql`update workspaces.workspaces set status = 'paused' where workspace_id = ${workspace.id}`;
    later(2 * hour);
    expect(await check()).toBe(0);
    await database.sql`update workspaces.workspaces set status = 'active' where workspace_id = ${workspace.id}`;
    await change({ silence_after_seconds: null });
    expect(await check()).toBe(0);
    expect(
      await database.sql`select from delivery.channel_silences where channel_id = ${channel}`,
    ).toHaveLength(0);
  });
});

describe("with a posting window", () => {
  it("only the hours count in which the window is open", async () => {
    // Sunday noon in UTC; the window is open on weekdays from 9 to 18 Moscow time, which is 6 to 15 UTC.
    const days = ["mon", "tue", "wed", "thu", "fri"];
    const posting_window = Object.fromEntries(days.map((day) => [day, [["09:00", "18:00"]]]));
    await database.sql`
      update delivery.channels
      set window_mode = 'windowed', posting_window = ${database.sql.json(posting_window)},
          timezone = 'Europe/Moscow', silence_after_seconds = 10 * 3600
      where channel_id = ${channel}`;
    const at = async (iso: string) => {
      workspace.clock.set(new Date(iso));
      return check();
    };
    expect(await at("2026-11-16T05:59:00Z")).toBe(0);
    expect(await at("2026-11-16T15:00:00Z")).toBe(0); // nine hours
    expect(await at("2026-11-17T05:59:00Z")).toBe(0);
    expect(await at("2026-11-17T06:50:00Z")).toBe(0);
    expect(await at("2026-11-17T07:05:00Z")).toBe(1);
  });

  it("one that never opens, as an earlier release let in, raises no alarm", async () => {
    await database.sql.begin(async (tx) => {
      await tx`alter table delivery.channels disable trigger user`;
      await tx`
        update delivery.channels set window_mode = 'windowed', posting_window = '{"mon": []}' where channel_id = ${channel}`;
      await tx`alter table delivery.channels enable trigger user`;
    });
    later(240 * hour);
    expect(await check()).toBe(0);
  });
});
