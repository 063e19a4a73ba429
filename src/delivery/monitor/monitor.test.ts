import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { aChannel } from "../testing/builders.ts";
import { createMonitor } from "./monitor.ts";
import { anAlertTarget } from "./testing/an-alert-target.ts";
import { monitorDeps } from "./testing/monitor-deps.ts";
import { aTroubledWorkspace } from "./testing/troubled-workspace.ts";
import { startWebhookReceiver } from "./testing/webhook-receiver.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// covers autoposting: Components; Monitor requirements
it("two running monitors recover a dead process's deliveries and report it once", async () => {
  const receiver = await startWebhookReceiver();
  const workspace = await aTroubledWorkspace(database.sql);
  const monitor = monitorDeps({ sql: database.sql, clock: workspace.clock, webhookHosts: [receiver.host] });
  await anAlertTarget(database.sql, monitor.vault, workspace.id, {
    kind: "webhook",
    config: { url: receiver.url },
  });
  await aChannel(database.sql, workspace.id);
  await workspace.post("Прервано");
  await workspace.start();
  workspace.clock.advance(301_000);

  const services = [1, 2].map(() => createMonitor({ ...monitor.deps, leasesEveryMs: 20, runEveryMs: 20 }));
  await Promise.all(services.map((service) => service.start()));
  expect(await workspace.events("sending_lease_expired")).toHaveLength(1);
  await until("the alert has come", () => receiver.received.length > 0);
  workspace.clock.advance(60_000);
  await until("each has made more rounds", async () => {
    const [row] = await database.sql`
      select min(moved_at) >= ${workspace.clock.now()} as again from delivery.orphan_cursors
      where workspace_id = ${workspace.id} and reader = 'fresh'`;
    return row?.again === true;
  });
  await Promise.all(services.map((service) => service.stop()));
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.body).toMatchObject({ data: { reasons: ["sending_leases_recovered"] } });
  await monitor.close();
  await receiver.close();
});
