import { BackupError } from "./backup-error.ts";
import { queueSchema, readTables } from "./catalog.ts";
import type { Session } from "./session.ts";

const mostNamed = 5;

/**
 * Refuses a database that has data of Molva's. A migrated one without any is as good as an empty one; `prefilled` are the tables in which
 * migrations and servers leave rows.
 */
export async function refuseData(
  session: Session,
  schemas: readonly string[],
  prefilled: readonly string[],
): Promise<void> {
  const filled: string[] = [];
  for (const { name } of await readTables(session, schemas)) {
    // The job queue notes its tasks and schedules at every start; its jobs count.
    if (prefilled.includes(name) || (name.startsWith(`${queueSchema}.`) && !name.endsWith("_jobs"))) continue;
    const [row] = await session.query<{ any: boolean }>(`select exists (select from ${name}) as any`);
    if (row?.any) filled.push(name);
  }
  if (filled.length === 0) return;
  const more = filled.length > mostNamed ? ` and ${filled.length - mostNamed} more` : "";
  throw new BackupError(
    `The database has data already, in ${filled.slice(0, mostNamed).join(", ")}${more}: nothing was changed in it. ` +
      "Restore into an empty one: point DATABASE_URL at a new database or, if Molva runs its own PostgreSQL, set MOLVA_HOME to a new folder.",
  );
}
