import { createWorker, type Hand, msUntil, type Worker } from "../../kernel/worker/index.ts";
import { lateMs } from "../plan/plan-account.ts";
import { planDue } from "../plan/plan-due.ts";
import { respaceAccount } from "../plan/respace.ts";
import { recoverStuck } from "../queue/recover.ts";
import { createClients, keyOf } from "./clients.ts";
import type { WorkDeps } from "./deps.ts";
import type { AccountKey } from "./governor.ts";
import { workTimes } from "./times.ts";
import { visit } from "./visit.ts";

/** Accounts that a worker is working for. */
export type AccountWorker = Worker<AccountKey>;

/** How long an account is left alone after another worker was quicker, and how soon to look again at what is due. */
const rests = { overtakenMs: 1_000, lookAgainMs: 50 } as const;

/** Publishes from accounts. Any number of them may work side by side: they meet in the database. */
export function createAccountWorker(given: WorkDeps): AccountWorker {
  const deps = { ...given, times: { ...workTimes, ...given.times } };
  const { sql, clock, log, times } = deps;
  const clients = createClients(deps);
  /** Accounts that have nothing to do before then, as far as this process knows. */
  const resting = new Map<string, number>();
  let upkeepAt = 0;

  async function round({ jobs, free, begin }: Hand<AccountKey>): Promise<number> {
    await upkeep();
    if (free === 0) return times.tickMs;
    const now = clock.now();
    const due = await sql<{ workspace_id: string; account_id: string }[]>`
      select workspace_id, account_id from accounts.due_accounts(${free + jobs.length + resting.size}, ${now})`;
    const busy = new Set(jobs.map(keyOf));
    due
      .map(({ workspace_id, account_id }) => ({ workspaceId: workspace_id, accountId: account_id }))
      .filter((account) => !busy.has(keyOf(account)) && !isResting(account, now))
      .slice(0, free)
      .forEach(begin);
    const [row] = await sql<[{ at: Date | null }]>`select accounts.next_due(${now}) as at`;
    return msUntil(row.at, clock, rests.lookAgainMs);
  }

  function isResting(account: AccountKey, now: Date): boolean {
    return (resting.get(keyOf(account)) ?? 0) > now.getTime();
  }

  async function work(account: AccountKey): Promise<void> {
    try {
      const { carried, next } = await visit(account, {
        ...deps,
        client: () => clients.of(account),
        recoverStuck: () => void recover(),
      });
      if (next === "stop") await clients.drop(account);
      if (next === "rest") rest(account, times.postponeMs);
      // Another worker was quicker: looking again at once would find the same.
      if (carried === 0) rest(account, rests.overtakenMs);
    } catch (error) {
      // The task stays under way until it is found to be stuck: what became of it is not known here.
      log.error({ err: error, account: account.accountId }, "an account could not be worked for");
      rest(account, times.postponeMs);
    }
  }

  function rest(account: AccountKey, ms: number): void {
    resting.set(keyOf(account), clock.now().getTime() + ms);
  }

  /** Once per tick: tasks that lost their worker, days that have begun, times that were missed. */
  async function upkeep(): Promise<void> {
    const now = clock.now();
    if (now.getTime() < upkeepAt) return;
    upkeepAt = now.getTime() + times.tickMs;
    for (const [key, until] of resting) if (until <= now.getTime()) resting.delete(key);
    await recover();
    await planDue(deps);
    const late = await sql<{ workspace_id: string; account_id: string }[]>`
      select workspace_id, account_id from accounts.late_accounts(${lateMs / 1000}, ${now})`;
    for (const { workspace_id, account_id } of late)
      try {
        await respaceAccount(deps, { workspaceId: workspace_id, accountId: account_id });
      } catch (error) {
        log.error({ err: error, account: account_id }, "late tasks of an account got no new times");
      }
  }

  async function recover(): Promise<void> {
    try {
      const { stuckSeconds, maxAttempts } = times;
      await recoverStuck(deps, { thresholdSeconds: stuckSeconds, maxAttempts });
    } catch (error) {
      log.error({ err: error }, "stuck tasks could not be taken back");
    }
  }

  const worker = createWorker<AccountKey>({
    name: "accounts",
    log,
    trouble: "accounts could not be worked for",
    notices: {
      sql,
      channel: "molva_accounts",
      heard() {
        resting.clear();
        return true;
      },
    },
    places: times.accountsAtOnce,
    safetyNetMs: times.tickMs,
    stopWithinMs: times.hardMs,
    round,
    run: work,
  });

  return {
    ...worker,
    async stop() {
      await worker.stop();
      await clients.close();
    },
  };
}
