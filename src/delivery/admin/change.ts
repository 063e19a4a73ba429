import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { By } from "./deps.ts";
import { refusalFrom } from "./refusal.ts";

export interface Rehearsal {
  readonly dryRun?: boolean | undefined;
}

/**
 * One change: everything in it happens, or nothing does, and what the database refuses becomes a problem in words.
 * A rehearsal takes the same steps against the same rows and then takes them back.
 */
export async function inOneChange<T>(
  sql: Sql,
  work: (tx: Transaction) => PromiseLike<T>,
  { dryRun = false }: Rehearsal = {},
): Promise<T> {
  const ended: { value: T }[] = [];
  const rehearsed = new Error("rolled back on purpose");
  try {
    await sql.begin(async (tx) => {
      ended.push({ value: await work(tx) });
      if (dryRun) throw rehearsed;
    });
  } catch (error) {
    if (error !== rehearsed) throw refusalFrom(error);
  }
  const [outcome] = ended;
  if (!outcome) throw new Error("a change ended without an outcome");
  return outcome.value;
}

export interface Noted {
  readonly workspaceId: string;
  readonly now: Date;
  readonly by: By;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The event of a change to a channel. */
export async function noteChannelChange(
  tx: Transaction,
  channelId: string,
  { workspaceId, now, by, meta }: Noted,
): Promise<void> {
  await tx`
    select delivery.note_change(${workspaceId}, ${channelId}, 'channel_changed', ${by.operator}, ${by.reason ?? null},
      ${JSON.stringify(meta)}::text::jsonb, ${now})`;
}

/** The event of a change to anything else; `meta.object` says to what. */
export async function noteChange(
  tx: Transaction,
  { workspaceId, now, by, meta }: Noted & { meta: { object: string } },
): Promise<void> {
  await tx`
    select delivery.note_change(${workspaceId}, null, 'config_changed', ${by.operator}, ${by.reason ?? null},
      ${JSON.stringify(meta)}::text::jsonb, ${now})`;
}

/** What waits may go on now: wakes the dispatcher when the change is committed. */
export async function wakeDispatcher(tx: Transaction, workspaceId: string): Promise<void> {
  await tx`select pg_notify('molva_deliveries', ${workspaceId})`;
}
