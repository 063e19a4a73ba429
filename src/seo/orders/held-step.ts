import type { Ledger, Step } from "../../billing/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

interface HeldDeps {
  readonly sql: Sql;
  readonly ledger: Pick<Ledger, "lower" | "giveBackStep">;
}

/** Lowers what is held for a step; administrators pay nothing, so nothing may be held. */
export async function lowerIfHeld({ sql, ledger }: HeldDeps, step: Step, tokens: number): Promise<void> {
  if (await isHeld(sql, step)) await ledger.lower(step, tokens);
}

/** Gives back what is held for a step, if anything is. */
export async function giveBackIfHeld({ sql, ledger }: HeldDeps, step: Step, reason: string): Promise<void> {
  if (await isHeld(sql, step)) await ledger.giveBackStep(step, reason);
}

async function isHeld(sql: Sql, { workspaceId, run, step }: Step): Promise<boolean> {
  const rows = await sql`
    select from billing.holds
    where workspace_id = ${workspaceId} and run = ${run} and step = ${step} and state = 'held'`;
  return rows.length > 0;
}
