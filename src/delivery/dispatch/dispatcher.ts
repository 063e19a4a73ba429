import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Listener, listen, type Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import type { PayloadStore } from "../payloads/payload-store.ts";
import { type CarryDeps, carry, Interrupted } from "./carry.ts";
import { createDeparture } from "./departure.ts";
import { nextDueAt, nextWorkspaces, saveProgress, takeDeliveries, takenMessages, takeTurn } from "./queue.ts";
import { renderLate } from "./render-late.ts";
import { createSettler } from "./settler.ts";
import { createSignal } from "./signal.ts";
import type { StartedDelivery } from "./started-delivery.ts";

export interface DispatcherDeps
  extends Omit<CarryDeps, "departure" | "keepAnswer" | "render" | "saveProgress" | "taken" | "turn"> {
  readonly sql: Sql;
  readonly metrics: Metrics;
  readonly payloads: Pick<PayloadStore, "save">;
  /** How many deliveries this process may have in hand at once. */
  readonly concurrency: number;
}

/** How long the loop sleeps at most: a safety net under NOTIFY, the timer and its own settlements. */
const longestSleepMs = 15_000;
/** How soon it looks again at something that is due and could not be started, which others may have to free. */
const shortestSleepMs = 20;
const afterFailureMs = 1_000;
/** How long a stop waits for providers that answer slowly. */
const stopWithinMs = 6_000;
/** However many workspaces wait, each gets at least this much of a round. */
const smallestShare = 16;
/** A round fills this part of the places, so that the next deliveries are taken while the last ones are being settled. */
const partOfPlaces = 1 / 2;

/**
 * Claims, starts, sends and settles. Awake only when there is work: NOTIFY on enqueue names the workspace, a timer waits
 * for the nearest slot, and settlements free places. Any number of processes may run one.
 */
export function createDispatcher(deps: DispatcherDeps): Service {
  const { sql, clock, log, concurrency } = deps;
  const runId = uuidv7(clock);
  const roundSize = Math.ceil(concurrency * partOfPlaces);
  const wake = createSignal();
  const settler = createSettler(deps, (workspaceId) => rouse(workspaceId));
  const inHand = new Set<Promise<void>>();
  const sendSeconds = deps.metrics.histogram({
    name: "send_seconds",
    help: "Time of one attempt to send a delivery",
    labels: ["platform", "outcome"],
  });

  /** Workspaces that may have something to take now, in the order in which they asked. */
  const roused = new Set<string>();
  /** Workspaces that had live deliveries when last looked at. */
  const live = new Set<string>();
  let lookEverywhere = true;
  let stopping = false;
  const leaving = new AbortController();
  let loop: Promise<void> | undefined;
  let listener: Listener | undefined;

  const carryDeps: CarryDeps = {
    ...deps,
    render: (delivery) => renderLate(sql, delivery, deps.platforms),
    saveProgress: (delivery, index, id) => saveProgress(sql, delivery, index, id),
    keepAnswer: (delivery, raw) =>
      deps.payloads
        .save(delivery.workspace_id, "provider_answer", JSON.stringify(raw))
        .catch((error: unknown) => {
          log.warn(
            { err: error, delivery_id: delivery.delivery_id },
            "the provider's answer could not be kept",
          );
          return undefined;
        }),
    taken: (delivery, ids) => takenMessages(sql, delivery, ids),
    departure: createDeparture(clock),
    async turn(delivery) {
      await until(await takeTurn(sql, delivery, clock.now()));
    },
  };

  async function until(time: Date): Promise<void> {
    const waitMs = time.getTime() - clock.now().getTime();
    // A date has lost its microseconds: the whole of its last millisecond is waited for.
    if (waitMs <= 0) return;
    await delay(waitMs + 1, undefined, { signal: leaving.signal }).catch(() => {
      throw new Interrupted("the process has to stop");
    });
  }

  function rouse(workspaceId: string): void {
    if (workspaceId) roused.add(workspaceId);
    else lookEverywhere = true;
    wake.raise();
  }

  function send(delivery: StartedDelivery): void {
    const work = attempt(delivery).finally(() => {
      inHand.delete(work);
      wake.raise();
    });
    inHand.add(work);
  }

  async function attempt(delivery: StartedDelivery): Promise<void> {
    const ended = sendSeconds.startTimer({ platform: delivery.platform });
    const settlement = await carry(delivery, carryDeps);
    ended({ outcome: settlement.kind });
    await settler.settle(settlement);
  }

  /** One turn for every workspace that may have work; true when anything was started. */
  async function round(): Promise<boolean> {
    if (lookEverywhere) {
      lookEverywhere = false;
      for (const workspaceId of await nextWorkspaces(sql, clock.now())) roused.add(workspaceId);
    }
    const turns = [...roused];
    const share = Math.max(smallestShare, Math.floor(roundSize / Math.max(1, turns.length)));
    let moved = false;
    for (const workspaceId of turns) {
      const free = Math.min(concurrency - inHand.size, share);
      if (stopping || free <= 0) break;
      roused.delete(workspaceId);
      live.add(workspaceId);
      const started = await takeDeliveries(sql, workspaceId, runId, free, clock.now());
      for (const delivery of started) send(delivery);
      if (started.length > 0) {
        moved = true;
        // There may be more; it asks again behind the others.
        roused.add(workspaceId);
      }
    }
    return moved;
  }

  /** How long nothing can be due, as far as the live workspaces know. */
  async function sleepMs(): Promise<number> {
    let sleep = longestSleepMs;
    for (const workspaceId of live) {
      const due = await nextDueAt(sql, workspaceId, clock.now());
      if (!due) {
        live.delete(workspaceId);
        continue;
      }
      roused.add(workspaceId);
      const waitMs = due.getTime() - clock.now().getTime();
      sleep = Math.min(sleep, waitMs > 0 ? Math.ceil(waitMs) : shortestSleepMs);
    }
    return sleep;
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        // A quarter of the places is worth asking for; single ones are not, while all the others are busy.
        if (concurrency - inHand.size < concurrency / 4) {
          await wake.wait(longestSleepMs);
        } else if (!(await round())) {
          const sleep = await sleepMs();
          await wake.wait(sleep);
          if (sleep === longestSleepMs) lookEverywhere = true;
        }
      } catch (error) {
        if (stopping) return;
        log.error({ err: error }, "the dispatcher could not reach the queue");
        lookEverywhere = true;
        await wake.wait(afterFailureMs);
      }
    }
  }

  return {
    name: "dispatcher",
    async start() {
      listener = await listen(sql, "molva_deliveries", { onNotify: rouse, onReady: () => rouse("") });
      loop = run();
    },
    async stop() {
      stopping = true;
      wake.raise();
      leaving.abort();
      await loop;
      // What still waits for a provider after this is looked up when its lease has run out.
      const giveUp = AbortSignal.timeout(stopWithinMs);
      await Promise.race([Promise.all(inHand), once(giveUp, "abort")]);
      await settler.idle(giveUp);
      await listener?.close();
    },
  };
}
