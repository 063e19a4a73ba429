import { BackupError } from "./backup-error.ts";
import type { Session } from "./session.ts";

/**
 * Refuses a database on which servers run: they would go on with what was restored, although it is not released. A server's connections
 * are named after its roles and never all idle for long; those of commands have other names.
 */
export async function refuseServers(session: Session, roles: readonly string[]): Promise<void> {
  // Within a transaction, the view would show what it showed the first time.
  await session.query("select pg_stat_clear_snapshot()");
  const running = await session.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name ~ ('^molva (' || array_to_string($1::text[], '|') || ')(,|$)')
     order by 1`,
    [roles],
  );
  if (running.length === 0) return;
  throw new BackupError(
    `Molva runs on this database (${running.map(({ name }) => name).join("; ")}) and would go on with what is restored. ` +
      "Stop every server first; nothing was changed in the database.",
  );
}
