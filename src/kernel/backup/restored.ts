/** A restored database is not released yet: nothing runs on it until somebody has said so, because what was sent after the backup would be sent again. */
import type { Sql } from "../db/index.ts";
import type { Session } from "./session.ts";

export interface Restored {
  readonly backup: string;
  /** The moment of the backup. */
  readonly taken_at: Date;
  readonly restored_at: Date;
}

/** Written by the migration, too; an older schema does not have it yet when its rows are loaded. */
const table = `
  create table if not exists molva.restored (
    only_row    bool primary key default true check (only_row),
    backup      text not null,
    taken_at    timestamptz not null,
    restored_at timestamptz not null
  );
  alter table molva.restored enable row level security`;

export async function noteRestored(
  session: Session,
  { backup, taken_at, restored_at }: Restored,
): Promise<void> {
  await session.query(table);
  await session.query(
    `insert into molva.restored (backup, taken_at, restored_at) values ($1, $2, $3)
     on conflict (only_row) do update set
       backup = excluded.backup, taken_at = excluded.taken_at, restored_at = excluded.restored_at`,
    [backup, taken_at, restored_at],
  );
}

export async function readRestored(sql: Sql): Promise<Restored | undefined> {
  const [row] = await sql<Restored[]>`select backup, taken_at, restored_at from molva.restored`;
  return row;
}

export async function releaseRestored(sql: Sql): Promise<void> {
  await sql`delete from molva.restored`;
}
