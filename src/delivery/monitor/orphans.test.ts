import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aChannel } from "../testing/builders.ts";
import { runMonitor } from "./run-monitor.ts";
import { monitorDeps } from "./testing/monitor-deps.ts";
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
  channel = await aChannel(database.sql, workspace.id);
});

const later = (milliseconds: number) => workspace.clock.advance(milliseconds);

async function reconcile(limit = 20_000): Promise<{ scanned: number; orphans: number }> {
  const [row] = await database.sql<[{ scanned: number; orphans: number }]>`
    select * from delivery.orphan_reconcile(${workspace.id}, ${limit}, p_now => ${workspace.clock.now()})`;
  return { ...row };
}

async function anEvent(refers: { delivery_id?: string; message_id?: string; channel_id?: string }) {
  const row = {
    workspace_id: workspace.id,
    ts: workspace.clock.now(),
    action: "sent",
    result: "ok",
    ...refers,
  };
  await database.sql`insert into workspaces.events ${database.sql(row)}`;
}

const found = async () => [
  ...(await database.sql`
    select missing, missing_id from delivery.orphan_events where workspace_id = ${workspace.id} order by missing`),
];

describe("events that refer to something that is not there", () => {
  // covers autoposting: Table: events
  it("are found by what they miss, while those of a whole life are not", async () => {
    await workspace.post("Целая жизнь");
    await workspace.send();
    const [delivery_id, message_id, channel_id] = [randomUUID(), randomUUID(), randomUUID()];
    await anEvent({ delivery_id, channel_id: channel });
    await anEvent({ message_id });
    await anEvent({ channel_id });
    later(2 * minute);
    expect((await reconcile()).orphans).toBe(3);
    expect(await found()).toEqual([
      { missing: "channel", missing_id: channel_id },
      { missing: "delivery", missing_id: delivery_id },
      { missing: "message", missing_id: message_id },
    ]);
  });

  it("are left alone while the transaction that wrote them may still be under way", async () => {
    await anEvent({ message_id: randomUUID() });
    later(30_000);
    expect(await reconcile()).toEqual({ scanned: 0, orphans: 0 });
    later(minute);
    expect((await reconcile()).orphans).toBe(1);
  });

  it("are read a bounded piece at a time, each piece once by the reader of the end", async () => {
    for (let n = 0; n < 7; n++) await anEvent({ message_id: randomUUID() });
    later(2 * minute);
    expect(await reconcile(3)).toEqual({ scanned: 3, orphans: 3 });
    expect(await reconcile(3)).toEqual({ scanned: 3, orphans: 3 });
    expect((await reconcile(3)).orphans).toBe(1);
    for (let n = 0; n < 4; n++) await reconcile(3);
    expect(await reconcile(3)).toEqual({ scanned: 0, orphans: 0 });
  });

  it("are found by the next round when what they refer to vanishes later", async () => {
    await workspace.post("Исчезнет");
    await workspace.send();
    later(2 * minute);
    expect((await reconcile()).orphans).toBe(0);
    await database.sql`delete from delivery.deliveries where workspace_id = ${workspace.id}`;
    later(minute);
    expect(await reconcile()).toEqual({ scanned: 0, orphans: 0 });
    later(6 * hour);
    expect((await reconcile()).orphans).toBe(3);
    later(7 * hour);
    expect((await reconcile()).orphans).toBe(0);
  });

  it("are no orphans when an operator deleted their channel", async () => {
    await workspace.post("Канал удалят");
    await workspace.send();
    await database.sql`
      insert into workspaces.events (workspace_id, channel_id, ts, action, result, meta)
      values (${workspace.id}, ${channel}, ${workspace.clock.now()}, 'channel_changed', 'ok', '{"deleted": true}')`;
    await database.sql`delete from delivery.channels where channel_id = ${channel}`;
    later(2 * minute);
    expect((await reconcile()).orphans).toBe(0);
  });

  it("are not looked for among events older than deliveries are kept", async () => {
    await anEvent({ message_id: randomUUID() });
    later(91 * 24 * hour);
    expect(await reconcile()).toEqual({ scanned: 0, orphans: 0 });
  });

  it("are told as an alert with their number and kind", async () => {
    await anEvent({ message_id: randomUUID() });
    await anEvent({ message_id: randomUUID() });
    later(2 * minute);
    const monitor = monitorDeps({ sql: database.sql, clock: workspace.clock });
    const { alerts, snapshot } = await runMonitor(monitor.deps, { workspaceId: workspace.id });
    expect(alerts.findings).toMatchObject([
      { reason: "orphan_events", count: 2, examples: [{ action: "sent", missing: "message", count: 2 }] },
    ]);
    expect(snapshot.orphan_events).toBe(2);
    await monitor.close();
  });
});
