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
  /** If the balance does not carry `tokens`, what there is is held, but not less than this. */
  readonly least?: number | undefined;
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
 * Does the work of a transaction that holds tokens by the function it gets, which answers how many. If there are too few,
 * everything is rolled back and the answer says how many are missing.
 */
export async function holdingTokens<T>(
  deps: { sql: Sql; clock: Clock },
  holder: Holder,
  work: (tx: Transaction, hold: (run: string) => Promise<number>) => Promise<T>,
): Promise<T | Short> {
  const { sql, clock } = deps;
  const { workspaceId, userId, charges } = holder;
  try {
    const { done } = await sql.begin(async (tx) => {
      const ledger = createLedger(tx, clock);
      const hold = async (run: string) => {
        for (const { least: _, ...charge } of charges) {
          const held = await ledger.hold({ ...charge, workspaceId, userId, run });
          if (!held.ok) throw new TooFewTokens();
        }
        return sumOf(charges);
      };
      return { done: await work(tx, hold) };
    });
    return done;
  } catch (error) {
    if (!(error instanceof TooFewTokens)) throw error;
    const balance = (await createLedger(sql, clock).balance(workspaceId, userId)) ?? 0;
    const lowered = loweredTo(charges, balance);
    if (lowered) return holdingTokens(deps, { ...holder, charges: lowered }, work);
    return { ok: false, reason: "short", needed: sumOf(charges.map(atLeast)), balance };
  }
}

export const sumOf = (charges: readonly Pick<Charge, "tokens">[]): number =>
  charges.reduce((sum, { tokens }) => sum + tokens, 0);

const atLeast = ({ least, ...charge }: Charge): Charge => ({ ...charge, tokens: least ?? charge.tokens });

/** The charges as the balance carries them; undefined if it does not carry the least. They are not lowered again. */
function loweredTo(charges: readonly Charge[], balance: number): Charge[] | undefined {
  if (charges.every(({ least }) => least === undefined)) return undefined;
  let spare = balance - sumOf(charges.map(atLeast));
  if (spare < 0) return undefined;
  return charges.map((charge) => {
    const lowest = atLeast(charge);
    const more = Math.min(spare, charge.tokens - lowest.tokens);
    spare -= more;
    return { ...lowest, tokens: lowest.tokens + more };
  });
}

/** Rolls the transaction back. */
class TooFewTokens extends Error {}
