/** Where articles stand in Google's results, as it was found week by week. */
import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import type { Publication } from "../publications/shape.ts";

export const rankCheckSchema = z
  .object({
    checked_at: z.date(),
    position: z.int().nullable().describe("Null: not among the results that were looked at"),
    depth: z.int().describe("How many results were looked at"),
  })
  .meta({ id: "SeoRankCheck" });
export type RankCheck = z.infer<typeof rankCheckSchema>;

/** A year and a half of weeks; publications are kept for less. */
const most = 80;

/** All checks of a publication, the newest first. */
export async function ranksOf(
  sql: Sql,
  { workspaceId, userId }: Whose,
  publicationId: number,
): Promise<RankCheck[]> {
  const [known] = await sql`
    select from seo.publication_logs l
    where l.workspace_id = ${workspaceId} and l.user_id = ${userId} and l.id = ${publicationId}`;
  if (!known) throw notFound("publication", publicationId);
  return sql<RankCheck[]>`
    select k.checked_at, k.position, k.depth from seo.rank_checks k
    where k.workspace_id = ${workspaceId} and k.publication_id = ${publicationId}
    order by k.checked_at desc
    limit ${most}`;
}

/** What became of a page between two checks. */
export type RankChange =
  | { readonly kind: "first" | "same" | "absent" | "appeared" | "lost" }
  | { readonly kind: "up" | "down"; readonly places: number };

type Ranked = Pick<Publication, "rank_position" | "rank_before" | "rank_before_at">;

/** A smaller number is a better place. */
export function rankChange({ rank_position: now, rank_before: before, rank_before_at }: Ranked): RankChange {
  if (rank_before_at === null) return { kind: "first" };
  if (now === null) return { kind: before === null ? "absent" : "lost" };
  if (before === null) return { kind: "appeared" };
  if (now === before) return { kind: "same" };
  return now < before ? { kind: "up", places: before - now } : { kind: "down", places: now - before };
}
