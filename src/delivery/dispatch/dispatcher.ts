import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { createStopController, type Service } from "../../kernel/service/index.ts";
import { createWorker, type Worker } from "../../kernel/worker/index.ts";
import { carryCorrection } from "../corrections/carry-correction.ts";
import {
  nextCorrectionAt,
  type StartedCorrection,
  startCorrections,
} from "../corrections/corrections-queue.ts";
import { deliveryMetrics } from "../metrics.ts";
import { createAgenda, never } from "./agenda.ts";
import { carry } from "./carry.ts";
import { type CarryingDeps, carryDepsOf } from "./carry-deps.ts";
import { createPlaces } from "./places.ts";
import { createPresence } from "./presence.ts";
import {
  claimDeliveries,
  nextClaimAt,
  nextStartAt,
  nextWorkspaces,
  settle,
  settleCorrections,
  startDeliveries,
} from "./queue.ts";
import { createSettler } from "./settler.ts";
import type { StartedDelivery } from "./started-delivery.ts";

export interface DispatcherDeps extends CarryingDeps {
  readonly metrics: Metrics;
  /** How many deliveries this process may have in hand at once. */
  readonly concurrency: number;
  /** How long one request to a provider may take. */
  readonly sendTimeoutSeconds: number;
}

/** How often it looks for work in all workspaces: a safety net for NOTIFY, the timer and its own settlements. */
const lookEveryMs = 15_000;
/** How soon it looks again for due work that could not be taken, unless one of its own sends ends before. */
const lookAgainMs = 50;
/** The same for corrections, whose turns the database knows to the millisecond. */
const correctAgainMs = 5;
/** The pause after a database error; no longer, because posts wait. */
const afterFailureMs = 1_000;
/** How long a stop waits for slow providers. */
const stopWithinMs = 6_000;
/** The minimum share of places for each workspace, however many wait. */
const smallestShare = 16;
/** A turn fills this part of the places, so that the next deliveries are claimed while the last ones are being settled. */
const partOfPlaces = 1 / 2;
/** One workspace never takes the last places, so that posts of another find room, however slow the first one's provider is. */
const mostOfPlaces = 7 / 8;
/** What a workspace may send now: its places are reserved until it is known how many it needs. */
interface Turn {
  readonly workspaceId: string;
  places: number;
}

/**
 * Claims, starts, sends and settles. Active only when there is work: NOTIFY on enqueue names the workspace, a timer waits for
 * the nearest slot, and settlements free places. Any number of processes may run a dispatcher.
 */
