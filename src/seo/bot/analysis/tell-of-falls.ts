/** Tells people which of their articles lose readers: each page at most once in four weeks. */
import { notify } from "../../../dialogs/index.ts";
import type { Clock } from "../../../kernel/clock/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { readPages } from "../../refresh/read-refresh.ts";
import { refreshRules } from "../../refresh/rules.ts";
import { botName } from "../bot-name.ts";
import { both } from "../texts/index.ts";

const quietMs = refreshRules.days * 86_400_000;

interface ReadProject {
  readonly workspaceId: string;
  readonly userId: number;
  readonly projectId: number;
}

/** Only of pages that can be updated in their place, and only to those who want to hear of publications. Returns how many heard. */
export async function tellOfFalls({
  sql,
  clock,
}: {
  readonly sql: Sql;
  readonly clock: Clock;
}): Promise<number> {
  const projects = await sql<ReadProject[]>`
    select distinct a.workspace_id as "workspaceId", p.user_id::float8 as "userId", a.project_id as "projectId"
    from seo.search_archives a
    join seo.projects p on p.workspace_id = a.workspace_id and p.id = a.project_id
    join seo.users u on u.workspace_id = p.workspace_id and u.id = p.user_id and u.notify_publications and u.blocked_at is null
    where a.to_day - a.from_day >= ${2 * refreshRules.days - 1}::int`;
  let told = 0;
  for (const project of projects) if (await tellOf(sql, project, clock.now())) told += 1;
  return told;
}

async function tellOf(
  sql: Sql,
  { workspaceId, userId, projectId }: ReadProject,
  now: Date,
): Promise<boolean> {
  const items = await readPages(sql, { workspaceId, userId }, projectId);
  const falling = items.filter(
    ({ verdict, is_ours, category_id }) => verdict === "falling" && is_ours && category_id !== null,
  );
  if (falling.length === 0) return false;
  return sql.begin(async (tx) => {
    const fresh = await tx`
      update seo.searched_pages set told_at = ${now}
      where workspace_id = ${workspaceId} and id = any(${falling.map(({ id }) => id)}::int[])
        and (told_at is null or told_at <= ${new Date(now.getTime() - quietMs)})
      returning id`;
    if (fresh.length === 0) return false;
    await notify(
      tx,
      { workspaceId, bot: botName },
      {
        ...{
          chatId: String(userId),
          id: `refresh ${workspaceId} ${projectId} ${now.getTime()}`,
          name: "refresh",
        },
        say: both((t) => t.analysis.refresh.told(fresh.length)),
        keys: both((t) => [[{ label: t.analysis.refresh.look, to: `project:${projectId}:refresh` }]]),
      },
      now,
    );
    return true;
  });
}
