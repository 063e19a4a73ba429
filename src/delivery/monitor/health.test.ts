import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { aChannel } from "../testing/builders.ts";
import { healthSnapshot } from "./health.ts";
import { exposeHealth } from "./health-metrics.ts";
import { aTroubledWorkspace, hour, minute, type TroubledWorkspace } from "./testing/troubled-workspace.ts";

let database: TestDatabase;
let workspace: TroubledWorkspace;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aTroubledWorkspace(database.sql);
});

const snapshot = () => healthSnapshot(database.sql, workspace.id, workspace.clock.now());
const later = (milliseconds: number) => workspace.clock.advance(milliseconds);
const rollUp = () => database.sql`select delivery.health_roll_up(${workspace.clock.now()})`;

describe("the health snapshot", () => {
  // covers autoposting: Responsibilities
  it("counts live states now, and what has ended within a day", async () => {
    await aChannel(database.sql, workspace.id, { title: "А" });
    await workspace.post("Дойдёт");
    await workspace.send();
    await workspace.die("Умрёт");
    await workspace.post("Откажут");
    await workspace.fail({ category: "PERMANENT", scope: "delivery", code: "message_too_long" });
    await workspace.post("Подождёт");
    await workspace.post("Подождёт");
    expect(await snapshot()).toMatchObject({
      by_status: { queued: 1, claimed: 0, sending: 0, retry: 0, dead: 1 },
      last_24h: { sent: 1, deduped: 1, failed_permanent: 1, dead: 1 },
      dead_deliveries: 1,
      failed_permanent_10m: 1,
    });
  });

  it("says the same before and after the events were counted by the minute, and forgets the day before", async () => {
    await aChannel(database.sql, workspace.id);
    await workspace.post("Раз");
    await workspace.send();
    later(3 * minute);
    const before = await snapshot();
    await rollUp();
    await rollUp();
    expect(await snapshot()).toEqual(before);
    await workspace.post("Два");
    await workspace.send();
    expect((await snapshot()).last_24h.sent).toBe(2);
    later(25 * hour);
    await rollUp();
    expect(await snapshot()).toMatchObject({ last_24h: { sent: 0 }, totals: { sent: 2 } });
  });

  it("counts each event once when several monitors count", async () => {
    await aChannel(database.sql, workspace.id);
    await workspace.post("Раз");
    await workspace.send();
    later(3 * minute);
    await Promise.all(Array.from({ length: 5 }, rollUp));
    expect((await snapshot()).totals.sent).toBe(1);
  });

  it("names the age of the oldest due delivery, and apart from it the lag of what nothing holds back", async () => {
    const now = workspace.clock.now();
    const free = await aChannel(database.sql, workspace.id, { title: "свободен" });
    const paused = await aChannel(database.sql, workspace.id, {
      paused_until: new Date(now.getTime() + hour),
    });
    await workspace.post("Обоим");
    await database.sql`
      update delivery.deliveries set not_before = ${new Date(now.getTime() - 10 * minute)} where channel_id = ${paused}`;
    later(minute);
    expect(await snapshot()).toMatchObject({ oldest_due_seconds: 660, lag_seconds: 60, paused_channels: 1 });
    await database.sql`update delivery.channels set enabled = false where channel_id = ${free}`;
    expect(await snapshot()).toMatchObject({ oldest_due_seconds: 660, lag_seconds: 0, disabled_channels: 1 });
  });

  // covers autoposting: Responsibilities
  it("lists the errors of the last hour, an attempt counted once however many events it left", async () => {
    await aChannel(database.sql, workspace.id);
    await aChannel(database.sql, workspace.id);
    await workspace.post("Отказ");
    await workspace.fail({ category: "PERMANENT", scope: "channel", code: "channel_unavailable" });
    expect(await workspace.events("channel_paused")).toHaveLength(2);
    expect((await snapshot()).top_errors).toMatchObject([
      { code: "channel_unavailable", count: 2, channels: 2, last_message: "так не пойдёт" },
    ]);
    later(hour + minute);
    expect((await snapshot()).top_errors).toEqual([]);
  });

  it("counts what the endpoints refused", async () => {
    await database.sql`
      insert into workspaces.events (workspace_id, ts, action, result)
      select ${workspace.id}, ${workspace.clock.now()}, action, 'error'
      from unnest(array['ingress_rate_limited', 'ingress_rate_limited', 'ingress_payload_rejected']) as action`;
    expect((await snapshot()).ingress_24h).toEqual({
      rate_limited: 2,
      payload_rejected: 1,
      dedup_dropped: 0,
    });
  });

  it("adds up every workspace when none is named", async () => {
    const other = await aTroubledWorkspace(database.sql);
    for (const { id } of [workspace, other]) await aChannel(database.sql, id);
    const before = await healthSnapshot(database.sql, undefined, workspace.clock.now());
    await workspace.post("Здесь");
    await other.post("Там");
    const after = await healthSnapshot(database.sql, undefined, workspace.clock.now());
    expect(after.by_status.queued - before.by_status.queued).toBe(2);
  });

  it("reads no history: its queries find live and dead deliveries through their indexes", async () => {
    const { sql } = database;
    await aChannel(sql, workspace.id);
    await workspace.post("История");
    await sql`
      insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status)
      select workspace_id, message_id, channel_id, 1, 'history ' || n, 'deduped'
      from delivery.deliveries, generate_series(1, 20000) n where workspace_id = ${workspace.id}`;
    await sql`analyze delivery.deliveries`;
    const body = await sql`
      select prosrc from pg_proc where oid = 'delivery.health_queue(uuid, timestamptz)'::regprocedure`;
    const query = String(body[0]?.prosrc)
      .replaceAll("p_workspace_id", `'${workspace.id}'::uuid`)
      .replaceAll("p_now", "now()");
    const plan = (await sql.unsafe(`explain ${query}`)).map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).not.toMatch(/Seq Scan on deliveries/);
    expect(plan).toMatch(/deliveries_dead/);
  });
});

describe("the figures for Prometheus", () => {
  it("show the queue, the channels and what the monitor did, one look for all of them", async () => {
    await aChannel(database.sql, workspace.id);
    await workspace.post("В очереди");
    const metrics = createMetrics();
    let looks = 0;
    const counting = new Proxy(database.sql, {
      apply: (target, self, args) => {
        looks++;
        return Reflect.apply(target, self, args);
      },
    });
    exposeHealth({ sql: counting, clock: workspace.clock, metrics, log: silentLog });
    const text = await metrics.render();
    expect(text).toMatch(/molva_deliveries\{status="queued"\} [1-9]/);
    for (const name of ["oldest_due_seconds", "paused_channels", "orphan_events", "leases_recovered"])
      expect(text).toContain(`molva_${name}`);
    await metrics.render();
    expect(looks).toBe(1);
  });

  it("are absent without the database, and the other metrics are still shown", async () => {
    const gone = await testDatabase();
    await gone.drop();
    const metrics = createMetrics();
    metrics.counter({ name: "still_here", help: "x" }).inc();
    exposeHealth({ sql: gone.sql, clock: workspace.clock, metrics, log: silentLog });
    const text = await metrics.render();
    expect(text).toContain("molva_still_here 1");
    expect(text).not.toMatch(/molva_deliveries\{/);
  });
});
