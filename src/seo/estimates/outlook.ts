/** How long a person's tokens last: what articles cost them, and what their schedules will spend. */
import type { Sql } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";

/** An article of usual length with four pictures, and a post with one. */
export const usualCost = { article: 320, post: 40 } as const;

export interface Outlook {
  readonly balance: number;
  readonly projects: number;
  readonly categories: number;
  readonly publications: number;
  /** Schedules that are on. */
  readonly schedules: number;
  readonly hasSite: boolean;
  readonly hasNetwork: boolean;
  /** The mean of the person's last ten articles. */
  readonly articleCost: number;
  /** How many articles the balance is enough for. */
  readonly articlesLeft: number;
  /** What the schedules spend. */
  readonly perWeek: number;
  readonly perMonth: number;
  /** The schedules have tokens for less than two weeks. */
  readonly runsOut: boolean;
}

interface Row {
  readonly balance: number;
  readonly projects: number;
  readonly categories: number;
  readonly publications: number;
  readonly schedules: number;
  readonly sites: number;
  readonly networks: number;
  readonly article_cost: number | null;
  readonly post_cost: number | null;
  readonly articles_per_week: number;
  readonly posts_per_week: number;
}

const monthInWeeks = 30 / 7;

export async function readOutlook(sql: Sql, { workspaceId, userId }: Whose): Promise<Outlook> {
  const mean = (type: "article" | "social_post") => sql`(
    select avg(l.tokens_spent)::float8 from (
      select tokens_spent from seo.publication_logs
      where workspace_id = ${workspaceId} and user_id = ${userId} and status = 'success' and tokens_spent > 0
        and content_type = ${type}
      order by created_at desc, id desc limit 10) l)`;
  const [row] = await sql<[Row]>`
    with own as materialized (
      select p.id from seo.projects p where p.workspace_id = ${workspaceId} and p.user_id = ${userId}),
    planned as materialized (
      select s.platform_type, cardinality(s.schedule_days) * s.posts_per_day as per_week
      from own
      join seo.categories c on c.workspace_id = ${workspaceId} and c.project_id = own.id
      join seo.platform_schedules s on s.workspace_id = c.workspace_id and s.category_id = c.id and s.enabled),
    places as materialized (
      select c.platform_type from own
      join seo.platform_connections c on c.workspace_id = ${workspaceId} and c.project_id = own.id)
    select
      coalesce((select b.balance from billing.users b where b.workspace_id = ${workspaceId} and b.id = ${userId}), 0) as balance,
      (select count(*) from own)::int as projects,
      (select count(*) from own join seo.categories c on c.workspace_id = ${workspaceId} and c.project_id = own.id)::int as categories,
      (select count(*) from seo.publication_logs l
       where l.workspace_id = ${workspaceId} and l.user_id = ${userId} and l.status = 'success')::int as publications,
      (select count(*) from planned)::int as schedules,
      (select count(*) from places where platform_type = 'wordpress')::int as sites,
      (select count(*) from places where platform_type <> 'wordpress')::int as networks,
      ${mean("article")} as article_cost, ${mean("social_post")} as post_cost,
      (select coalesce(sum(per_week), 0) from planned where platform_type = 'wordpress')::int as articles_per_week,
      (select coalesce(sum(per_week), 0) from planned where platform_type <> 'wordpress')::int as posts_per_week`;
  const { balance, projects, categories, publications, schedules, sites, networks } = row;
  const articleCost = Math.round(row.article_cost ?? usualCost.article);
  const postCost = Math.round(row.post_cost ?? usualCost.post);
  const perWeek = row.articles_per_week * articleCost + row.posts_per_week * postCost;
  return {
    ...{ balance, projects, categories, publications, schedules, articleCost, perWeek },
    hasSite: sites > 0,
    hasNetwork: networks > 0,
    articlesLeft: Math.max(0, Math.floor(balance / articleCost)),
    perMonth: Math.round(perWeek * monthInWeeks),
    runsOut: perWeek > 0 && balance < perWeek * 2,
  };
}
