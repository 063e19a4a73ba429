import type { z } from "zod";
import { actAs } from "../../audit/index.ts";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { AdminDeps, By } from "../../workspaces/index.ts";
import { refusalOf } from "../ledger/refusals.ts";
import { billingProblem } from "../problems.ts";
import { noSuchPerson } from "./people.ts";
import type { adjustedSchema } from "./shape.ts";

export interface Adjustment {
  readonly userId: number;
  /** Negative to take. */
  readonly tokens: number;
  /** A repeat with the same key changes nothing. */
  readonly key?: string | undefined;
}

/** An operator gives a person tokens or takes some; who and why is recorded in the audit trail. */
export async function adjust(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  adjustment: Adjustment,
  by: By & { readonly reason: string },
): Promise<z.infer<typeof adjustedSchema>> {
  const { userId, tokens } = adjustment;
  try {
    const balance = await moved(sql, workspaceId, adjustment, by, clock.now());
    return { user_id: userId, tokens, balance };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code === "user_unknown") throw noSuchPerson(userId);
    if (refusal?.code === "insufficient_balance" || refusal?.code === "key_reused")
      throw billingProblem(refusal.code, { detail: refusal.sentence });
    if (refusal?.code === "balance_too_large")
      throw problem("unprocessable", {
        detail: refusal.sentence,
        errors: [{ pointer: "/tokens", detail: refusal.sentence }],
      });
    throw error;
  }
}

async function moved(
  sql: Sql,
  workspaceId: string,
  { userId, tokens, key }: Adjustment,
  by: By & { readonly reason: string },
  now: Date,
): Promise<number> {
  const { operator, reason } = by;
  return sql.begin(async (tx) => {
    await actAs(tx, by);
    const [row] = await tx<[{ balance: number }]>`
      select billing.adjust(${workspaceId}, ${userId}, ${tokens}, ${operator}, ${reason}, ${key ?? null}, ${now}) as balance`;
    return row.balance;
  });
}
