import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { deletePictures } from "../pictures/stored-files.ts";
import { postKinds } from "../posts/shape.ts";
import type { Runs } from "../runs/create-runs.ts";
import type { CleanUp } from "./clean-up.ts";
import { removeLeftPages } from "./remove-left-pages.ts";

export interface ExpireDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly runs: Pick<Runs, "expire">;
  readonly cleanUp: CleanUp;
}

const atOnce = 100;
/** The kinds of runs that have pictures. */
const kinds = ["article", "images", ...postKinds];

/**
 * Ends articles that nobody decided on within a day, and those whose draft is gone with its project: their tokens go back, the
 * draft, its page and its pictures go, and those of articles that were cancelled. An article that is written anew this moment is left until it is reviewed again. Returns
 * their number.
 */
export async function expireArticles({ sql, clock, runs, cleanUp }: ExpireDeps): Promise<number> {
  const due = await sql<{ workspace_id: string; id: string }[]>`
    select r.workspace_id, r.id from seo.runs r
    where r.kind = 'article' and r.status = 'review' and not exists (
      select from seo.article_previews v
      where v.workspace_id = r.workspace_id and v.user_id = r.user_id and v.run = r.id::text and v.status = 'draft'
        and v.expires_at > ${clock.now()})
    order by r.created_at
    limit ${atOnce}`;
  let expired = 0;
  for (const { workspace_id: workspaceId, id: runId } of due)
    if (await runs.expire({ workspaceId, runId })) expired += 1;
  await removeLeftPages({ sql, clock, cleanUp });
  return expired;
}

/**
 * Deletes pictures of runs that ended a week ago: those of a text that was taken away can be opened until then, those of a
 * published post are used again by posts that are adapted from it, and those of failed and interrupted runs are named nowhere else.
 */
export async function forgetPictures({
  sql,
  clock,
  storage,
}: {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly storage: ObjectStorage;
}): Promise<void> {
  const now = clock.now();
  const rows = await sql<{ workspace_id: string; paths: string[] }[]>`
    select r.workspace_id, array_agg(p ->> 'storage_path') as paths
    from seo.runs r
    join seo.run_steps s on s.workspace_id = r.workspace_id and s.run_id = r.id
    cross join lateral jsonb_array_elements(s.result) p
    where r.kind in ${sql(kinds)} and r.ended_at between ${now}::timestamptz - interval '8 days' and ${now}::timestamptz - interval '7 days'
      and s.name = 'pictures' and s.status = 'done'
    group by r.workspace_id`;
  for (const { workspace_id, paths } of rows) await deletePictures(storage, workspace_id, paths);
}
