import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { alertTargetPage } from "../admin/alerts/read-alerts.ts";
import { aChannel } from "../testing/builders.ts";
import { runMonitor } from "./run-monitor.ts";
import { anAlertTarget } from "./testing/an-alert-target.ts";
import { monitorDeps, type TestMonitor } from "./testing/monitor-deps.ts";
import { aTroubledWorkspace, minute, type TroubledWorkspace } from "./testing/troubled-workspace.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./testing/webhook-receiver.ts";

let database: TestDatabase;
let receiver: WebhookReceiver;
let workspace: TroubledWorkspace;
let monitor: TestMonitor;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  workspace = await aTroubledWorkspace(database.sql);
  monitor = monitorDeps({ sql: database.sql, clock: workspace.clock, webhookHosts: [receiver.host] });
  await anAlertTarget(database.sql, monitor.vault, workspace.id, {
    kind: "webhook",
    config: { url: receiver.url },
  });
  await aChannel(database.sql, workspace.id, { title: "Новости" });
});
afterEach(async () => {
  await monitor.close();
  await receiver.close();
});

const run = (options = {}) => runMonitor(monitor.deps, { workspaceId: workspace.id, ...options });
const later = (milliseconds: number) => workspace.clock.advance(milliseconds);
const permanent = (scope: string) => ({ category: "PERMANENT", scope, code: "refused" }) as const;

