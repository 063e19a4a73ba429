import type { Sql } from "../../../kernel/db/index.ts";
import type { AccountRef } from "../contract.ts";

export type SessionId = Pick<AccountRef, "workspaceId" | "accountId">;

/** Which sessions this process may have open. */
export interface Leases {
  /** False when another process has it. */
  take(id: SessionId): Promise<boolean>;
  /** Keeps all; those that are missing in the answer are lost. */
  renew(): Promise<readonly (SessionId & { readonly wanted: boolean })[]>;
  free(id: SessionId): Promise<void>;
}

export function createLeases(sql: Sql, holder: string, leaseMs: number): Leases {
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
