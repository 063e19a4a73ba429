import type { Sql } from "../../kernel/db/index.ts";

/** A run without a product after this time is lost. */
const after = "1 hour";
const atOnce = 100;

export interface LostRun {
  readonly workspace_id: string;
  readonly run: string;
}

/**
 * Returns tokens held for lost runs. Each run is a separate transaction, so that rows of two people are never locked
 * together.
 */
export async function returnLostHolds(sql: Sql, now: Date): Promise<LostRun[]> {
  const returned: LostRun[] = [];
  for (;;) {
    const lost = await sql<LostRun[]>`
      select workspace_id, run from billing.lost_runs(${after}, ${atOnce}, null, ${now})`;
    let tokens = 0;
    for (const { workspace_id, run } of lost) {
      const [row] = await sql<[{ tokens: number }]>`
        select billing.return_lost_run(${workspace_id}, ${run}, ${after}, ${now}) as tokens`;
      tokens += row.tokens;
      if (row.tokens > 0) returned.push({ workspace_id, run });
    }
    // Runs that became alive meanwhile are left for the next time.
    if (lost.length < atOnce || tokens === 0) return returned;
  }
}
