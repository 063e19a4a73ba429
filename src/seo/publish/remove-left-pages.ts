import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { articleResult } from "../articles/shape.ts";
import type { CleanUp } from "./clean-up.ts";

export interface LeftPagesDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly cleanUp: CleanUp;
}

const atOnce = 20;

/**
 * Removes the preview pages and pictures of articles that were cancelled or have expired, whoever ended them; what could not be removed
 * is tried again for a week, in no order, so that a few that cannot be removed do not keep the others back. Uses runs_with_left_pages.
 */
export async function removeLeftPages({ sql, clock, cleanUp }: LeftPagesDeps): Promise<void> {
  const rows = await sql<{ workspace_id: string; id: string; result: unknown }[]>`
    select r.workspace_id, r.id, r.result from seo.runs r
    where r.kind = 'article' and r.status in ('cancelled', 'expired') and r.result #>> '{preview,path}' is not null
      and r.ended_at > ${clock.now()}::timestamptz - interval '7 days'
    order by random()
    limit ${atOnce}`;
  for (const { workspace_id: workspaceId, id, result } of rows) {
    const article = articleResult.safeParse(result);
    // A result of an earlier release must not keep the others from their turn.
    if (!article.success || !(await cleanUp(workspaceId, article.data))) continue;
    await sql`
      update seo.runs set result = jsonb_set(result, '{preview}', 'null')
      where workspace_id = ${workspaceId} and id = ${id}`;
  }
}