describe("a monitor run", () => {
  // covers autoposting: Monitor requirements; Point 34
  it("calls nobody when nothing is wrong", async () => {
    await workspace.post("Всё хорошо");
    await workspace.send();
    const { ok, alerts, notification } = await run();
    expect(ok).toBe(true);
    expect(alerts).toMatchObject({ has_alerts: false, reasons: [] });
    expect(notification).toMatchObject({ attempted: false, skipped: true, reason: "no_alerts" });
    expect(receiver.received).toEqual([]);
  });

  // covers autoposting: Key guarantees; Status semantics / alerting; Responsibilities; Point 24
  it("raises an alert for a delivery that used up its attempts", async () => {
    await workspace.die("Не дошло");
    const { snapshot, alerts, notification } = await run();
    expect(snapshot).toMatchObject({ dead_deliveries: 1, by_status: { dead: 1 } });
    expect(alerts.reasons).toEqual(["dead_deliveries"]);
    expect(alerts.findings[0]).toMatchObject({
      count: 1,
      examples: [{ channel: "Новости", code: "upstream_unavailable", count: 1 }],
    });
    expect(notification).toMatchObject({
      attempted: true,
      delivered: true,
      reason: null,
      response_status: 200,
      cooldown_seconds: 300,
      alert_fingerprint: `${workspace.id}:dead_deliveries`,
    });
    expect(receiver.received).toHaveLength(1);
  });

  // covers autoposting: Point 34
  it("raises one alert for the same dead delivery, and one for the next after the cooldown", async () => {
    await workspace.die("Первая");
    await run();
    later(301_000);
    expect((await run()).notification.reason).toBe("no_alerts");

    await workspace.die("Вторая");
    await run();
    await workspace.die("Третья");
    await workspace.die("Четвёртая");
    later(-workspace.clock.now().getTime() + (await lastReceipt()).getTime() + 299_000);
    expect((await run()).notification).toMatchObject({ attempted: false, reason: "cooldown_active" });
    later(1_000);
    const { alerts, notification } = await run();
    expect(notification.delivered).toBe(true);
    expect(alerts.findings).toMatchObject([{ reason: "dead_deliveries", count: 2 }]);
    expect(receiver.received).toHaveLength(3);
  });

  it("counts an event that commits late, after its moment was already looked at", async () => {
    await workspace.die("Первая");
    const lateTs = workspace.clock.now();
    later(1_000);
    await run();
    await database.sql`
      insert into workspaces.events (workspace_id, ts, action, result) values (${workspace.id}, ${lateTs}, 'dead_letter', 'error')`;
    later(301_000);
    expect((await run()).alerts.findings).toMatchObject([{ reason: "dead_deliveries", count: 1 }]);
  });

  // covers autoposting: Status semantics / alerting; Responsibilities
  it("raises an alert for permanent failures only above their threshold within ten minutes", async () => {
    for (let n = 1; n <= 5; n++) await workspace.post(`Пост ${n}`);
    for (let n = 1; n <= 5; n++) await workspace.fail(permanent("delivery"));
    expect((await run()).alerts.has_alerts).toBe(false);
    await workspace.post("Пост 6");
    await workspace.fail(permanent("delivery"));
    expect((await run()).alerts.findings).toMatchObject([
      { reason: "failed_permanent_threshold", count: 6, threshold: 5 },
    ]);
    later(10 * minute + 1_000);
    expect((await run()).alerts.has_alerts).toBe(false);
  });

  // covers autoposting: Responsibilities
  it("raises an alert for paused channels only above their threshold, and again after each cooldown while it lasts", async () => {
    const paused_until = new Date(workspace.clock.now().getTime() + 60 * minute);
    for (let n = 1; n <= 10; n++) await aChannel(database.sql, workspace.id, { paused_until });
    expect((await run()).alerts.has_alerts).toBe(false);
    await aChannel(database.sql, workspace.id, { paused_until, title: "Одиннадцатый" });
    const { alerts, snapshot } = await run();
    expect(snapshot.paused_channels).toBe(11);
    expect(alerts.reasons).toEqual(["paused_channels_threshold"]);
    later(2 * minute);
    expect((await run()).notification.reason).toBe("cooldown_active");
    later(3 * minute);
    expect((await run()).notification.delivered).toBe(true);
    expect(receiver.received).toHaveLength(2);
  });

  it("keeps to the workspace's own thresholds and to those of the call before them", async () => {
    await database.sql`
      insert into delivery.monitor_settings (workspace_id, paused_channels_threshold, alert_cooldown_seconds)
      values (${workspace.id}, 0, 60)`;
    const paused_until = new Date(workspace.clock.now().getTime() + 60 * minute);
    await aChannel(database.sql, workspace.id, { paused_until });
    expect((await run({ thresholds: { paused_channels_threshold: 1 } })).alerts.has_alerts).toBe(false);
    expect((await run()).alerts).toMatchObject({
      reasons: ["paused_channels_threshold"],
      thresholds: { paused_channels_threshold: 0, alert_cooldown_seconds: 60, failed_permanent_threshold: 5 },
    });
  });

  // covers autoposting: Responsibilities; Point 30
  it("recovers expired leases without counting an attempt, and reports them", async () => {
    await aChannel(database.sql, workspace.id, { title: "Другой" });
    await workspace.post("Прервано");
    await workspace.start();
    await workspace.post("Взято");
    await database.sql`
      select delivery.claim_deliveries(${workspace.id}, 'dead process', 10, ${workspace.clock.now()})`;
    later(301_000);
    const result = await run();
    expect(result).toMatchObject({ recovered_sending_leases: 2, recovered_claimed_leases: 2 });
    expect(result.alerts.reasons).toEqual(["claimed_leases_recovered", "sending_leases_recovered"]);
    const rows = await database.sql`
      select status, attempt from delivery.deliveries where workspace_id = ${workspace.id} order by status`;
    expect(rows.map(({ status, attempt }) => `${status} ${attempt}`)).toEqual([
      "queued 0",
      "queued 0",
      "retry 1",
      "retry 1",
    ]);
    expect(await run()).toMatchObject({ recovered_sending_leases: 0, recovered_claimed_leases: 0 });
  });

  // covers autoposting: Point 30
  it("ends a delivery whose lease expires in its last attempt as dead", async () => {
    await workspace.post("Последняя попытка");
    for (let attempt = 1; attempt < 5; attempt++) {
      await workspace.fail({ category: "TRANSIENT", scope: "delivery", code: "upstream_unavailable" });
      later(60 * minute);
    }
    await workspace.start();
    later(301_000);
    const { alerts, snapshot } = await run();
    expect(alerts.reasons).toEqual(["dead_deliveries", "sending_leases_recovered"]);
    expect(snapshot.dead_deliveries).toBe(1);
  });

  it("raises an alert for silent channels and broken sources, with their names and times", async () => {
    await database.sql`
      update delivery.channels set silence_after_seconds = 3600, created_at = ${workspace.clock.now()}
      where workspace_id = ${workspace.id}`;
    later(61 * minute);
    await database.sql`
      insert into workspaces.events (workspace_id, ts, action, result, error, meta)
      values (${workspace.id}, ${workspace.clock.now()}, 'source_failed', 'error',
        '{"code": "http_404", "message": "Not Found"}', '{"source_id": "rss-main"}')`;
    const { alerts } = await run();
    expect(alerts.reasons).toEqual(["silence_detected", "source_failed"]);
    const { text } = z
      .object({ data: z.object({ text: z.string() }) })
      .parse(receiver.received[0]?.body).data;
    expect(text).toContain("• Новости: с 15.11.2026, 15:00");
    expect(text).toContain("• источник rss-main: http_404, Not Found");
  });

  it("looks and recovers but tells nobody when notifications are off", async () => {
    await workspace.die("Тихо");
    const { alerts, notification } = await run({ skipNotifications: true });
    expect(alerts.has_alerts).toBe(true);
    expect(notification).toMatchObject({ skipped: true, reason: "notifications_disabled" });
    expect(receiver.received).toEqual([]);
    expect((await run()).notification.delivered).toBe(true);
  });

  it("keeps an alert on record when there is nobody to tell, and does not raise it again every minute", async () => {
    await database.sql`update delivery.alert_targets set enabled = false where workspace_id = ${workspace.id}`;
    await workspace.die("Некому");
    expect((await run()).notification).toMatchObject({ skipped: true, reason: "missing_alert_target" });
    later(minute);
    expect((await run()).notification.reason).toBe("no_alerts");
    expect(await alerts()).toHaveLength(1);
  });
});

