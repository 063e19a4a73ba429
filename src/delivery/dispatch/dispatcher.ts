import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { createStopController, type Service } from "../../kernel/service/index.ts";
import { createWorker, type Worker } from "../../kernel/worker/index.ts";
import { createAgenda, never } from "./agenda.ts";
import { carry } from "./carry.ts";
import { type CarryingDeps, carryDepsOf } from "./carry-deps.ts";
import { createPlaces } from "./places.ts";
import { createPresence } from "./presence.ts";
import { claimDeliveries, nextClaimAt, nextStartAt, nextWorkspaces, startDeliveries } from "./queue.ts";
import { createSettler } from "./settler.ts";
import type { StartedDelivery } from "./started-delivery.ts";

export interface DispatcherDeps extends CarryingDeps {
  readonly metrics: Metrics;
  /** How many deliveries this process may have in hand at once. */
  readonly concurrency: number;
  /** How long one request to a provider may take. */
  readonly sendTimeoutSeconds: number;
}

/** How often it looks for work in all workspaces: a safety net under NOTIFY, the timer and its own settlements. */
const lookEveryMs = 15_000;
/** How soon it looks again at something that is due and could not be taken, unless a send of its own ends before. */
const lookAgainMs = 50;
/** How long the database is left in peace after a failure; no longer, because posts wait. */
const afterFailureMs = 1_000;
/** How long a stop waits for providers that answer slowly. */
const stopWithinMs = 6_000;
/** However many workspaces wait, each gets at least this much of a turn. */
const smallestShare = 16;
/** A turn fills this part of the places, so that the next deliveries are taken while the last ones are being settled. */
const partOfPlaces = 1 / 2;
/** One workspace never has the last of the places: another's post finds room, however slow the first one's provider is. */
const mostOfPlaces = 7 / 8;
/** What a workspace may send now: the places are kept for it until it is known how many it needs. */
interface Turn {
  readonly workspaceId: string;
  places: number;
}

/**
 * Claims, starts, sends and settles. Awake only when there is work: NOTIFY on enqueue names the workspace, a timer waits
 * for the nearest slot, and settlements free places. Any number of processes may run one.
 */
export function createDispatcher(deps: DispatcherDeps): Service {
  const { sql, clock, log, concurrency } = deps;
  const runId = uuidv7(clock);
  const turnSize = Math.ceil(concurrency * partOfPlaces);
  const mostOfOne = Math.ceil(concurrency * mostOfPlaces);
  const presence = createPresence({ ...deps, runId, onJoined: () => worker.wake() });
  const agenda = createAgenda(clock);
  const settler = createSettler(deps, ({ workspaceId, kind }) => {
    // Whatever was not sent is tried again, or has changed its channel.
    if (kind === "sent") agenda.freed(workspaceId);
    else agenda.rouse(workspaceId);
    worker.wake();
  });
  /** Workspaces that have their turn now. */
  const turns = new Set<string>();
  const places = createPlaces();
  const sendSeconds = deps.metrics.histogram({
    name: "send_seconds",
    help: "Time of one attempt to send a delivery",
    labels: ["platform", "outcome"],
  });

  let lookAt = 0;
  const leaving = createStopController();
  const carryDeps = carryDepsOf(deps, leaving.signal, presence.isKnown);

  /** A notice names its workspace; without a name it may be any. */
  function rouse(workspaceId: string): boolean {
    if (workspaceId) agenda.rouse(workspaceId);
    else lookAt = 0;
    return true;
  }

  /** In one of the places of its workspace's turn. */
  function send(delivery: StartedDelivery, turn: Turn): void {
    turn.places -= 1;
    worker.begin(() => attempt(delivery).finally(() => places.give(delivery.workspace_id, 1)));
  }

  async function attempt(delivery: StartedDelivery): Promise<void> {
    // The next turn's questions leave first, so that the database does not wait for us.
    await turnOfTheLoop();
    const ended = sendSeconds.startTimer({ platform: delivery.platform });
    const settlement = await carry(delivery, carryDeps);
    ended({ outcome: settlement.kind });
    await settler.settle(settlement);
  }

  /**
   * A turn for every workspace that has something to do: who holds the fewest places first, else in the order they asked.
   * Turns of different workspaces do not wait for one another.
   */
  async function round(): Promise<number> {
    // What it took now, others might take over as that of a process that is gone.
    if (!presence.isKnown()) return afterFailureMs;
    if (clock.now().getTime() >= lookAt) {
      lookAt = clock.now().getTime() + lookEveryMs;
      for (const workspaceId of await nextWorkspaces(sql, clock.now()).catch(lookAtAll))
        agenda.rouse(workspaceId);
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
    // What is due and has no room waits for the end of a turn or of a send.
    return Math.max(1, Math.min(agenda.nextAfterNow(), lookAt) - clock.now().getTime());
  }

  /** A quarter of the places is worth asking for; single ones are not, while all the others are busy. */
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

  /** After a failure: what was struck off the agenda has to be found again. */
  function lookAtAll(error: unknown): never {
    lookAt = 0;
    throw error;
  }

  /**
   * With a long queue the next ones are claimed while those claimed before are started. Whoever got something may get more
   * at once; else the tables know when.
   */
  async function takeSome(turn: Turn): Promise<void> {
    const { workspaceId, places: limit } = turn;
    const { claims } = agenda.begin(workspaceId);
    const start = () => startDeliveries(sql, workspaceId, runId, turn.places, clock.now());
    const [claimed, started] = await Promise.all([
      claims ? claimDeliveries(sql, workspaceId, runId, limit, clock.now()) : 0,
      start(),
    ]);
    for (const delivery of started) send(delivery, turn);
    // With a short queue what was claimed leaves in the same turn. Equal shares of the channels fill more than half of the
    // limit as long as more is waiting.
    const shortQueue = claimed > 0 && claimed + started.length <= limit / 2;
    if (shortQueue) for (const delivery of await start()) send(delivery, turn);

    if (claimed > 0) agenda.plan(workspaceId, { claimAt: 0 });
    else if (claims) agenda.plan(workspaceId, { claimAt: await comes(workspaceId, nextClaimAt) });
    if (claimed + started.length > 0) agenda.plan(workspaceId, { startAt: 0 });
    else agenda.plan(workspaceId, { startAt: await comes(workspaceId, nextStartAt) });
  }

  /** What is due and could not be taken waits for the end of a send, here or in another process. */
  async function comes(workspaceId: string, ask: typeof nextClaimAt): Promise<number> {
    const at = await ask(sql, workspaceId, clock.now());
    return at ? Math.max(at.getTime(), clock.now().getTime() + lookAgainMs) : never;
  }

  /** Its jobs are the turns of workspaces and the sends that come of them. */
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
      // What still waits for a provider after this is left to others.
      const giveUp = AbortSignal.timeout(stopWithinMs);
      leaving.abort();
      await worker.stop();
      await settler.idle(giveUp);
      // From here on, others look up what is still under way.
      await presence.stop();
    },
  };
}
