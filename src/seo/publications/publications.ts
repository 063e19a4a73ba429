import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import type { NewPublication, Publication } from "./shape.ts";

export interface PublicationQuery extends PageQuery {
  readonly project_id?: number | undefined;
  readonly category_id?: number | undefined;
  readonly status?: Publication["status"] | undefined;
  readonly content_type?: Publication["content_type"] | undefined;
}

/** What was published for a person, the newest first. */
export async function publicationPage(
  sql: Sql,
  { workspaceId, userId }: Whose,
  { limit = pageLimit.usual, after, project_id, category_id, status, content_type }: PublicationQuery = {},
): Promise<Page<Publication>> {
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<Publication[]>`
    select l.id, l.project_id, l.category_id, l.platform_type, l.connection_id, l.keyword, l.content_type, l.images_count, l.post_url,
      l.word_count, l.tokens_spent, l.ai_model, l.generation_time_ms, l.prompt_version, l.status, l.error_message, l.created_at,
      l.rank_position, l.rank_checked_at, before.position as rank_before, before.checked_at as rank_before_at
    from seo.publication_logs l
    left join lateral (
      select k.position, k.checked_at from seo.rank_checks k
      where k.workspace_id = l.workspace_id and k.publication_id = l.id and k.checked_at < l.rank_checked_at
      order by k.checked_at desc
      limit 1
    ) before on true
    where l.workspace_id = ${workspaceId} and l.user_id = ${userId}
      ${project_id === undefined ? sql`` : sql`and l.project_id = ${project_id}`}
      ${category_id === undefined ? sql`` : sql`and l.category_id = ${category_id}`}
      ${status === undefined ? sql`` : sql`and l.status = ${status}`}
      ${content_type === undefined ? sql`` : sql`and l.content_type = ${content_type}`}
      ${from === undefined ? sql`` : sql`and l.id < ${from}`}
    order by l.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

/** Records the end of a publication in the person's project. Call it in the transaction that releases the phrase of the run. */
export async function logPublication(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  { content_hash, ...given }: NewPublication,
  now: Date,
): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into seo.publication_logs (workspace_id, user_id, project_id, category_id, platform_type, connection_id, keyword,
      content_type, images_count, post_url, word_count, tokens_spent, ai_model, generation_time_ms, prompt_version, content_hash,
      status, error_message, created_at)
    select p.workspace_id, p.user_id, p.id,
      (select c.id from seo.categories c
       where c.workspace_id = p.workspace_id and c.project_id = p.id and c.id = ${given.category_id ?? null}),
      ${given.platform_type},
      (select c.id from seo.platform_connections c
       where c.workspace_id = p.workspace_id and c.project_id = p.id and c.id = ${given.connection_id ?? null}),
      left(${given.keyword ?? null}, 500), ${given.content_type}, ${given.images_count ?? 0}, ${given.post_url ?? null},
      ${given.word_count ?? 0}, ${given.tokens_spent ?? 0}, left(${given.ai_model ?? null}, 100), ${given.generation_time_ms ?? null},
      ${given.prompt_version ?? null}, ${content_hash === undefined ? null : String(BigInt.asIntN(64, content_hash))}::bigint,
      ${given.status}, ${given.error_message ?? null}, ${now}
    from seo.projects p
    where p.workspace_id = ${workspaceId} and p.user_id = ${userId} and p.id = ${given.project_id}
    returning id`;
  if (!made) throw notFound("project", given.project_id);
  return made.id;
}
