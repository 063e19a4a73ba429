import type { Ledger, Step } from "../../billing/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

interface HeldDeps {
  readonly sql: Sql;
  readonly ledger: Pick<Ledger, "lower" | "giveBackStep">;
}

/** Lowers what is held for a step; administrators pay nothing, so nothing may be held. Returns how much went back. */
export async function lowerIfHeld({ sql, ledger }: HeldDeps, step: Step, tokens: number): Promise<number> {
  const held = await heldFor(sql, step);
  // A price that was raised meanwhile is no reason to charge more.
  if (held === undefined || held <= tokens) return 0;
  if (tokens > 0) await ledger.lower(step, tokens);
  else await ledger.giveBackStep(step, "nothing to pay for");
  return held - tokens;
}

/** Gives back what is held for a step, if anything is. Returns how much that was. */
export async function giveBackIfHeld({ sql, ledger }: HeldDeps, step: Step, reason: string): Promise<number> {
  const held = await heldFor(sql, step);
  if (held === undefined) return 0;
  await ledger.giveBackStep(step, reason);
  return held;
}

async function heldFor(sql: Sql, { workspaceId, run, step }: Step): Promise<number | undefined> {
  const [hold] = await sql<{ amount: number }[]>`
    select amount from billing.holds
    where workspace_id = ${workspaceId} and run = ${run} and step = ${step} and state = 'held'`;
  return hold?.amount;
}
