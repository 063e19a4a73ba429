import type { Sql } from "../../kernel/db/index.ts";
import { isNearDuplicate } from "../checks/index.ts";
import type { Whose } from "../people/whose.ts";

/** How many of the newest publications are compared. */
const compared = 5_000;

/** Whether the person has published almost the same before (E46). Publications that are no longer listed have left their prints. */
export async function isLikePublished(
  sql: Sql,
  { workspaceId, userId }: Whose,
  hash: bigint,
): Promise<boolean> {
  const rows = await sql<{ content_hash: string }[]>`
    (select l.content_hash::text from seo.publication_logs l
     where l.workspace_id = ${workspaceId} and l.user_id = ${userId} and l.status = 'success' and l.content_hash is not null
     order by l.id desc
     limit ${compared})
    union all
    (select p.content_hash::text from seo.publication_prints p
     where p.workspace_id = ${workspaceId} and p.user_id = ${userId}
     order by p.id desc
     limit ${compared})`;
  return rows.some((row) => isNearDuplicate(BigInt(row.content_hash), hash));
}
