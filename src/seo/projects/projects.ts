import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  differences,
  inOneChange,
  isEmpty,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
} from "../../workspaces/index.ts";
import { readUser } from "../people/people.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import { projectFieldNames } from "./project-fields.ts";
import type { NewProject, Project, ProjectChanges } from "./shape.ts";

/** A person's projects, the newest first. */
export async function projectPage(
  sql: Sql,
  { workspaceId, userId }: Whose,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Project>> {
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<Project[]>`
    ${projects(sql)}
    where p.workspace_id = ${workspaceId} and p.user_id = ${userId}
      ${from === undefined ? sql`` : sql`and p.id < ${from}`}
    order by p.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readProject(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  projectId: number,
): Promise<Project> {
  const [project] = await sql<Project[]>`
    ${projects(sql)} where p.workspace_id = ${workspaceId} and p.user_id = ${userId} and p.id = ${projectId}`;
  if (!project) throw notFound("project", projectId);
  return project;
}

export async function addProject(
  { sql, clock, defaultZone }: AdminDeps & { readonly defaultZone?: string | undefined },
  whose: Whose,
  fields: NewProject,
  by?: By,
): Promise<Project> {
  const { workspaceId, userId } = whose;
  await readUser(sql, whose);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const row = {
      ...given({ timezone: defaultZone, ...fields }),
      workspace_id: workspaceId,
      user_id: userId,
      created_at: now,
    };
    const [made] = await tx<[{ id: number }]>`insert into seo.projects ${tx(row)} returning id`;
    const project = await readProject(tx, whose, made.id);
    const meta = { object: "seo_project", user_id: userId, project_id: made.id, created: true };
    if (by) await noteChange(tx, { workspaceId, now, by, meta });
    return project;
  });
}

export async function changeProject(
  { sql, clock }: AdminDeps,
  whose: Whose,
  projectId: number,
  changes: ProjectChanges,
  by?: By,
): Promise<Project> {
  const { workspaceId, userId } = whose;
  return inOneChange(sql, async (tx) => {
    await tx`
      select from seo.projects
      where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${projectId} for no key update`;
    const before = await readProject(tx, whose, projectId);
    await tx`
      update seo.projects set ${tx(given(changes))}
      where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${projectId}`;
    const after = await readProject(tx, whose, projectId);
    if (after.timezone !== before.timezone) await followZone(tx, whose, projectId, clock.now());
    const changed = differences(before, after);
    const meta = { object: "seo_project", user_id: userId, project_id: projectId, changes: changed };
    if (by && !isEmpty(changed)) await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
    return after;
  });
}

/** The slots of its schedules are at other instants now: their driver looks at them again. */
async function followZone(
  tx: Transaction,
  { workspaceId }: Whose,
  projectId: number,
  now: Date,
): Promise<void> {
  await tx`
    update seo.platform_schedules s set changed_at = ${now}
    from seo.categories c
    where s.workspace_id = ${workspaceId} and c.workspace_id = s.workspace_id and c.id = s.category_id and c.project_id = ${projectId}`;
}

/** Without fields that are undefined. */
function given(fields: ProjectChanges): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function projects(sql: Sql | Transaction) {
  const own = sql`p.${sql(projectFieldNames[0] ?? "name")}`;
  const fields = projectFieldNames.slice(1).reduce((all, name) => sql`${all}, p.${sql(name)}`, own);
  return sql`
    select p.id, p.user_id, ${fields}, p.timezone, p.created_at, num_nonnulls(${fields}) as filled,
      (select count(*) from seo.categories c where c.workspace_id = p.workspace_id and c.project_id = p.id)::int as categories,
      (select count(*) from seo.platform_connections c
       where c.workspace_id = p.workspace_id and c.project_id = p.id)::int as connections,
      ((select count(*) from seo.publication_logs l
        where l.workspace_id = p.workspace_id and l.project_id = p.id and l.status = 'success')
       + (select coalesce(sum(t.publications), 0) from seo.publication_totals t
          where t.workspace_id = p.workspace_id and t.project_id = p.id and t.status = 'success'))::int as publications
    from seo.projects p`;
}
