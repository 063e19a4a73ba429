import type { Sql } from "../../kernel/db/index.ts";
import type { Leases, SessionId, SessionStore } from "../../platforms/index.ts";
import { sessionValues, type ValuesDeps } from "./session-values.ts";

/** Sessions of accounts in PostgreSQL: encrypted, and open in one process at a time. */
export function createSessionStore(deps: ValuesDeps): SessionStore {
  return {
    values: (account) => sessionValues(deps, account),
    leases: (holder, leaseMs) => createLeases(deps.sql, holder, leaseMs),
  };
}

function createLeases(sql: Sql, holder: string, leaseMs: number): Leases {
  const lease = `${leaseMs} milliseconds`;
  return {
    async take({ workspaceId, accountId }) {
      const [row] = await sql<{ taken: boolean }[]>`
        select accounts.take_session(${workspaceId}, ${accountId}, ${holder}, ${lease}) as taken`;
      return row?.taken === true;
    },
    renew: () => sql<(SessionId & { wanted: boolean })[]>`
      select workspace_id as "workspaceId", account_id as "accountId", wanted
      from accounts.renew_sessions(${holder}, ${lease})`,
    async free({ workspaceId, accountId }) {
      await sql`select accounts.free_session(${workspaceId}, ${accountId}, ${holder})`;
    },
  };
}
