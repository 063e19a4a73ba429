import { billingProblems } from "../../src/billing/problems.ts";
import { aPerson } from "../../src/billing/testing/builders.ts";
import { keepContact } from "../../src/billing/yookassa/contact.ts";
import type { CardDeps } from "../../src/billing/yookassa/deps.ts";
import { yookassaNetworks } from "../../src/billing/yookassa/networks.ts";
import { cardRoutes } from "../../src/billing/yookassa/routes.ts";
import { depsOver, shop } from "../../src/billing/yookassa/testing/card-deps.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { startTestHttpServer, type TestHttpServer } from "../../src/http/testing/http-server.ts";
import { type ManualClock, manualClock } from "../../src/kernel/clock/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { createKeyValue } from "../../src/kernel/kv/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import type { OwnedHttpClient } from "../../src/kernel/outbound/index.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import type { Json } from "../../twins/yookassa/testing.ts";
import { databaseWithJobs, type TestDatabase } from "./database.ts";

export const publicUrl = "https://molva.example";
export const signingKeys = ["sig_current", "sig_next"];

export interface CardHarness {
  readonly database: TestDatabase;
  readonly sql: Sql;
  readonly twins: TestTwins;
  readonly clock: ManualClock;
  readonly deps: CardDeps;
  readonly server: TestHttpServer;
  readonly http: OwnedHttpClient;
  /** The control API of the twin. */
  control<T = Json>(method: string, path: string, body?: unknown): Promise<T>;
  /** Injects a fault into YooKassa. */
  fault(method: string, fault: object, times?: number): Promise<void>;
  /** Moves the clock here and at the twin. */
  advance(ms: number): Promise<void>;
  /** Sends the twin's waiting notifications; returns the status of each. */
  deliver(order?: "oldest_first" | "newest_first"): Promise<number[]>;
  /** What the product was told of its sales, oldest first. */
  told(workspaceId: string): Promise<Json[]>;
  events(workspaceId: string): Promise<{ action: string; code: string | null }[]>;
  reset(): Promise<{ workspaceId: string; userId: number }>;
  close(): Promise<void>;
}

/** A server that takes notifications through one trusted proxy, a twin whose shop sends them there, one clock for both. */
export async function cardHarness(): Promise<CardHarness> {
  const database = await databaseWithJobs();
  const { sql } = database;
  const clock = manualClock();
  const twins = await startTestTwins({ clock: { now: () => clock.now().getTime() } });
  const { deps, http } = depsOver(sql, clock, `${twins.url}/yookassa/v3`);
  const keyValue = await createKeyValue({ sql, redisUrl: undefined, log: silentLog });
  const cards = { deps, networks: yookassaNetworks, twinsUrl: undefined };
  const server = await startTestHttpServer({
    sql,
    clock,
    modules: [
      { ...cardRoutes({ cards, sql, clock, publicUrl, keyValue, signingKeys }), problems: billingProblems },
    ],
    settings: { trustProxy: 1 },
  });
  const control: CardHarness["control"] = (method, path, body) =>
    twins.control(method, `/yookassa${path}`, body);
  return {
    ...{ database, sql, twins, clock, deps, server, http, control },
    async fault(method, fault, times = 1) {
      await twins.control("POST", "/faults", { provider: "yookassa", method, fault, times });
    },
    async advance(ms) {
      clock.advance(ms);
      await sql`select workspaces.ensure_event_partitions(p_now => ${clock.now()})`;
      await control("PATCH", "/options", { advance_ms: 0 });
    },
    async deliver(order = "oldest_first") {
      const { sent } = await control("POST", "/notifications/run", { order });
      return sent.map(({ status }: Json) => status);
    },
    async told(workspaceId) {
      const jobs = await sql<
        { payload: Json }[]
      >`select payload from graphile_worker._private_jobs order by id`;
      return jobs.map(({ payload }) => payload.outcome).filter((each) => each.workspace_id === workspaceId);
    },
    events: (workspaceId) => sql`
      select action, error ->> 'code' as code from workspaces.events where workspace_id = ${workspaceId} order by ts, id`,
    async reset() {
      clock.set(new Date("2026-11-15T12:00:00Z"));
      await twins.control("POST", "/reset");
      const notification_url = `${server.url()}/api/yookassa/webhook`;
      await control("POST", "/shops", {
        ...{ id: shop.id, secret: shop.secretKey, fiscal: true, notification_url },
      });
      // A test decides when notifications come, and in which order.
      await control("PATCH", "/options", { held: true });
      await sql`select workspaces.ensure_event_partitions(p_now => ${clock.now()})`;
      await sql`delete from graphile_worker._private_jobs`;
      // Deletes what earlier tests have left.
      await sql`delete from billing.yookassa_requests`;
      await sql`update billing.subscriptions set status = 'expired'`;
      const workspaceId = await aWorkspace(sql);
      const userId = await aPerson(sql, workspaceId);
      await keepContact(
        sql,
        { workspaceId, userId },
        { kind: "email", value: "anna@example.com" },
        clock.now(),
      );
      return { workspaceId, userId };
    },
    async close() {
      await server.stop();
      await twins.close();
      await http.close();
      await database.drop();
    },
  };
}
