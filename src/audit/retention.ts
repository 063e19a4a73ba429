import type { Sql } from "../kernel/db/index.ts";

/** Says how long entries are kept at least. Only the owner of the tables may: the server's role can keep them longer, not shorter. */
export async function setAuditRetention(owner: Sql, days: number): Promise<void> {
  await owner`
    insert into audit.retention (days) values (${days}) on conflict (only_row) do update set days = excluded.days`;
}
