import type { RouteModule } from "../../src/http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../src/http/testing/http-server.ts";
import { type ManualClock, manualClock } from "../../src/kernel/clock/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { createKeyValue, type KeyValue } from "../../src/kernel/kv/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { jobRoutes, storedSlots } from "../../src/seo/jobs/index.ts";
import type { JobRouteDeps } from "../../src/seo/jobs/job-routes.ts";
import { createQStash, type QStash } from "../../src/seo/qstash/client.ts";
import { createQStashDriver, type QStashDriver } from "../../src/seo/qstash/driver.ts";
import type { Said } from "../../src/seo/said.ts";
import type { DrivenSchedule } from "../../src/seo/schedules/driver.ts";
import { aCategory, aProject, aSeoUser } from "../../src/seo/testing/builders.ts";
import { demoAccount } from "../../twins/qstash/store.ts";
import type { Json } from "../../twins/qstash/testing.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { testDatabase } from "./database.ts";

export interface QStashHarness {
  readonly sql: Sql;
  readonly clock: ManualClock;
  readonly keyValue: KeyValue;
  readonly twins: TestTwins;
  readonly qstash: QStash;
  readonly driver: QStashDriver;
  readonly server: TestHttpServer;
  /** The control API of the twin. */
  control<T = Json>(method: string, path: string, body?: unknown): Promise<T>;
  /** The schedules at the twin. */
  remote(): Promise<Json[]>;
  /** Sends what is due by the clock; returns the answers. */
  run(): Promise<Json[]>;
  /** What people were told. */
  readonly told: Said[];
  /** Forgets what the twin holds. */
  reset(): Promise<void>;
  /** A schedule of a new person. */
  schedule(given?: Partial<DrivenSchedule>): Promise<DrivenSchedule>;
  /** As it stands in the database. */
  idsOf(schedule: DrivenSchedule): Promise<readonly string[]>;
  close(): Promise<void>;
}

type Given = Partial<Omit<JobRouteDeps, "sql" | "clock" | "keyValue" | "publicUrl" | "signingKeys">>;

/** A server that takes QStash's calls, a twin that makes them, one clock for both. */
export async function qstashHarness(
  given: Given = {},
  beside: readonly RouteModule[] = [],
): Promise<QStashHarness> {
  const database = await testDatabase();
  const { sql } = database;
  const clock = manualClock();
  const twins = await startTestTwins({ clock: { now: () => clock.now().getTime() } });
  const keyValue = await createKeyValue({ sql, log: silentLog });
  const http = createProviderClient();
  const { current, next } = demoAccount.keys;
  const deps: JobRouteDeps = {
    ...{ slots: storedSlots(sql), cleanUp: async () => ({}), notify: async () => ({}), ...given },
    ...{ sql, clock, keyValue, signingKeys: [current, next] },
    // Known once it listens.
    get publicUrl() {
      return server.url();
    },
  };
  const server: TestHttpServer = await startTestHttpServer({
    sql,
    clock,
    modules: [jobRoutes(deps), ...beside],
  });
  const qstash = createQStash({
    http,
    root: `${twins.url}/qstash`,
    token: demoAccount.token,
    pause: async () => {},
  });
  const control: QStashHarness["control"] = (method, path, body) =>
    twins.control(method, `/qstash${path}`, body);
  const told: Said[] = [];
  const harness: QStashHarness = {
    ...{ sql, clock, keyValue, twins, qstash, server, control, told },
    driver: createQStashDriver({
      ...{ sql, clock, qstash, publicUrl: server.url() },
      async tell(_schedule, said) {
        told.push(said);
      },
    }),
    remote: async () => (await control("GET", "/schedules")).schedules,
    run: async () => (await control("POST", "/run", {})).sent,
    async reset() {
      await twins.control("POST", "/reset");
      await control("PATCH", "/options", { held: true });
    },
    async schedule(change = {}) {
      const whose = await aSeoUser(sql);
      const projectId = await aProject(sql, whose);
      const categoryId = await aCategory(sql, whose, { projectId });
      const plan = { ...usualPlan, ...change };
      await sql`update seo.projects set timezone = ${plan.zone} where workspace_id = ${whose.workspaceId} and id = ${projectId}`;
      const [connection] = await sql<[{ id: number }]>`
        insert into seo.platform_connections (workspace_id, project_id, platform_type, status, credentials, identifier)
        values (${whose.workspaceId}, ${projectId}, 'telegram', 'disconnected', '{}', '@shop') returning id`;
      const [row] = await sql<[{ id: number }]>`
        insert into seo.platform_schedules
          (workspace_id, category_id, platform_type, connection_id, schedule_days, schedule_times, posts_per_day, enabled)
        values (${whose.workspaceId}, ${categoryId}, 'telegram', ${connection.id}, ${[...plan.days]}, ${[...plan.times]},
          ${plan.times.length}, ${plan.enabled}) returning id`;
      const ids = { scheduleId: row.id, connectionId: connection.id, projectId, categoryId };
      return { ...whose, ...ids, platformType: "telegram", remoteIds: [], changedAt: clock.now(), ...plan };
    },
    async idsOf({ workspaceId, scheduleId }) {
      const [row] = await sql<[{ ids: string[] }]>`
        select qstash_schedule_ids as ids from seo.platform_schedules
        where workspace_id = ${workspaceId} and id = ${scheduleId}`;
      return row.ids;
    },
    async close() {
      await server.stop();
      await twins.close();
      await http.close();
      await database.drop();
    },
  };
  await harness.reset();
  return harness;
}

const usualPlan = {
  days: ["mon", "fri"],
  times: ["10:00", "18:00"],
  zone: "Europe/Moscow",
  enabled: true,
} as const;
