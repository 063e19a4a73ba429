import type { AccountRoutesDeps } from "../../src/accounts/admin/routes/owners-routes.ts";
import { createGovernor } from "../../src/accounts/governor/governor.ts";
import { accountsRoutes } from "../../src/accounts/routes.ts";
import { newRecords, type Records } from "../../src/accounts/testing/records.ts";
import { createUseAccount } from "../../src/accounts/use-account.ts";
import { createApiToken, type Scope, scopes } from "../../src/http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../src/http/testing/http-server.ts";
import { type ManualClock, manualClock } from "../../src/kernel/clock/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createPlatforms } from "../../src/platforms/index.ts";
import { type AccountTwin, accountTwin } from "./account-twin.ts";
import type { TestDatabase } from "./database.ts";

/** The HTTP routes of publishing on a real server, with accounts that are signed in at the twin. */
export interface DoorHarness {
  readonly sql: Sql;
  readonly clock: ManualClock;
  readonly records: Records;
  readonly twin: AccountTwin;
  readonly server: TestHttpServer;
  readonly deps: AccountRoutesDeps;
  readonly workspaceId: string;
  call(method: string, path: string, body?: unknown, as?: Person): Promise<Answered>;
  /** An account of Anna's, unless said otherwise, that is signed in at the twin. */
  aConnected(given?: Record<string, unknown>): Promise<{ readonly id: string; readonly phone: string }>;
  stop(): Promise<void>;
}

/** Anna and Boris own accounts; the admin may change everybody's; the reader changes nothing. */
export type Person = "anna" | "boris" | "admin" | "reader";

export interface Answered {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Headers;
}

const rights: Record<Person, readonly Scope[]> = {
  anna: ["read", "write", "operate"],
  boris: ["read", "write", "operate"],
  admin: scopes,
  reader: ["read"],
};

/** Monday, noon in Moscow. */
export const monday = new Date("2026-11-16T09:00:00Z");

export async function startDoorHarness(database: TestDatabase): Promise<DoorHarness> {
  const { sql } = database;
  await sql`select workspaces.ensure_event_partitions(7, ${monday})`;
  const clock = manualClock(monday);
  const records = await newRecords(sql);
  const { workspaceId } = records;
  const twin = await accountTwin(sql);
  const use = createUseAccount({ sql, driver: twin.driver });
  const platforms = createPlatforms(
    {
      TELEGRAM_API_ROOT: `${twin.twins.url}/telegram`,
      MAX_API_ROOT: `${twin.twins.url}/max`,
    },
    { requestTimeoutMs: 5_000 },
  );
  const bots = { sql, clock, platforms };
  const deps = {
    sql,
    clock,
    log: silentLog,
    governor: createGovernor({ sql, clock }),
    pace: createGovernor({ sql, clock }),
    use,
    bots,
    chance: () => 0.5,
  };
  const server = await startTestHttpServer({ sql, clock, modules: [accountsRoutes(deps)] });
  const tokens = new Map<Person, string>();

  async function tokenOf(name: Person): Promise<string> {
    const known = tokens.get(name);
    if (known) return known;
    const { token } = await createApiToken(sql, {
      ...{ name, scopes: rights[name], workspaceId, createdBy: null, expiresAt: null, clock },
    });
    tokens.set(name, token);
    return token;
  }

  return {
    ...{ sql, clock, records, twin, server, deps, workspaceId },
    async call(method, path, body, as = "anna") {
      const headers = { authorization: `Bearer ${await tokenOf(as)}` };
      const answer = await server.call(`/api/v1/accounts${path}`, { method, headers, body });
      const text = await answer.text();
      return { status: answer.status, body: text ? JSON.parse(text) : null, headers: answer.headers };
    },
    async aConnected(given = {}) {
      const id = await records.anAccount({ connected_at: clock.now(), ...given });
      const { phone } = await twin.signedIn({ workspaceId, accountId: id });
      return { id, phone };
    },
    async stop() {
      await server.stop();
      await twin.close();
      await database.drop();
    },
  };
}
