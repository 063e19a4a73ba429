import { type Listener, listen } from "../../kernel/db/index.ts";
import { createLoop, type Service } from "../../kernel/service/index.ts";
import { lateMs } from "../plan/plan-account.ts";
import { planDue } from "../plan/plan-due.ts";
import { respaceAccount } from "../plan/respace.ts";
import { recoverStuck } from "../queue/recover.ts";
import { createClients, keyOf } from "./clients.ts";
import type { WorkDeps } from "./deps.ts";
import type { AccountKey } from "./governor.ts";
import { workTimes } from "./times.ts";
import { visit } from "./visit.ts";

/** Publishes from accounts. Any number of them may work side by side: they meet in the database. */
export interface AccountWorker extends Service {
  /** Starts on everything that is due, and says how long there is nothing to do. */
  round(): Promise<number>;
  /** When everything that was started has ended. */
  drained(): Promise<void>;
}

const rests = { failedMs: 1_000, shortestMs: 50 } as const;

export function createAccountWorker(given: WorkDeps): AccountWorker {
  const deps = { ...given, times: { ...workTimes, ...given.times } };
  const { sql, clock, log, times } = deps;
  const clients = createClients(deps);
  const visits = new Map<string, Promise<void>>();
  /** Accounts that have nothing to do before then, as far as this process knows. */
  const resting = new Map<string, number>();
  let upkeepAt = 0;

  async function round(): Promise<number> {
    await upkeep();
    const now = clock.now();
    const free = times.accountsAtOnce - visits.size;
    if (free <= 0) return times.tickMs;
    const due = await sql<{ workspace_id: string; account_id: string }[]>`
      select workspace_id, account_id from accounts.due_accounts(${free + visits.size + resting.size}, ${now})`;
    for (const { workspace_id, account_id } of due)
      start({ workspaceId: workspace_id, accountId: account_id }, now);
    return restOf(now);
  }

  function start(account: AccountKey, now: Date): void {
    const key = keyOf(account);
    const isResting = (resting.get(key) ?? 0) > now.getTime();
    if (visits.has(key) || visits.size >= times.accountsAtOnce || isResting) return;
    resting.delete(key);
    visits.set(
      key,
      work(account).finally(() => visits.delete(key)),
    );
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
      if (carried === 0) rest(account, rests.failedMs);
      else loop.wake();
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

  async function restOf(now: Date): Promise<number> {
    const [row] = await sql<[{ at: Date | null }]>`select accounts.next_due(${now}) as at`;
    const untilDue = row.at ? row.at.getTime() - now.getTime() : times.tickMs;
    return Math.max(rests.shortestMs, Math.min(times.tickMs, untilDue));
  }

  const loop = createLoop(async () => {
    try {
      return await round();
    } catch (error) {
      log.error({ err: error }, "accounts could not be worked for");
      return rests.failedMs;
    }
  });
  let listener: Listener | undefined;

  async function drained(): Promise<void> {
    while (visits.size > 0) await Promise.all(visits.values());
  }

  return {
    name: "accounts",
    round,
    drained,
    async start() {
      listener = await listen(sql, "molva_accounts", {
        onNotify() {
          resting.clear();
          loop.wake();
        },
        onReady: () => loop.wake(),
      });
      loop.start();
    },
    async stop() {
      await listener?.close();
      listener = undefined;
      await loop.stop();
      await drained();
      await clients.close();
    },
  };
}
