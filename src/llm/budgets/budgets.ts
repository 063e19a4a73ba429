import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange, type Rehearsal } from "../../workspaces/index.ts";
import type { BudgetKey, BudgetView } from "./budget-shape.ts";

/** The caps of a workspace with their current usage. */
export function listBudgets(sql: Sql | Transaction, workspaceId: string, now: Date): Promise<BudgetView[]> {
  return sql<BudgetView[]>`
    select b.scope, b.subject, b.period, b.unit, b.cap::float8, b.updated_at,
      case when b.subject = '*' and b.scope <> 'workspace' then null else coalesce(case b.unit
        when 'usd' then s.spent_usd + s.reserved_usd
        when 'tokens' then s.spent_tokens + s.reserved_tokens
        else s.spent_calls + s.reserved_calls end, 0)::float8 end as used
    from llm.budgets b
    left join llm.spending s on s.workspace_id = b.workspace_id and s.scope = b.scope and s.subject = b.subject
      and s.period = b.period and s.starts_on = date_trunc(b.period, ${now}::timestamptz at time zone 'UTC')::date
    where b.workspace_id = ${workspaceId}
    order by b.scope, b.subject, b.period, b.unit`;
}

export async function setBudget(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  key: BudgetKey,
  cap: number,
  by: By,
): Promise<BudgetView> {
  const now = clock.now();
  const { scope, subject, period, unit } = key;
  return inOneChange(sql, async (tx) => {
    await tx`
      insert into llm.budgets (workspace_id, scope, subject, period, unit, cap, updated_at)
      values (${workspaceId}, ${scope}, ${subject}, ${period}, ${unit}, ${cap}, ${now})
      on conflict (workspace_id, scope, subject, period, unit) do update
        set cap = excluded.cap, updated_at = excluded.updated_at`;
    await noteChange(tx, { workspaceId, now, by, meta: { object: "llm_budget", ...key, cap } });
    const all = await listBudgets(tx, workspaceId, now);
    const set = all.find((each) => isSame(each, key));
    if (!set) throw new Error("a cap that was just set is not there");
    return set;
  });
}

export async function removeBudget(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  key: BudgetKey,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const { scope, subject, period, unit } = key;
  const work = async (tx: Transaction) => {
    const gone = await tx`
      delete from llm.budgets
      where workspace_id = ${workspaceId} and scope = ${scope} and subject = ${subject} and period = ${period}
        and unit = ${unit} returning unit`;
    if (gone.length === 0)
      throw problem("not_found", {
        detail: `There is no such cap: ${scope} ${subject}, ${unit} a ${period}.`,
      });
    const meta = { object: "llm_budget", ...key, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}

function isSame(one: BudgetKey, other: BudgetKey): boolean {
  return (
    one.scope === other.scope &&
    one.subject === other.subject &&
    one.period === other.period &&
    one.unit === other.unit
  );
}
