import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { foundOwn, type Who } from "./access.ts";

/** What most operations look at first. */
export interface KnownAccount {
  readonly id: string;
  readonly owner: string;
  readonly title: string;
  readonly is_active: boolean;
  readonly last_error: string | null;
  readonly timezone: string;
}

/** The account of this workspace, if the caller may touch it. */
export async function requireAccount(
  sql: Sql | Transaction,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<KnownAccount> {
  const [account] = await sql<KnownAccount[]>`
    select id, owner, title, is_active, last_error, timezone from accounts.accounts
    where workspace_id = ${workspaceId} and id = ${id}`;
  return foundOwn(who, account, "account", id);
}
