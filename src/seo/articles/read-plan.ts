import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import type { RunScope } from "../runs/run-kind.ts";
import { type Plan, planResult } from "./plan-shape.ts";
import { competitorSchema, searchSchema, sourceSchema } from "./shape.ts";

export const planKind = "article_plan";

/** What ranks changes, and so do prices: an older plan is made anew for nothing. */
const lastsDays = 7;

interface PlanRow {
  readonly id: string;
  readonly status: string;
  readonly category_id: number;
  readonly result: unknown;
  readonly created_at: Date;
}

/** The plan that an article of this category can be written from; throws if it cannot. */
export async function readPlanFor(
  sql: Sql,
  whose: Whose,
  { runId, categoryId, now }: { readonly runId: string; readonly categoryId: number; readonly now: Date },
): Promise<Plan> {
  const row = z.uuid().safeParse(runId).success ? await rowOf(sql, whose, runId) : undefined;
  if (!row) throw notFound("plan", runId);
  const age = now.getTime() - row.created_at.getTime();
  if (row.category_id !== categoryId || row.status !== "done" || age > lastsDays * 86_400_000)
    throw new SeoProblem("value_refused", unusable(row, categoryId), { pointers: ["/plan"] });
  return planResult.parse(row.result);
}

/** The question of the newest plan of a category; empty if none was asked. */
export async function lastQuestion(
  sql: Sql,
  { workspaceId, userId }: Whose,
  categoryId: number,
): Promise<string> {
  const [row] = await sql<{ question: string | null }[]>`
    select r.result #>> '{question,ru}' as question from seo.runs r
    where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.kind = ${planKind}
      and r.category_id = ${categoryId} and r.status = 'done'
    order by r.created_at desc, r.id desc
    limit 1`;
  return row?.question ?? "";
}

/** What a plan has read, for the article that is written from it. */
export async function readPlanned(sql: Sql, run: RunScope, planId: string) {
  const [row, steps] = await Promise.all([
    rowOf(sql, run, planId),
    sql<{ name: string; result: unknown }[]>`
      select s.name, s.result from seo.run_steps s
      join seo.runs r on r.workspace_id = s.workspace_id and r.id = s.run_id
      where s.workspace_id = ${run.workspaceId} and s.run_id = ${planId} and r.user_id = ${run.userId} and s.status = 'done'`,
  ]);
  const step = <T>(name: string, shape: z.ZodType<T>): T | undefined =>
    shape.safeParse(steps.find((each) => each.name === name)?.result).data;
  return {
    plan: planResult.safeParse(row?.result).data,
    search: step("search", searchSchema),
    competitors: step("competitors", z.array(competitorSchema)),
    sources: step("sources", z.array(sourceSchema)),
  };
}
export type Planned = Awaited<ReturnType<typeof readPlanned>>;

async function rowOf(sql: Sql, { workspaceId, userId }: Whose, runId: string): Promise<PlanRow | undefined> {
  const [row] = await sql<PlanRow[]>`
    select r.id, r.status, r.category_id, r.result, r.created_at from seo.runs r
    where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.id = ${runId} and r.kind = ${planKind}`;
  return row;
}

function unusable({ status, category_id }: PlanRow, categoryId: number) {
  if (category_id !== categoryId)
    return {
      ru: "Это план другой категории. Закажите статью в ней или составьте новый план.",
      en: "The plan is of another category: order the article there, or make a new plan.",
    };
  return status === "queued" || status === "running"
    ? { ru: "План ещё составляется. Дождитесь его.", en: "The plan is still being made: wait for it." }
    : {
        ru: "План устарел. Составьте новый, это бесплатно.",
        en: "The plan is out of date: make a new one, it costs nothing.",
      };
}
