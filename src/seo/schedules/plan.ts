/** What will be published by itself in the next days, what it costs, and whether the balance carries it. */
import { createLedger, listPrices, tokensFor } from "../../billing/index.ts";
import { type EstimateDeps, estimateWork } from "../estimates/estimate.ts";
import type { Whose } from "../people/whose.ts";
import { crossOperation } from "../posts/write-post.ts";
import { type Planned, planDays, type SchedulePlan } from "./shape.ts";

type Row = Omit<Planned, "tokens" | "balance_after" | "is_covered"> & { readonly crossed: number };

export interface PlanWanted {
  /** Now unless given. */
  readonly from?: Date | undefined;
  readonly days?: number | undefined;
  readonly projectId?: number | undefined;
}

/** Slots that have fired already are not in it. */
export async function planOf(
  deps: EstimateDeps,
  whose: Whose,
  { from = deps.clock.now(), days = planDays.usual, projectId }: PlanWanted = {},
): Promise<SchedulePlan> {
  const { sql, clock, admins } = deps;
  const { workspaceId, userId } = whose;
  const to = new Date(from.getTime() + days * 86_400_000);
  const rows = await sql<Row[]>`
    select n.due_at, n.local_date || ' ' || n.slot as local, p.timezone as zone, s.id as schedule_id, p.id as project_id,
      c.id as category_id, c.name as category, s.connection_id, s.platform_type as platform, k.identifier as place,
      cardinality(s.cross_post_connection_ids) as crossed
    from seo.platform_schedules s
    join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    join seo.platform_connections k on k.workspace_id = s.workspace_id and k.id = s.connection_id
    cross join lateral seo.slots_between(s.schedule_days, s.schedule_times, p.timezone, ${from}, ${to}) n
    where s.workspace_id = ${workspaceId} and p.user_id = ${userId} and s.enabled and p.id = coalesce(${projectId ?? null}, p.id)
      and not exists (
        select from seo.autopublications a
        where a.workspace_id = s.workspace_id and a.schedule_id = s.id and a.local_date = n.local_date and a.slot = n.slot)
    order by n.due_at, s.id`;
  const costs = await costsOf(deps, whose, rows);
  const isFree = admins.includes(userId);
  const balance = (await createLedger(sql, clock).balance(workspaceId, userId)) ?? 0;
  let left = balance;
  const items = rows.map(({ crossed: _crossed, ...row }): Planned => {
    const tokens = costs.get(row.schedule_id) ?? 0;
    if (!isFree) left -= tokens;
    return { ...row, tokens, balance_after: left, is_covered: isFree || left >= 0 };
  });
  const tokens = items.reduce((sum, each) => sum + each.tokens, 0);
  return { from, to, balance, is_free: isFree, tokens, items };
}

async function costsOf(deps: EstimateDeps, whose: Whose, rows: readonly Row[]): Promise<Map<number, number>> {
  const prices = await listPrices(deps.sql, whose.workspaceId);
  const costs = new Map<number, number>();
  for (const { schedule_id, category_id, platform, crossed } of rows) {
    if (costs.has(schedule_id)) continue;
    const { tokens, words } = await estimateWork(deps, whose, category_id, platform);
    costs.set(schedule_id, tokens.about + crossed * tokensFor(prices, crossOperation, words.from));
  }
  return costs;
}
