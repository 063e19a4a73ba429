import { type ProblemTable, problemsOf } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

export const planProblems = {
  plan_busy: {
    status: 503,
    title: "Too many plans are being made",
    meaning: "A plan is calculated from everything that waits, one after another: try again in a minute.",
  },
} as const satisfies ProblemTable;
const planProblem = problemsOf(planProblems);

const most = { waiting: 20, seconds: 30 } as const;

/** One plan at a time in a process: each may keep a core of the database busy for seconds, and sending comes first. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= most.waiting)
      throw planProblem("plan_busy", { detail: "Too many plans are being made: try again in a minute." });
    waiting += 1;
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine.finally(() => {
      waiting -= 1;
    });
  };
}

/** Gives the calculation up in the database too, when nobody can be waiting for it any more. */
export async function endInTime(tx: Sql | Transaction): Promise<void> {
  await tx`select set_config('statement_timeout', ${`${most.seconds}s`}, true)`;
}