describe("several monitors at once", () => {
  // covers autoposting: Point 34
  it("alert once", async () => {
    await workspace.die("Один раз");
    const runs = await Promise.all(Array.from({ length: 6 }, () => run()));
    expect(receiver.received).toHaveLength(1);
    expect(runs.filter(({ notification }) => notification.delivered)).toHaveLength(1);
    expect(await alerts()).toHaveLength(1);
  });
});

describe("a target that fails", () => {
  // covers autoposting: Point 34
  it("is reported, does not use up the cooldown, and gets the same alert with the next run", async () => {
    receiver.answerWith(503);
    await workspace.die("Не принято");
    const first = await run();
    expect(first).toMatchObject({
      ok: false,
      code: "monitor_alert_delivery_failed",
      notification: { attempted: true, delivered: false, reason: "delivery_failed", response_status: 503 },
    });
    expect((await alertTargetPage(database.sql, workspace.id)).items).toMatchObject([
      { sent_count: 0, failed_count: 1, last_error: "the webhook answered 503" },
    ]);
    receiver.answerWith(200);
    later(minute);
    expect((await run()).notification).toMatchObject({ delivered: true, reason: null });
    expect(receiver.received.map(({ body }) => body)).toEqual([
      receiver.received[0]?.body,
      receiver.received[0]?.body,
    ]);
    later(minute);
    expect((await run()).notification.attempted).toBe(false);
  });

  it("does not keep the others from hearing, and they do not hear twice", async () => {
    await anAlertTarget(database.sql, monitor.vault, workspace.id, {
      kind: "webhook",
      config: { url: "http://169.254.169.254/latest" },
    });
    await workspace.die("Двум адресатам");
    const { notification } = await run();
    expect(notification.reason).toBe("delivery_failed");
    expect(notification.letters.find(({ delivered }) => !delivered)?.error).toMatch(/^refused: /);
    later(minute);
    await run();
    expect(receiver.received).toHaveLength(1);
  });

  it("is given up on after an hour", async () => {
    receiver.answerWith(500);
    await workspace.die("Долго");
    await run();
    later(61 * minute);
    await run();
    const tried = receiver.received.length;
    later(minute);
    expect((await run()).notification.attempted).toBe(false);
    expect(receiver.received).toHaveLength(tried);
    expect(
      (
        await database.sql`
      select status, attempts from delivery.alert_sends where workspace_id = ${workspace.id}`
      )[0],
    ).toEqual({
      status: "given_up",
      attempts: 2,
    });
  });

  it("loses its letter to another monitor when the one that had it dies on the way", async () => {
    await workspace.die("Брошено");
    await database.sql`select delivery.monitor_raise_alert(${workspace.id}, '{}', ${workspace.clock.now()})`;
    await database.sql`select delivery.monitor_take_sends(${workspace.id}, 50, ${workspace.clock.now()})`;
    expect((await run()).notification.attempted).toBe(false);
    later(2 * minute);
    expect((await run()).notification.delivered).toBe(true);
  });
});

const alerts = () => database.sql`select * from delivery.alerts where workspace_id = ${workspace.id}`;

async function lastReceipt(): Promise<Date> {
  const [row] = await database.sql`
    select max(last_sent_at) as at from delivery.monitor_alert_receipts where workspace_key = ${workspace.id}`;
  return row?.at;
}
