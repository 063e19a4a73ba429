import { type Listener, listen, type Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { type CarryDeps, carry } from "./carry.ts";
import { activeWorkspaces, claim, nextDueAt, saveProgress, startSending } from "./queue.ts";
import { createSettler } from "./settler.ts";
import { createSignal } from "./signal.ts";
import type { StartedDelivery } from "./started-delivery.ts";

export interface DispatcherDeps extends Omit<CarryDeps, "saveProgress"> {
  readonly sql: Sql;
  readonly metrics: Metrics;
  /** How many deliveries this process may have in hand at once. */
  readonly concurrency: number;
}

/** How long the loop sleeps at most when nothing is due: a safety net under NOTIFY and the timer. */
const longestSleepMs = 15_000;
const afterFailureMs = 1_000;

/**
 * Claims, starts, sends and settles. Awake only when there is work: NOTIFY on enqueue, a timer on the nearest slot,
 * and its own settlements, which free a channel's place. Any number of processes may run one.
 */
export function createDispatcher(deps: DispatcherDeps): Service {
  const { sql, clock, log, concurrency } = deps;
  const runId = uuidv7(clock);
  const wake = createSignal();
  const settler = createSettler(deps, wake.raise);
  const inHand = new Set<Promise<void>>();
  const sendSeconds = deps.metrics.histogram({
    name: "send_seconds",
    help: "Time of one attempt to send a delivery",
    labels: ["platform", "outcome"],
  });

  let stopping = false;
  let loop: Promise<void> | undefined;
  let listener: Listener | undefined;

  const carryDeps: CarryDeps = {
    ...deps,
    saveProgress: (delivery, index, id) => saveProgress(sql, delivery, index, id),
  };

  async function send(delivery: StartedDelivery): Promise<void> {
    const ended = sendSeconds.startTimer({ platform: delivery.platform });
    const settlement = await carry(delivery, carryDeps);
    ended({ outcome: settlement.kind });
    await settler.settle(settlement);
  }

  /** One pass over the workspaces that have work; true when anything moved. */
  async function round(): Promise<boolean> {
    let moved = false;
    for (const workspaceId of await activeWorkspaces(sql, clock.now())) {
      const free = concurrency - inHand.size;
      if (stopping || free <= 0) break;
      const claimed = await claim(sql, workspaceId, runId, concurrency, clock.now());
      const started = await startSending(sql, workspaceId, runId, free, clock.now());
      moved ||= claimed > 0 || started.length > 0;
      for (const delivery of started) {
        const work = send(delivery).finally(() => {
          inHand.delete(work);
          wake.raise();
        });
        inHand.add(work);
      }
    }
    return moved;
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        if (await round()) continue;
        const due = await nextDueAt(sql, clock.now());
        const sleepMs = due ? due.getTime() - clock.now().getTime() : longestSleepMs;
        await wake.wait(Math.min(Math.max(sleepMs, 1), longestSleepMs));
      } catch (error) {
        if (stopping) return;
        log.error({ err: error }, "the dispatcher could not reach the queue");
        await wake.wait(afterFailureMs);
      }
    }
  }

  return {
    name: "dispatcher",
    async start() {
      listener = await listen(sql, "molva_deliveries", { onNotify: wake.raise, onReady: wake.raise });
      loop = run();
    },
    async stop() {
      stopping = true;
      wake.raise();
      await loop;
      await Promise.all(inHand);
      await settler.idle();
      await listener?.close();
    },
  };
}
