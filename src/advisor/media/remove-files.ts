import type { AdvisorDeps } from "../deps.ts";

const atOnce = 200;

/** Deletes the files of marked rows, then the rows, so that a crash never leaves a file without a row. */
export async function removeFiles({ sql, storage }: Pick<AdvisorDeps, "sql" | "storage">): Promise<void> {
  for (;;) {
    const rows = await sql<{ workspace_id: string; id: string; storage_url: string }[]>`
      select workspace_id, id, storage_url from advisor.media_assets where deleted_at is not null order by deleted_at limit ${atOnce}`;
    for (const { workspace_id, id, storage_url } of rows) {
      await storage.delete(storage_url);
      await sql`delete from advisor.media_assets where workspace_id = ${workspace_id} and id = ${id}`;
    }
    if (rows.length < atOnce) return;
  }
}
