import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Listener, listen, type Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import type { PayloadStore } from "../payloads/payload-store.ts";
import { createAgenda, never } from "./agenda.ts";
import { type CarryDeps, carry, Interrupted } from "./carry.ts";
import { createDeparture } from "./departure.ts";
import {
  claimDeliveries,
  nextClaimAt,
  nextStartAt,
  nextWorkspaces,
  saveProgress,
  startDeliveries,
  takenMessages,
  takeTurn,
} from "./queue.ts";
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

/** How often it looks for work in all workspaces: a safety net under NOTIFY, the timer and its own settlements. */
const lookEveryMs = 15_000;
/** How soon it looks again at something that is due and could not be taken, unless a send of its own ends before. */
const lookAgainMs = 50;
const afterFailureMs = 1_000;
/** How long a stop waits for providers that answer slowly. */
const stopWithinMs = 6_000;
/** However many workspaces wait, each gets at least this much of a round. */
const smallestShare = 16;
/** A round fills this part of the places, so that the next deliveries are taken while the last ones are being settled. */
const partOfPlaces = 1 / 2;
/** A series whose group cools down for longer than this gives its place away and goes on in another attempt. */
const longestCoolingMs = 60_000;
/** A series that waits for its channel's own pace asks this often, which renews its lease. */
const renewEveryMs = 60_000;

/**
 * Claims, starts, sends and settles. Awake only when there is work: NOTIFY on enqueue names the workspace, a timer waits
 * for the nearest slot, and settlements free places. Any number of processes may run one.
 */
export function createDispatcher(deps: DispatcherDeps): Service {
  const { sql, clock, log, concurrency } = deps;
  const runId = uuidv7(clock);
  const roundSize = Math.ceil(concurrency * partOfPlaces);
  const wake = createSignal();
  const agenda = createAgenda(clock);
  const settler = createSettler(deps, ({ workspaceId, kind }) => {
    // Whatever was not sent is tried again, or has changed its channel.
    if (kind === "sent") agenda.freed(workspaceId);
    else agenda.rouse(workspaceId);
    wake.raise();
  });
  const inHand = new Set<Promise<void>>();
  /** How many of them each workspace has. */
  const placesOf = new Map<string, number>();
  const sendSeconds = deps.metrics.histogram({
    name: "send_seconds",
    help: "Time of one attempt to send a delivery",
    labels: ["platform", "outcome"],
  });

  let lookAt = 0;
  let stopping = false;
  const leaving = new AbortController();
  let loop: Promise<void> | undefined;
  let listener: Listener | undefined;

  const carryDeps: CarryDeps = {
    ...deps,
    render: (delivery) => renderLate(sql, delivery, deps.platforms),
    async saveProgress(delivery, index, id) {
      if (!(await saveProgress(sql, delivery, index, id)))
        throw new Interrupted("somebody else sends it now");
    },
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
    turn: waitForTurn,
  };

  async function waitForTurn(delivery: StartedDelivery): Promise<void> {
    for (let granted = false; !granted; ) {
      const turn = await takeTurn(sql, delivery, clock.now());
      if (!turn) throw new Interrupted("somebody else sends it now");
      const waitMs = turn.at.getTime() - clock.now().getTime();
      if (turn.cooling && waitMs > longestCoolingMs)
        throw new Interrupted("the provider wants to be left alone", waitMs);
      // A date has lost its microseconds: the whole of its last millisecond is waited for.
      if (waitMs > 0)
        await delay(Math.min(waitMs + 1, renewEveryMs), undefined, { signal: leaving.signal }).catch(() => {
          throw new Interrupted("the process has to stop");
        });
      ({ granted } = turn);
    }
  }

  /** A notice names its workspace; without a name it may be any. */
  function rouse(workspaceId: string): void {
    if (workspaceId) agenda.rouse(workspaceId);
    else lookAt = 0;
    wake.raise();
  }

  function send(delivery: StartedDelivery): void {
    const { workspace_id } = delivery;
    placesOf.set(workspace_id, (placesOf.get(workspace_id) ?? 0) + 1);
    const work = attempt(delivery).finally(() => {
      inHand.delete(work);
      const left = (placesOf.get(workspace_id) ?? 1) - 1;
      if (left > 0) placesOf.set(workspace_id, left);
      else placesOf.delete(workspace_id);
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

  /** One turn for every workspace that has something to do: who holds the fewest places first, else in the order they asked. */
  async function round(): Promise<void> {
    if (clock.now().getTime() >= lookAt) {
      lookAt = clock.now().getTime() + lookEveryMs;
      for (const workspaceId of await nextWorkspaces(sql, clock.now())) agenda.rouse(workspaceId);
    }
    const turns = agenda
      .due()
      .toSorted((one, other) => (placesOf.get(one) ?? 0) - (placesOf.get(other) ?? 0));
    const share = Math.max(smallestShare, Math.floor(roundSize / Math.max(1, turns.length)));
    for (const workspaceId of turns) {
      const free = Math.min(concurrency - inHand.size, share);
      if (stopping || free <= 0) return;
      await takeSome(workspaceId, free);
    }
  }

  /**
   * With a long queue the next ones are claimed while those claimed before are started. Whoever got something may get more
   * at once; else the tables know when.
   */
  async function takeSome(workspaceId: string, limit: number): Promise<void> {
    const { claims } = agenda.begin(workspaceId);
    const [claimed, started] = await Promise.all([
      claims ? claimDeliveries(sql, workspaceId, runId, limit, clock.now()) : 0,
      startDeliveries(sql, workspaceId, runId, limit, clock.now()),
    ]);
    for (const delivery of started) send(delivery);
    // With a short queue what was claimed leaves in the same turn: the next one may be behind a neighbour's long queue.
    const shortQueue = claimed > 0 && claimed + started.length < limit;
    if (shortQueue)
      for (const delivery of await startDeliveries(
        sql,
        workspaceId,
        runId,
        limit - started.length,
        clock.now(),
      ))
        send(delivery);

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

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        // A quarter of the places is worth asking for; single ones are not, while all the others are busy.
        if (concurrency - inHand.size < concurrency / 4) {
          await wake.wait(lookEveryMs);
        } else {
          await round();
          const restMs = Math.min(agenda.nextAt(), lookAt) - clock.now().getTime();
          if (restMs > 0) await wake.wait(restMs);
        }
      } catch (error) {
        if (stopping) return;
        log.error({ err: error }, "the dispatcher could not reach the queue");
        lookAt = 0;
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
