import { createWorker, type Hand, msUntil, type Worker } from "../../kernel/worker/index.ts";
import { lateMs } from "../plan/plan-account.ts";
import { planDue } from "../plan/plan-due.ts";
import { respaceAccount } from "../plan/respace.ts";
import { recoverStuck } from "../queue/recover-stuck.ts";
import { takeTask } from "../queue/take-task.ts";
import type { AccountKey } from "./governor-contract.ts";
import { createClients, keyOf } from "./open-clients.ts";
import { type PublishDeps, publishTask } from "./publish-task.ts";
import type { WorkDeps } from "./work-deps.ts";
import { workTimes } from "./work-times.ts";

/** Publishes the account's due tasks one after another, never two at the same time. */
async function publishDue({ workspaceId, accountId }: AccountKey, deps: PublishDeps) {
  for (let published = 0; published < deps.times.perVisit; published += 1) {
    const task = await takeTask(deps.sql, workspaceId, accountId, deps.clock.now());
    if (!task) return { published, next: "nothing_due" } as const;
    const next = await publishTask(task, deps);
    if (next !== "go_on") return { published: published + 1, next };
  }
  return { published: deps.times.perVisit, next: "go_on" } as const;
}

export type AccountWorker = Worker<AccountKey>;

/** How long to leave an account alone after another worker was quicker, and how soon to look again at due tasks. */
const rests = { overtakenMs: 1_000, lookAgainMs: 50 } as const;

/** Publishes from accounts. Several processes may run one each; they coordinate through the database. */
export function createAccountWorker(given: WorkDeps): AccountWorker {
  const deps = { ...given, times: { ...workTimes, ...given.times } };
  const { sql, clock, log, times } = deps;
  const clients = createClients(deps);
  /** Until when each account has nothing to do, as far as this process knows. */
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
      const { published, next } = await publishDue(account, {
        ...deps,
        client: () => clients.of(account),
        recoverStuck: () => void recover(),
      });
      if (next === "stop") await clients.drop(account);
      if (next === "rest") rest(account, times.postponeMs);
      // Another worker was quicker; an immediate retry would find the same.
      if (published === 0) rest(account, rests.overtakenMs);
    } catch (error) {
      // The outcome is unknown, so the task stays in progress until it counts as stuck.
      log.error({ err: error, account: account.accountId }, "an account could not be worked for");
      rest(account, times.postponeMs);
    }
  }

  function rest(account: AccountKey, ms: number): void {
    resting.set(keyOf(account), clock.now().getTime() + ms);
  }

  /** Once per tick: recovers stuck tasks, plans new days, reschedules late tasks. */
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
