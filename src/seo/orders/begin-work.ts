import { SeoProblem } from "../problems.ts";
import type { Order } from "../runs/begin-run.ts";
import type { RunKind } from "../runs/run-kind.ts";
import { tooManyWorks } from "../runs/too-many-works.ts";
import type { Said } from "../said.ts";
import type { OrderDeps } from "../workshop-deps.ts";

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
  if (begun.ok)
    return {
      run_id: begun.runId,
      repeated: begun.repeated,
      tokens: charges.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  if (begun.reason === "short")
    throw new SeoProblem("too_few_tokens", begun.balance < 0 ? inDebt(begun.balance) : tooFew(begun));
  throw tooManyWorks(begun.limit, begun.againAt, clock.now());
}

const tooFew = ({ needed, balance }: { needed: number; balance: number }): Said => ({
  ru: `Недостаточно токенов. Нужно ~${needed}, у вас ${balance}.`,
  en: `There are not enough tokens: about ${needed} are needed, there are ${balance}.`,
});

const inDebt = (balance: number): Said => ({
  ru: `Ваш баланс отрицателен (${balance} токенов) из-за возврата средств. Пополните баланс для продолжения работы.`,
  en: `The balance is negative (${balance} tokens) because money was refunded. Top it up to go on.`,
});
