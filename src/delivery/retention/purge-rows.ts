import type { RetentionContext } from "./context.ts";

interface Batch {
  readonly removed: number;
  /** Where the next batch begins; null if there is none. */
  readonly next: string | null;
}

type RowsOfAWorkspace = "deliveries" | "messages" | "ingest_runs" | "events" | "webhook_messages";

/** Deletes old rows, one workspace after another. */
export async function purgeRows(what: RowsOfAWorkspace, context: RetentionContext): Promise<number> {
  const { sql, settings, now } = context;
  const batch = sql(`delivery.retention_${what}`);
  let removed = 0;
  for (const { workspace_id } of await sql<{ workspace_id: string }[]>`
    select workspace_id from workspaces.workspaces order by workspace_id`) {
    removed += await inBatches(async (after) => {
      const [row] = await sql<[Batch]>`
        select removed, next::text from ${batch}(${workspace_id}, ${after}, ${settings.rowsPerBatch}, ${now})`;
      return row;
    });
  }
  return removed;
}

/** Deletes events that no dropped partition removes: of workspaces that keep events for less time, and outside the partitions. */
export async function purgeEvents(context: RetentionContext): Promise<number> {
  const { sql, settings, now } = context;
  const rest = await inBatches(async () => {
    const [row] = await sql<[{ removed: number }]>`
      select delivery.retention_events_rest(${settings.rowsPerBatch}, ${now}) as removed`;
    return { removed: row.removed, next: row.removed === settings.rowsPerBatch ? "more" : null };
  });
  return rest + (await purgeRows("events", context));
}

/** Ends old secrets of endpoints and webhooks, and forgets those that are stored. */
export async function endOverlaps({ sql, now }: RetentionContext): Promise<number> {
  const [row] = await sql<[{ ended: number }]>`select delivery.end_overlaps(null, ${now}) as ended`;
  return row.ended;
}

export const purgeReceipts = (context: RetentionContext) => purgeByTime("receipts", context);
export const purgeDrafts = (context: RetentionContext) => purgeByTime("drafts", context);
export const purgeAdapterCalls = (context: RetentionContext) => purgeByTime("adapter_calls", context);

/** Deletes rows by their time only, of all workspaces together. */
function purgeByTime(
  what: "receipts" | "adapter_calls" | "drafts",
  { sql, settings, now }: RetentionContext,
): Promise<number> {
  const batch = sql(`delivery.retention_${what}`);
  return inBatches(async (after) => {
    const [row] = await sql<[Batch]>`
      select removed, next::text from ${batch}(${after}, ${settings.rowsPerBatch}, ${now})`;
    return row;
  });
}

async function inBatches(batch: (after: string | null) => Promise<Batch>): Promise<number> {
  let total = 0;
  let after: string | null = null;
  do {
    const { removed, next } = await batch(after);
    total += removed;
    after = next;
  } while (after !== null);
  return total;
}
