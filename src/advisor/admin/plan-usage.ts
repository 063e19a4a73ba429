import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { PlanSettings } from "../advisor-settings.ts";

export const usageShape = z
  .object({
    plan: z.enum(["free", "pro"]),
    users: z.int(),
    active_users: z.int().describe("People who asked something in this period"),
    questions: z.int(),
    failed: z.int().describe("Questions that no model answered; they were not charged"),
    cost_usd: z.number(),
  })
  .meta({ id: "AdvisorUsage" });
export type PlanUsage = z.output<typeof usageShape>;

/** Questions and cost by plan. People who deleted their data are counted only in the workspace's totals. */
export function readPlanUsage(
  sql: Sql,
  workspaceId: string,
  { from, to }: { from: Date; to: Date },
): Promise<PlanUsage[]> {
  return sql<PlanUsage[]>`
    select p.plan, count(distinct u.id)::int as users, count(distinct u.id) filter (where c.call_id is not null)::int as active_users,
      count(c.call_id) filter (where c.status = 'ok')::int as questions,
      count(c.call_id) filter (where c.status in ('failed', 'expired'))::int as failed, coalesce(sum(c.cost_usd), 0)::float8 as cost_usd
    from (values ('free'), ('pro')) p (plan)
    left join advisor.users u on u.workspace_id = ${workspaceId} and u.plan = p.plan
    left join llm.calls c on c.workspace_id = u.workspace_id and c.user_id = 'advisor:' || u.id
      and c.started_at >= ${from} and c.started_at < ${to}
    group by p.plan order by p.plan`;
}

export const planShape = z
  .object({
    plan: z.enum(["free", "pro"]),
    questions_a_day: z.int().describe("-1 means no limit"),
    cooldown_sec: z.int(),
    session_sec: z.int(),
    research_a_month: z.int(),
    photos_a_month: z.int(),
    policies: z.array(z.string()),
  })
  .meta({ id: "AdvisorPlan" });
export type PlanView = z.output<typeof planShape>;

export function describePlans(settings: PlanSettings): PlanView[] {
  return [
    {
      plan: "free",
      questions_a_day: settings.freeDailyLimit,
      cooldown_sec: settings.cooldownSec,
      session_sec: settings.freeTtlSec,
      research_a_month: 0,
      photos_a_month: 0,
      policies: ["free_default"],
    },
    {
      plan: "pro",
      questions_a_day: -1,
      cooldown_sec: 0,
      session_sec: settings.proTtlSec,
      research_a_month: settings.researchLimit,
      photos_a_month: settings.photoLimit,
      policies: ["pro_default", "pro_vision", "pro_voice", "pro_research"],
    },
  ];
}
