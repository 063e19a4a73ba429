import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { CleanUp } from "../publish/clean-up.ts";
import { publishableOf } from "../publish/publishable.ts";
import type { Runs } from "../runs/create-runs.ts";
import { postKinds } from "./shape.ts";

export interface ExpirePostsDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly runs: Pick<Runs, "expire" | "lose" | "rules">;
  readonly cleanUp: CleanUp;
}

const atOnce = 100;

/**
 * Its dialogs give up after 30 minutes without a word of the person; they know when that is, and call `losePost`. Ends posts that nobody decided on for a day: they are lost and their tokens spent (E27). Those whose category was deleted are ended at
 * once, and their tokens go back. Uses runs_reviewed. Returns their number.
 */
export async function expirePosts({ sql, clock, runs, cleanUp }: ExpirePostsDeps): Promise<number> {
  const due = await sql<{ workspace_id: string; id: string; orphaned: boolean }[]>`
    with reviewed as (
      select r.workspace_id, r.id, r.reviewed_at, not exists (
        select from seo.categories c where c.workspace_id = r.workspace_id and c.id = r.category_id) as orphaned
      from seo.runs r
      where r.status = 'review' and r.kind in ${sql(postKinds)})
    select v.workspace_id, v.id, v.orphaned from reviewed v
    where v.orphaned or v.reviewed_at < ${new Date(clock.now().getTime() - runs.rules.previewMs)}
    order by v.reviewed_at
    limit ${atOnce}`;
  let ended = 0;
  for (const { workspace_id: workspaceId, id: runId, orphaned } of due) {
    const post = await publishableOf(sql, workspaceId, runId);
    const isEnded = await (orphaned ? runs.expire : runs.lose)({ workspaceId, runId });
    if (!isEnded) continue;
    ended += 1;
    if (post) await cleanUp(workspaceId, post.files);
  }
  return ended;
}
