/** Projects and themes of the person's own, the last used first. */
import { type BotVisit, whoseOf } from "../services.ts";
import type { Choice } from "./prepared-data.ts";

/** More than anybody has; lists are paged by eight. */
export const mostChoices = 200;

export async function projectChoices(visit: BotVisit): Promise<Choice[]> {
  const { workspaceId, userId } = whoseOf(visit);
  return [
    ...(await visit.sql<Choice[]>`
      select p.id, p.name from seo.projects p
      where p.workspace_id = ${workspaceId} and p.user_id = ${userId}
      order by coalesce((
        select max(r.created_at) from seo.runs r
        where r.workspace_id = p.workspace_id and r.user_id = p.user_id and r.project_id = p.id), p.created_at) desc, p.id desc
      limit ${mostChoices}`),
  ];
}

export async function categoryChoices(visit: BotVisit, projectId: number): Promise<Choice[]> {
  const { workspaceId, userId } = whoseOf(visit);
  return [
    ...(await visit.sql<Choice[]>`
      select c.id, c.name from seo.categories c
      join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
      where c.workspace_id = ${workspaceId} and p.user_id = ${userId} and c.project_id = ${projectId}
      order by coalesce((
        select max(r.created_at) from seo.runs r
        where r.workspace_id = c.workspace_id and r.user_id = p.user_id and r.category_id = c.id), c.created_at) desc, c.id desc
      limit ${mostChoices}`),
  ];
}