export function createDispatcher(deps: DispatcherDeps): Service {
  const { sql, clock, log, concurrency } = deps;
  const runId = uuidv7(clock);
  const turnSize = Math.ceil(concurrency * partOfPlaces);
  const mostOfOne = Math.ceil(concurrency * mostOfPlaces);
  const presence = createPresence({ ...deps, runId, onJoined: () => worker.wake() });
  const agenda = createAgenda(clock);
  const sendings = { ...deps, counter: deps.metrics.counter(deliveryMetrics.settled), write: settle };
  const settler = createSettler(sendings, ({ workspaceId, kind }) => {
    // A delivery that was not sent will be retried, or has changed the state of its channel.
    if (kind === "sent") agenda.freed(workspaceId);
    else agenda.rouse(workspaceId);
    worker.wake();
  });
  const correctings = {
    ...deps,
    counter: deps.metrics.counter(deliveryMetrics.corrected),
    write: settleCorrections,
  };
  const corrector = createSettler(correctings, ({ workspaceId }) => {
    agenda.freed(workspaceId);
    agenda.rouseCorrections(workspaceId);
    worker.wake();
  });
  /** Workspaces that have a turn now. */
  const turns = new Set<string>();
  const places = createPlaces();
  const sendSeconds = deps.metrics.histogram(deliveryMetrics.sendSeconds);

  let lookAt = 0;
  const leaving = createStopController();
  const carryDeps = carryDepsOf(deps, leaving.signal, presence.isKnown);

  /** A notification names its workspace; without a name it may be any. Corrections have notifications of their own. */
  function rouse(notice: string): boolean {
    const [workspaceId, what] = notice.split("/");
    if (!workspaceId) lookAt = 0;
    else if (what === "corrections") agenda.rouseCorrections(workspaceId);
    else agenda.rouse(workspaceId);
    return true;
  }

  /** Runs the work in one of the places of its workspace's turn. */
  function send(turn: Turn, work: () => Promise<void>): void {
    turn.places -= 1;
    worker.begin(() => work().finally(() => places.give(turn.workspaceId, 1)));
  }

  async function attemptCorrection(correction: StartedCorrection): Promise<void> {
    await turnOfTheLoop();
    await corrector.settle(await carryCorrection(correction, carryDeps));
  }

  async function attempt(delivery: StartedDelivery): Promise<void> {
    // Lets the next turn send its queries first, so that the database is not idle.
    await turnOfTheLoop();
    const ended = sendSeconds.startTimer({ platform: delivery.platform });
    const settlement = await carry(delivery, carryDeps);
    ended({ outcome: settlement.kind });
    await settler.settle(settlement);
  }

  /**
   * Gives a turn to every workspace with work: those with the fewest places first, then in the order in which they asked. Turns
   * of different workspaces do not wait for each other.
   */
  async function round(): Promise<number> {
    // Other processes may consider this one dead and take over what it claims now.
    if (!presence.isKnown()) return afterFailureMs;
    if (clock.now().getTime() >= lookAt) {
      lookAt = clock.now().getTime() + lookEveryMs;
      for (const workspaceId of await nextWorkspaces(sql, clock.now()).catch(lookAtAll)) {
        agenda.rouse(workspaceId);
        agenda.rouseCorrections(workspaceId);
      }
    }
    const due = agenda
      .due()
      .filter((workspaceId) => !turns.has(workspaceId))
      .toSorted((one, other) => places.of(one) - places.of(other));
    const share = Math.max(smallestShare, Math.floor(turnSize / Math.max(1, due.length)));
    for (const workspaceId of due) {
      const limit = Math.min(roomFor(workspaceId), share);
      if (limit > 0) take({ workspaceId, places: limit });
    }
    // Due work without a free place waits for the end of a turn or of a send.
    return Math.max(1, Math.min(agenda.nextAfterNow(), lookAt) - clock.now().getTime());
  }

  /** Asking is worthwhile for a quarter of the places, not for single ones while all others are busy. */
  function roomFor(workspaceId: string): number {
    const own = places.of(workspaceId);
    const free = Math.min(concurrency - places.taken(), mostOfOne - own);
    return own > 0 && free < concurrency / 4 ? 0 : free;
  }

  function take(turn: Turn): void {
    places.take(turn.workspaceId, turn.places);
    turns.add(turn.workspaceId);
    worker.begin(async () => {
      try {
        await takeSome(turn).catch(lookAtAll);
      } finally {
        places.give(turn.workspaceId, turn.places);
        turns.delete(turn.workspaceId);
      }
    });
  }

  /** After an error: work that was removed from the agenda has to be found again. */
  function lookAtAll(error: unknown): never {
    lookAt = 0;
    throw error;
  }

  /**
   * With a long queue, the next deliveries are claimed while the previous ones are started. A workspace that got something may
   * get more at once; otherwise the tables say when.
   */
  async function takeSome(turn: Turn): Promise<void> {
    const { workspaceId } = turn;
    const { claims, starts, corrects } = agenda.begin(workspaceId);
    // Before waiting posts: mistakes are corrected before anything new is published.
    if (corrects) await takeCorrections(turn);
    if (!claims && !starts) return;
    const limit = turn.places;
    const start = () => startDeliveries(sql, workspaceId, runId, turn.places, clock.now());
    const [claimed, started] = await Promise.all([
      claims ? claimDeliveries(sql, workspaceId, runId, limit, clock.now()) : 0,
      start(),
    ]);
    for (const delivery of started) send(turn, () => attempt(delivery));
    // With a short queue, claimed deliveries are sent in the same turn. As long as more is waiting, equal shares of the
    // channels fill more than half of the limit.
    const shortQueue = claimed > 0 && claimed + started.length <= limit / 2;
    if (shortQueue) for (const delivery of await start()) send(turn, () => attempt(delivery));

    if (claimed > 0) agenda.plan(workspaceId, { claimAt: 0 });
    else if (claims) agenda.plan(workspaceId, { claimAt: await comes(workspaceId, nextClaimAt) });
    if (claimed + started.length > 0) agenda.plan(workspaceId, { startAt: 0 });
    else agenda.plan(workspaceId, { startAt: await comes(workspaceId, nextStartAt) });
  }

  async function takeCorrections(turn: Turn): Promise<void> {
    const { workspaceId } = turn;
    const started = await startCorrections(sql, workspaceId, runId, turn.places, clock.now());
    for (const correction of started) send(turn, () => attemptCorrection(correction));
    agenda.plan(workspaceId, { correctAt: await comes(workspaceId, nextCorrectionAt, correctAgainMs) });
  }

  /** Due work that could not be taken waits for the end of a send, here or in another process. */
  async function comes(workspaceId: string, ask: typeof nextClaimAt, againMs = lookAgainMs): Promise<number> {
    const at = await ask(sql, workspaceId, clock.now());
    return at ? Math.max(at.getTime(), clock.now().getTime() + againMs) : never;
  }

  /** Its jobs are the turns of workspaces and the sends of those turns. */
  const worker: Worker<() => Promise<void>> = createWorker({
    name: "dispatcher",
    log,
    trouble: "the dispatcher could not reach the queue",
    notices: { sql, channel: "molva_deliveries", heard: rouse },
    safetyNetMs: lookEveryMs,
    afterFailureMs: { first: afterFailureMs, most: afterFailureMs },
    stopWithinMs,
    round,
    run: (job) => job(),
  });

  return {
    name: worker.name,
    async start() {
      await presence.start();
      await worker.start();
    },
    async stop() {
      // Sends that still wait for a provider after this time are left to other processes.
      const giveUp = AbortSignal.timeout(stopWithinMs);
      leaving.abort();
      await worker.stop();
      await Promise.all([settler.idle(giveUp), corrector.idle(giveUp)]);
      // From now on, other processes look up what is still in progress.
      await presence.stop();
    },
  };
}
