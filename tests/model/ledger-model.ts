/**
 * The specification of the books in plain TypeScript: sums. It shares nothing with the functions it is compared to. It
 * knows only answers, so that anything that happened without an answer, or twice, shows as a difference.
 */
export type Account =
  | "tokens"
  | "in_progress"
  | "done"
  | "revenue"
  | "bonuses"
  | "referral"
  | "refunds"
  | "adjustments";

export interface Step {
  readonly name: string;
  readonly operation: string;
  /** What is held for it now. */
  amount: number;
  state: "held" | "settled" | "returned";
}

export interface Run {
  readonly id: string;
  readonly user: number;
  readonly steps: Step[];
}

export interface Payment {
  readonly user: number;
  readonly tokens: number;
  readonly bonus: number;
  readonly rub: number;
  paid: boolean;
  refunded: number;
  bonusOf: { readonly user: number; readonly tokens: number } | undefined;
}

export interface Books {
  readonly balances: Map<number, number>;
  readonly accounts: Record<Account, number>;
  /** People whose balance may be negative because of a refund. */
  readonly refunded: Set<number>;
}

export const emptyBooks = (): Books => ({
  balances: new Map(),
  accounts: {
    ...{
      tokens: 0,
      in_progress: 0,
      done: 0,
      revenue: 0,
      bonuses: 0,
      referral: 0,
      refunds: 0,
      adjustments: 0,
    },
  },
  refunded: new Set(),
});

/** Tokens of a person come from an account, or go to it when they are below zero. */
export function move(books: Books, user: number, tokens: number, account: Account): void {
  books.balances.set(user, (books.balances.get(user) ?? 0) + tokens);
  books.accounts.tokens += tokens;
  books.accounts[account] -= tokens;
}

export function hold(books: Books, run: Run, step: Omit<Step, "state">): void {
  run.steps.push({ ...step, state: "held" });
  move(books, run.user, -step.amount, "in_progress");
}

export function lower(books: Books, run: Run, step: Step, amount: number): void {
  move(books, run.user, step.amount - amount, "in_progress");
  step.amount = amount;
}

/** Ends what is still held; returns the total of all steps that ended so. */
export function end(books: Books, run: Run, state: "settled" | "returned", only?: Step): number {
  for (const step of run.steps.filter((each) => each.state === "held" && (!only || each === only))) {
    step.state = state;
    if (state === "returned") move(books, run.user, step.amount, "in_progress");
    else {
      books.accounts.in_progress -= step.amount;
      books.accounts.done += step.amount;
    }
  }
  return run.steps
    .filter((step) => step.state === state && (!only || step === only))
    .reduce((sum, { amount }) => sum + amount, 0);
}

export const unpaid = (sold: Pick<Payment, "user" | "tokens" | "bonus" | "rub">): Payment => ({
  ...{ ...sold, paid: false, refunded: 0, bonusOf: undefined },
});

/** A tenth for whoever brought the payer. */
export function pay(books: Books, payment: Payment, referrer: number | undefined): void {
  if (payment.paid) return;
  payment.paid = true;
  move(books, payment.user, payment.tokens - payment.bonus, "revenue");
  move(books, payment.user, payment.bonus, "bonuses");
  if (referrer === undefined) return;
  payment.bonusOf = { user: referrer, tokens: Math.floor(payment.rub / 10) };
  move(books, referrer, payment.bonusOf.tokens, "referral");
}

/** `money` is the total refunded so far; an older total changes nothing. */
export function takeMoneyBack(books: Books, payment: Payment, money: number): void {
  if (money <= payment.refunded) return;
  const part = (tokens: number, of: number) => Math.floor((tokens * of) / payment.rub);
  move(books, payment.user, part(payment.tokens, payment.refunded) - part(payment.tokens, money), "refunds");
  books.refunded.add(payment.user);
  if (payment.bonusOf) {
    const { user, tokens } = payment.bonusOf;
    move(books, user, part(tokens, payment.refunded) - part(tokens, money), "referral");
    books.refunded.add(user);
  }
  payment.refunded = money;
}

/** What several processes did, taken together. */
export function sumOf(all: readonly Books[]): Books {
  const sum = emptyBooks();
  for (const { balances, accounts, refunded } of all) {
    for (const [user, tokens] of balances) sum.balances.set(user, (sum.balances.get(user) ?? 0) + tokens);
    for (const account of accountsOf(accounts)) sum.accounts[account] += accounts[account];
    for (const user of refunded) sum.refunded.add(user);
  }
  return sum;
}

const accountsOf = (accounts: Books["accounts"]) => Object.keys(accounts) as Account[];
