import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  inOneChange,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
  type Rehearsal,
} from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import { type DeleteDeps, deleteDoomed } from "../projects/delete.ts";
import { readProject } from "../projects/projects.ts";
import type { Consequences } from "../projects/shape.ts";
import type { Category, CategoryChanges, NewCategory } from "./shape.ts";

/** The categories of a project, the newest first. */
export async function categoryPage(
  sql: Sql,
  whose: Whose,
  projectId: number,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Category>> {
  await readProject(sql, whose, projectId);
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<Category[]>`
    ${categories(sql, whose)} and c.project_id = ${projectId}
      ${from === undefined ? sql`` : sql`and c.id < ${from}`}
    order by c.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readCategory(
  sql: Sql | Transaction,
  whose: Whose,
  categoryId: number,
): Promise<Category> {
  const [category] = await sql<Category[]>`${categories(sql, whose)} and c.id = ${categoryId}`;
  if (!category) throw notFound("category", categoryId);
  return category;
}

export async function addCategory(
  { sql, clock }: AdminDeps,
  whose: Whose,
  projectId: number,
  { name, description = null }: NewCategory,
  by?: By,
): Promise<Category> {
  await readProject(sql, whose, projectId);
  return inOneChange(sql, async (tx) => {
    const [made] = await tx<[{ id: number }]>`
      insert into seo.categories (workspace_id, project_id, name, description, created_at)
      values (${whose.workspaceId}, ${projectId}, ${name}, ${description}, ${clock.now()}) returning id`;
    await noteCategory(tx, { sql, clock }, whose, made.id, { created: true, name }, by);
    return readCategory(tx, whose, made.id);
  });
}

export function changeCategory(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  { name, description }: CategoryChanges,
  by?: By,
): Promise<Category> {
  return inCategory(deps, whose, categoryId, async (tx) => {
    await tx`
      update seo.categories set
        name = coalesce(${name ?? null}, name),
        description = case when ${description !== undefined} then ${description ?? null} else description end
      where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
    await noteCategory(tx, deps, whose, categoryId, { name, described: description !== undefined }, by);
    return readCategory(tx, whose, categoryId);
  });
}

/** Deletes a category after what has to happen first; publications stay in the history. */
export async function deleteCategory(
  deps: DeleteDeps,
  whose: Whose,
  categoryId: number,
  options: { by?: By | undefined; dryRun?: boolean } = {},
): Promise<Consequences> {
  const { project_id: projectId } = await readCategory(deps.sql, whose, categoryId);
  return deleteDoomed(deps, { whose, projectId, categoryId }, options);
}

/** One change of a category, which nobody else changes meanwhile. */
export function inCategory<T>(
  { sql }: AdminDeps,
  { workspaceId, userId }: Whose,
  categoryId: number,
  work: (tx: Transaction) => Promise<T>,
  rehearsal: Rehearsal = {},
): Promise<T> {
  const change = async (tx: Transaction) => {
    const locked = await tx`
      select from seo.categories c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
      where c.workspace_id = ${workspaceId} and c.id = ${categoryId} and p.user_id = ${userId}
      for no key update of c`;
    if (locked.length === 0) throw notFound("category", categoryId);
    return work(tx);
  };
  return inOneChange(sql, change, rehearsal);
}

export async function noteCategory(
  tx: Transaction,
  { clock }: AdminDeps,
  { workspaceId, userId }: Whose,
  categoryId: number,
  change: Readonly<Record<string, unknown>>,
  by: By | undefined,
): Promise<void> {
  const meta = { object: "seo_category", user_id: userId, category_id: categoryId, ...change };
  if (by) await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
}

function categories(sql: Sql | Transaction, { workspaceId, userId }: Whose) {
  return sql`
    select c.id, c.project_id, c.name, c.description, k.clusters, k.phrases,
      case when c.prices is null then 0 else regexp_count(c.prices, '\n') + 1 end as prices,
      jsonb_array_length(c.media) as media, jsonb_array_length(c.reviews) as reviews,
      c.image_settings <> '{}' or c.text_settings <> '{}' as own_settings,
      (select count(*) from seo.platform_schedules s
       where s.workspace_id = c.workspace_id and s.category_id = c.id and s.enabled)::int as schedules,
      c.created_at
    from seo.categories c
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    cross join lateral seo.count_keywords(c.keywords) k
    where c.workspace_id = ${workspaceId} and p.user_id = ${userId}`;
}
