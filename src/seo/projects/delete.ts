import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import type { Consequences } from "./shape.ts";

/** What is about to be deleted: a whole project, one of its categories, or one of its connections. */
export interface Doomed {
  readonly whose: Whose;
  readonly projectId: number;
  /** Undefined, both of them, when the project goes as a whole. */
  readonly categoryId?: number | undefined;
  readonly connectionId?: number | undefined;
}

/**
 * Something that has to happen elsewhere before rows are deleted: tokens go back, remote schedules are cancelled. It may run
 * again for the same rows, and throws if it could not be done: then nothing is deleted.
 */
export interface BeforeDelete {
  readonly name: string;
  run(doomed: Doomed): Promise<void>;
  /** Nothing was deleted after all: what is left works as before. */
  restore?(doomed: Doomed): Promise<void>;
}

export interface DeleteDeps extends AdminDeps {
  /** In this order. */
  readonly beforeDelete: readonly BeforeDelete[];
}

/** What a deletion would take with it; throws if there is nothing of this person. */
export async function consequencesOf(sql: Sql | Transaction, doomed: Doomed): Promise<Consequences> {
  const { whose, projectId, categoryId = null } = doomed;
  const { workspaceId, userId } = whose;
  const [found] = await sql<(Consequences & { found: boolean })[]>`
    with doomed as (
      select c.id, c.keywords from seo.categories c
      where c.workspace_id = ${workspaceId} and c.project_id = ${projectId} and c.id = coalesce(${categoryId}, c.id))
    select
      ${categoryId}::int is null or exists (select from doomed) as found,
      (select count(*) from doomed)::int as categories,
      (select coalesce(sum(jsonb_array_length(cluster -> 'phrases')), 0)
       from doomed d cross join lateral jsonb_array_elements(seo.clusters_of(d.keywords)) cluster)::int as phrases,
      case when ${categoryId}::int is null then (
        select count(*) from seo.platform_connections c
        where c.workspace_id = p.workspace_id and c.project_id = p.id) else 0 end::int as connections,
      (select count(*) from seo.platform_schedules s
       where s.workspace_id = p.workspace_id and s.enabled and s.category_id in (select id from doomed))::int as schedules,
      (select count(*) from seo.article_previews v
       where v.workspace_id = p.workspace_id and v.status = 'draft' and v.category_id in (select id from doomed))::int as drafts,
      (select coalesce(sum(v.tokens_charged), 0) from seo.article_previews v
       where v.workspace_id = p.workspace_id and v.status = 'draft' and v.category_id in (select id from doomed))::int as tokens_returned,
      ((select count(*) from seo.publication_logs l
        where l.workspace_id = p.workspace_id and l.project_id = p.id
          and (${categoryId}::int is null or l.category_id = ${categoryId}))
       + (select coalesce(sum(t.publications), 0) from seo.publication_totals t
          where t.workspace_id = p.workspace_id and t.project_id = p.id
            and (${categoryId}::int is null or t.category_id = ${categoryId})))::int as publications
    from seo.projects p
    where p.workspace_id = ${workspaceId} and p.user_id = ${userId} and p.id = ${projectId}`;
  if (!found?.found)
    throw categoryId === null ? notFound("project", projectId) : notFound("category", categoryId);
  const { found: _found, ...consequences } = found;
  return consequences;
}

/** Deletes after all steps; if something fails on the way, what they can restore is restored. */
export async function afterSteps<Result>(
  { beforeDelete }: Pick<DeleteDeps, "beforeDelete">,
  doomed: Doomed,
  work: (runSteps: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(async () => {
      for (const step of beforeDelete) await step.run(doomed);
    });
  } catch (error) {
    // The first failure is the one to tell.
    await Promise.allSettled(beforeDelete.map((step) => step.restore?.(doomed)));
    throw error;
  }
}

/** How often the steps are repeated if drafts or connections appear meanwhile. */
const turns = 3;

/**
 * Deletes a project or a category. First all steps, then the rows, under a lock that keeps new drafts and connections out: if
 * some appeared meanwhile, the steps run again. A rehearsal says what would go.
 */
export async function deleteDoomed(
  deps: DeleteDeps,
  doomed: Doomed,
  { by, dryRun = false }: { by?: By | undefined; dryRun?: boolean } = {},
): Promise<Consequences> {
  const { sql, clock } = deps;
  const told = await consequencesOf(sql, doomed);
  if (dryRun) return told;
  return afterSteps(deps, doomed, async (runSteps) => {
    for (let turn = 1; turn <= turns; turn += 1) {
      await runSteps();
      const isDone = await inOneChange(sql, (tx) => deleted(tx, doomed, { told, by, now: clock.now() }));
      if (isDone) return told;
    }
    throw new Error(
      `drafts or connections of project ${doomed.projectId} keep appearing while it is deleted`,
    );
  });
}

async function deleted(
  tx: Transaction,
  { whose: { workspaceId, userId }, projectId, categoryId }: Doomed,
  { told, by, now }: { told: Consequences; by: By | undefined; now: Date },
): Promise<boolean> {
  await tx`
    select from seo.projects
    where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${projectId} for update`;
  const [left] = await tx<[{ left: boolean }]>`
    select exists (
        select from seo.article_previews v
        where v.workspace_id = ${workspaceId} and v.project_id = ${projectId} and v.status = 'draft'
          and v.category_id = coalesce(${categoryId ?? null}, v.category_id))
      or ${categoryId === undefined} and exists (
        select from seo.platform_connections c
        where c.workspace_id = ${workspaceId} and c.project_id = ${projectId} and c.channel_id is not null) as left`;
  if (left.left) return false;
  await (categoryId === undefined
    ? tx`delete from seo.projects where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${projectId}`
    : tx`delete from seo.categories where workspace_id = ${workspaceId} and project_id = ${projectId} and id = ${categoryId}`);
  const what =
    categoryId === undefined
      ? { object: "seo_project" }
      : { object: "seo_category", category_id: categoryId };
  const meta = { ...what, user_id: userId, project_id: projectId, deleted: true, consequences: told };
  if (by) await noteChange(tx, { workspaceId, now, by, meta });
  return true;
}
