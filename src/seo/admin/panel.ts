/** The administrator's figures. Each is counted by itself: joined tables would multiply one another's rows. */
import type { Sql } from "../../kernel/db/index.ts";

export interface Panel {
  readonly users: number;
  readonly paid: number;
  readonly projects: number;
  /** Paid in 30 days less what went back of it; of Stars the nominal price. */
  readonly revenueRub: number;
  readonly publications: number;
  /** Of calls to providers in 30 days. */
  readonly costUsd: number;
  /** People by the package they bought last. */
  readonly tariffs: readonly { readonly package: string; readonly people: number }[];
  readonly payments: readonly {
    readonly name: string | null;
    readonly package: string;
    readonly amount: number;
    readonly currency: string;
    readonly at: Date;
  }[];
  readonly referrals: {
    readonly invited: number;
    /** Payments that earned a bonus, and the tokens given for them less what was taken back. */
    readonly payments: number;
    readonly tokens: number;
  };
}

const dayMs = 86_400_000;
const ago = (now: Date, days: number) => new Date(now.getTime() - days * dayMs);

export async function readPanel(
  sql: Sql,
  { workspaceId, product, now }: { workspaceId: string; product: string; now: Date },
): Promise<Panel> {
  const ours = sql`p.workspace_id = ${workspaceId} and p.product = ${product}`;
  const [counts] = await sql<
    [
      {
        users: number;
        paid: number;
        projects: number;
        publications: number;
        cost_usd: number;
        revenue: number;
      },
    ]
  >`
    select (select count(*) from seo.users where workspace_id = ${workspaceId})::int as users,
      (select count(distinct p.user_id) from billing.payments p where ${ours} and p.status = 'completed')::int as paid,
      (select count(*) from seo.projects where workspace_id = ${workspaceId})::int as projects,
      (select count(*) from seo.publication_logs l
       where l.workspace_id = ${workspaceId} and l.status = 'success' and l.created_at >= ${ago(now, 7)})::int as publications,
      (select coalesce(sum(p.amount_rub * (1 - p.refunded / p.amount)), 0) from billing.payments p
       where ${ours} and p.completed_at >= ${ago(now, 30)})::float8 as revenue,
      ${costSince(sql, workspaceId, ago(now, 30))}::float8 as cost_usd`;
  const tariffs = await sql<Panel["tariffs"][number][]>`
    select package, count(*)::int as people from (
      select distinct on (p.user_id) p.package_name as package from billing.payments p
      where ${ours} and p.status = 'completed' order by p.user_id, p.completed_at desc, p.id desc) last
    group by package order by people desc, package`;
  const payments = await sql<Panel["payments"][number][]>`
    select u.first_name as name, p.package_name as package, p.amount::float8, p.currency, p.completed_at as at
    from billing.payments p left join seo.users u on u.workspace_id = p.workspace_id and u.id = p.user_id
    where ${ours} and p.status = 'completed' order by p.completed_at desc, p.id desc limit 5`;
  const [referrals] = await sql<[Panel["referrals"]]>`
    select (select count(*) from seo.users where workspace_id = ${workspaceId} and referrer_id is not null)::int as invited,
      (select count(*) from billing.payments p where ${ours} and p.referral_bonus_credited)::int as payments,
      (select coalesce(sum(e.amount), 0) from billing.token_expenses e
       where e.workspace_id = ${workspaceId} and e.operation_type = 'referral_bonus')::int as tokens`;
  const { users, paid, projects, publications } = counts;
  return {
    ...{ users, paid, projects, publications, tariffs, payments, referrals },
    ...{ revenueRub: counts.revenue, costUsd: counts.cost_usd },
  };
}

/** Uses token_expenses_by_time. */
const costSince = (sql: Sql, workspaceId: string, since: Date) => sql`(
  select coalesce(sum(e.cost_usd), 0) from billing.token_expenses e
  where e.workspace_id = ${workspaceId} and e.call_id is not null and e.created_at >= ${since})`;

export interface ProviderCost {
  /** Without `api_`. */
  readonly provider: string;
  readonly calls: number;
  readonly usd: number;
}

/** What calls to providers have cost, the most expensive first. */
export function readCosts(
  sql: Sql,
  { workspaceId, days, now }: { workspaceId: string; days: number; now: Date },
): Promise<readonly ProviderCost[]> {
  return sql<ProviderCost[]>`
    select substr(e.operation_type, 5) as provider, count(*)::int as calls, coalesce(sum(e.cost_usd), 0)::float8 as usd
    from billing.token_expenses e
    where e.workspace_id = ${workspaceId} and e.call_id is not null and e.created_at >= ${ago(now, days)}
    group by 1 order by usd desc, provider`;
}

export interface Failure {
  readonly at: Date;
  readonly user_id: number;
  /** The kind of run, or the platform of a publication. */
  readonly what: string;
  readonly code: string;
  readonly message: string | null;
}

/** Works and publications that failed, the newest first. */
export function readFailures(
  sql: Sql,
  {
    workspaceId,
    hours,
    now,
    language,
  }: { workspaceId: string; hours: number; now: Date; language: "ru" | "en" },
  count: number,
): Promise<readonly Failure[]> {
  const since = new Date(now.getTime() - hours * 3_600_000);
  return sql<Failure[]>`
    select * from (
      select r.ended_at as at, r.user_id, r.kind as what, r.error->>'code' as code, r.error->'message'->>${language} as message
      from seo.runs r where r.workspace_id = ${workspaceId} and r.status = 'failed' and r.ended_at >= ${since}
      union all
      select l.created_at, l.user_id, l.platform_type, 'publication', l.error_message
      from seo.publication_logs l
      where l.workspace_id = ${workspaceId} and l.status = 'failed' and l.created_at >= ${since}) failed
    order by at desc limit ${count}`;
}

export interface Load {
  readonly queued: number;
  readonly running: number;
  /** Seconds that the oldest work has waited to be begun. */
  readonly waits: number;
  readonly failed: number;
  /** Updates of people that are not answered yet. */
  readonly updates: number;
  readonly brokenConnections: number;
  readonly brokenSchedules: number;
}

/** What is being done now, and what went wrong in the last hour. */
export async function readLoad(
  sql: Sql,
  { workspaceId, bot, now }: { workspaceId: string; bot: string; now: Date },
): Promise<Load> {
  const hour = new Date(now.getTime() - 3_600_000);
  const [load] = await sql<[Load]>`
    select
      (select count(*) from seo.runs where workspace_id = ${workspaceId} and status = 'queued')::int as queued,
      (select count(*) from seo.runs where workspace_id = ${workspaceId} and status = 'running')::int as running,
      (select coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0) from seo.runs
       where workspace_id = ${workspaceId} and status = 'queued')::int as waits,
      (select count(*) from seo.runs
       where workspace_id = ${workspaceId} and status = 'failed' and ended_at >= ${hour})::int as failed,
      (select count(*) from dialogs.inbox
       where workspace_id = ${workspaceId} and bot = ${bot} and done_at is null)::int as updates,
      (select count(*) from seo.platform_connections
       where workspace_id = ${workspaceId} and status = 'error')::int as "brokenConnections",
      (select count(*) from seo.platform_schedules
       where workspace_id = ${workspaceId} and status = 'error')::int as "brokenSchedules"`;
  return load;
}
