import { SeoProblem } from "../problems.ts";
import type { Order } from "../runs/begin-run.ts";
import type { RunKind } from "../runs/run-kind.ts";
import { tooManyWorks } from "../runs/too-many-works.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { debtWords, tooFewWords } from "./token-words.ts";

export interface Ordered {
  readonly run_id: string;
  /** It was ordered before by the same request. */
  readonly repeated: boolean;
  /** What is held for it. */
  readonly tokens: number;
}

/** Begins work, or throws a problem that says why it cannot begin and what helps. Administrators pay nothing. */
export async function beginWork<Input>(
  { runs, clock, admins }: OrderDeps,
  kind: RunKind<Input, unknown>,
  order: Order<Input>,
): Promise<Ordered> {
  const charges = admins.includes(order.userId) ? [] : order.charges;
  const begun = await runs.begin(kind, { ...order, charges });
  if (begun.ok) return { run_id: begun.runId, repeated: begun.repeated, tokens: begun.tokens };
  if (begun.reason === "short") throw new TooFewTokens(begun);
  throw tooManyWorks(begun.counted, begun.againAt, clock.now());
}

/** The work costs more than the person has. */
export class TooFewTokens extends SeoProblem {
  readonly needed: number;
  readonly balance: number;

  constructor(short: { readonly needed: number; readonly balance: number }) {
    super(
      "too_few_tokens",
      short.balance < 0 ? debtWords(short.balance) : tooFewWords(short.needed, short.balance),
    );
    this.needed = short.needed;
    this.balance = short.balance;
  }
}
