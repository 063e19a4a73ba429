import { createLedger } from "../../billing/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

/** A step of billing for which tokens are held. */
export interface Charge {
  /** `text`, `images`, …; with the round if it is not the first. */
  readonly step: string;
  /** `text_generation`, `image_generation`, … */
  readonly operation: string;
  readonly tokens: number;
  readonly note?: string | undefined;
}

export interface Short {
  readonly ok: false;
  readonly reason: "short";
  readonly needed: number;
  readonly balance: number;
}

export interface Holder {
  readonly workspaceId: string;
  readonly userId: number;
  readonly charges: readonly Charge[];
}

/**
 * Does the work of a transaction that holds tokens by the function it gets. If there are too few, everything is rolled back and
 * the answer says how many are missing.
 */
export async function holdingTokens<T>(
  { sql, clock }: { sql: Sql; clock: Clock },
  { workspaceId, userId, charges }: Holder,
  work: (tx: Transaction, hold: (run: string) => Promise<void>) => Promise<T>,
): Promise<T | Short> {
  try {
    const { done } = await sql.begin(async (tx) => {
      const ledger = createLedger(tx, clock);
      const hold = async (run: string) => {
        for (const charge of charges) {
          const held = await ledger.hold({ ...charge, workspaceId, userId, run });
          if (!held.ok) throw new TooFewTokens();
        }
      };
      return { done: await work(tx, hold) };
    });
    return done;
  } catch (error) {
    if (!(error instanceof TooFewTokens)) throw error;
    const needed = charges.reduce((sum, { tokens }) => sum + tokens, 0);
    const balance = (await createLedger(sql, clock).balance(workspaceId, userId)) ?? 0;
    return { ok: false, reason: "short", needed, balance };
  }
}

/** Rolls the transaction back. */
class TooFewTokens extends Error {}
