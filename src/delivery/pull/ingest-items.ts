import { uuidv7 } from "../../kernel/ids/index.ts";
import { type ChunkAnswer, ingestChunk, readSource, untangled } from "./ledger.ts";
import { preparedItem, type ReadDeps } from "./prepare.ts";
import { givenItem } from "./pull-item.ts";
import { pullLimits } from "./pull-limits.ts";
import type { SourceName } from "./pull-now.ts";
import { noStats, sum } from "./pull-stats.ts";

/**
 * Accepts items as if the source had listed them: the same receipts, cursor and counters, chunk by chunk. An item is a push
 * body with `cursor_to` (or `cursor`). Undefined if there is no such source.
 */
export async function ingestItems(
  { workspaceId, sourceId }: SourceName,
  given: readonly unknown[],
  deps: Pick<ReadDeps, "sql" | "clock" | "platforms">,
): Promise<ChunkAnswer | undefined> {
  const { sql, clock } = deps;
  const source = await readSource(sql, workspaceId, sourceId);
  if (!source) return undefined;
  const runId = `ingest-pull-${uuidv7(clock)}`;
  let total: ChunkAnswer = { ...noStats, run_id: runId };
  for (let start = 0; start < Math.max(given.length, 1); start += pullLimits.chunk) {
    const items = given.slice(start, start + pullLimits.chunk).map(givenItem);
    const prepared = await Promise.all(items.map((item) => preparedItem(item, workspaceId, deps)));
    const answer = await untangled(() =>
      ingestChunk(sql, { ...source, items, prepared, runId }, clock.now()),
    );
    total = { ...total, ...answer, ...sum(total, answer) };
    if (answer.skipped) return total;
  }
  await sql`
    update delivery.ingest_runs set finished_at = ${clock.now()}
    where workspace_id = ${workspaceId} and run_id = ${runId}`;
  return total;
}
