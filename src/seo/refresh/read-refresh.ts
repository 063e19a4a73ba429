/** Which pages of a project lose their readers. */
import type { Sql } from "../../kernel/db/index.ts";
import { pageKey } from "../links/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import { readProject } from "../projects/projects.ts";
import type { Sources } from "../sources/index.ts";
import { judgePage } from "./judge-page.ts";
import { refreshRules } from "./rules.ts";
import type { PageFigures, Refresh } from "./shape.ts";
import { shareOf } from "./share.ts";

const mostPages = 200;
const { days, yearDays } = refreshRules;

export interface RefreshDeps {
  readonly sql: Sql;
  readonly sources: Pick<Sources, "readers">;
}

/** The pages that lost most clicks come first, and what is archived. */
export async function readRefresh(
  { sql, sources }: RefreshDeps,
  whose: Whose,
  projectId: number,
): Promise<Refresh> {
  const items = await readPages(sql, whose, projectId);
  const known = await sql<Omit<Refresh["archives"][number], "share">[]>`
    select a.engine, a.site, a.property is not null as is_shared, a.from_day::text as from, a.to_day::text as to, a.read_at, a.problem
    from seo.search_archives a
    where a.workspace_id = ${whose.workspaceId} and a.project_id = ${projectId}
    order by a.engine, a.site`;
  const archives = known.map((each) => ({ ...each, share: shareOf(each, sources.readers) }));
  return { archives, is_enough: archives.some(isEnough), items };
}

export async function readPages(sql: Sql, whose: Whose, projectId: number): Promise<PageFigures[]> {
  await readProject(sql, whose, projectId);
  const ours = await ourPages(sql, whose, projectId);
  return (await clicksOf(sql, whose, { projectId })).map((row) => figuresOf(row, ours));
}

/** One page; throws if it is not a page of the person's own projects. */
export async function readRefreshPage(
  sql: Sql,
  whose: Whose,
  pageId: number,
): Promise<PageFigures & { readonly project_id: number }> {
  const [row] = await clicksOf(sql, whose, { pageId });
  if (!row) throw notFound("page", pageId);
  const ours = await ourPages(sql, whose, row.project_id);
  return { ...figuresOf(row, ours), project_id: row.project_id };
}

function isEnough({ from, to }: Pick<Refresh["archives"][number], "from" | "to">): boolean {
  if (from === null || to === null) return false;
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1 >= 2 * days;
}

interface ClicksRow {
  readonly id: number;
  readonly project_id: number;
  readonly page: string;
  readonly url: string;
  readonly now: number;
  readonly before: number;
  readonly year_now: number;
  readonly year_before: number;
  readonly has_year: boolean;
  readonly position: number | null;
  readonly position_before: number | null;
}

/** Engines count as far as they are archived: one whose archive is too short would make every page fall, or rise. */
function clicksOf(
  sql: Sql,
  { workspaceId, userId }: Whose,
  of: { readonly projectId: number } | { readonly pageId: number },
): Promise<readonly ClicksRow[]> {
  return sql<ClicksRow[]>`
    with counted as (
      select p.id, p.project_id, p.page, p.url, d.clicks, d.impressions, d.position,
        case when d.day > a.to_day - ${days}::int then 'now'
          when d.day > a.to_day - ${2 * days}::int then 'before'
          when d.day <= a.to_day - ${yearDays}::int and d.day > a.to_day - ${yearDays + days}::int then 'year_now'
          when d.day <= a.to_day - ${yearDays + days}::int and d.day > a.to_day - ${yearDays + 2 * days}::int then 'year_before'
        end as weeks,
        a.from_day <= a.to_day - ${yearDays + 2 * days - 1}::int as has_year
      from seo.searched_pages p
      join seo.projects o on o.workspace_id = p.workspace_id and o.id = p.project_id and o.user_id = ${userId}
      join seo.search_archives a on a.workspace_id = p.workspace_id and a.project_id = p.project_id
        and a.site = split_part(split_part(p.page, '/', 1), '?', 1) and a.to_day - a.from_day >= ${2 * days - 1}::int
      join seo.page_days d on d.workspace_id = p.workspace_id and d.page_id = p.id and d.engine = a.engine
        and d.day > a.to_day - ${yearDays + 2 * days}::int
      where p.workspace_id = ${workspaceId}
        and ${"pageId" in of ? sql`p.id = ${of.pageId}` : sql`p.project_id = ${of.projectId}`}
    )
    select id, project_id, page, url, bool_and(has_year) as has_year,
      coalesce(sum(clicks) filter (where weeks = 'now'), 0)::int as now,
      coalesce(sum(clicks) filter (where weeks = 'before'), 0)::int as before,
      coalesce(sum(clicks) filter (where weeks = 'year_now'), 0)::int as year_now,
      coalesce(sum(clicks) filter (where weeks = 'year_before'), 0)::int as year_before,
      round((sum(position * impressions) filter (where weeks = 'now')
        / nullif(sum(impressions) filter (where weeks = 'now' and position is not null), 0))::numeric, 1)::float8 as position,
      round((sum(position * impressions) filter (where weeks = 'before')
        / nullif(sum(impressions) filter (where weeks = 'before' and position is not null), 0))::numeric, 1)::float8 as position_before
    from counted
    group by id, project_id, page, url
    having sum(clicks) filter (where weeks in ('now', 'before')) > 0
    order by coalesce(sum(clicks) filter (where weeks = 'before'), 0) - coalesce(sum(clicks) filter (where weeks = 'now'), 0) desc, id
    limit ${mostPages}`;
}

function figuresOf(row: ClicksRow, ours: ReadonlyMap<string, OurPage>): PageFigures {
  const own = ours.get(row.page);
  const yearAgo = row.has_year ? { now: row.year_now, before: row.year_before } : undefined;
  return {
    ...{
      id: row.id,
      url: own?.url ?? row.url,
      verdict: judgePage({ now: row.now, before: row.before, yearAgo }),
    },
    ...{ clicks: row.now, clicks_before: row.before },
    ...{ position: row.position, position_before: row.position_before, is_ours: own !== undefined },
    ...{ phrase: own?.phrase ?? null, category_id: own?.category_id ?? null },
    connection_id: own?.connection_id ?? null,
  };
}

interface OurPage {
  readonly url: string;
  readonly phrase: string | null;
  readonly category_id: number | null;
  readonly connection_id: number | null;
}

/** The pages that SEO Master wrote, by the form in which pages are compared; where it would write them anew. */
async function ourPages(sql: Sql, { workspaceId, userId }: Whose, projectId: number) {
  const rows = await sql<OurPage[]>`
    select distinct on (r.result ->> 'post_url') r.result ->> 'post_url' as url, r.result -> 'article' ->> 'phrase' as phrase,
      c.id as category_id, n.id as connection_id
    from seo.runs r
    left join seo.categories c on c.workspace_id = r.workspace_id and c.id = r.category_id and c.project_id = r.project_id
    left join seo.platform_connections n on n.workspace_id = r.workspace_id and n.id = r.connection_id and n.project_id = r.project_id
    where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.project_id = ${projectId}
      and r.kind = 'article' and r.status = 'done' and r.result ? 'post_url'
    order by r.result ->> 'post_url', r.created_at desc`;
  return new Map(
    rows.flatMap((row) => {
      const page = pageKey(row.url);
      return page === undefined ? [] : [[page, row] as const];
    }),
  );
}
