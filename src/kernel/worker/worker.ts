/**
 * The one loop under all background work of a process: dispatcher, monitor, bots, accounts.
 *
 * A worker makes rounds. A round does what is due, or begins jobs that go on beside it, and says when something will be due
 * again. Between rounds the worker rests and asks the database nothing. It makes the next round
 *
 * - when NOTIFY on its channel is heard, and when the listening connection is back, because notices were lost meanwhile;
 * - when one of its jobs ends, because a place is free again;
 * - when the time comes that the last round named, also if the clock is moved;
 * - after `safetyNetMs` at the latest, for what nobody announced.
 *
 * If a round or a job throws, the worker says so once and rests, longer after each failure in a row; NOTIFY does not cut this
 * rest short, the database coming back does. `stop` ends the rounds, tells the jobs through their signal, and waits for
 * them, but not for ever.
 *
 * Several processes may run the same worker: which of them gets a job is decided in SQL (leases, `for update skip locked`).
 */
import { clockMoved, type Listener, listen, type Sql } from "../db/index.ts";
import type { Log } from "../log/index.ts";
import { createStopController, type Service } from "../service/index.ts";
import { systemTimer, type Timer } from "./timer.ts";

export interface WorkerSettings<Job> {
  readonly name: string;
  readonly log: Log;
  /** The log message when a round or a job throws. */
  readonly trouble: string;
  /** Does what is due. Returns in how many milliseconds something is due again: 0 if there may be more right now, else `msUntil` or `idle`. */
  round(hand: Hand<Job>): Promise<number>;
  /** Does one job that a round started. Must end soon after the signal. */
  run?(job: Job, signal: AbortSignal): Promise<void>;
  /** How many jobs may run at once. */
  readonly places?: number;
  readonly notices?: Notices;
  readonly safetyNetMs?: number;
  /** How long it rests after the first failure and after many in a row. */
  readonly afterFailureMs?: { readonly first: number; readonly most: number };
  /** How long `stop` waits. Jobs that still run then are recovered when their lease ends. */
  readonly stopWithinMs?: number;
  readonly timer?: Timer | undefined;
}

export interface Notices {
  readonly sql: Sql;
  readonly channel: string;
  /** Whether a notice starts a round; every notice does unless given. Called with "" after a reconnect: notices were lost. */
  heard?(payload: string): boolean;
}

/** What a round works with. */
export interface Hand<Job> {
  /** Jobs that run now. */
  readonly jobs: readonly Job[];
  readonly free: number;
  begin(job: Job): void;
  /** Fires when the worker is stopped. */
  readonly signal: AbortSignal;
}

export interface Worker<Job = never> extends Service {
  /** Makes a round now, or right after the present one. */
  wake(): void;
  /** Begins a job from outside a round; throws if no place is free. */
  begin(job: Job): void;
  /** How many more jobs may begin. */
  readonly free: number;
  /** One round by hand, for tests and commands; failures are thrown. */
  round(): Promise<number>;
  /** Resolves when no job runs. */
  drained(): Promise<void>;
}

/** Returned by a round that knows of nothing to come: only a notice or the safety net starts the next one. */
export const idle = Number.POSITIVE_INFINITY;

const usual = {
  safetyNetMs: 15_000,
  afterFailureMs: { first: 1_000, most: 5_000 },
  stopWithinMs: 10_000,
} as const;

export function createWorker<Job = never>(settings: WorkerSettings<Job>): Worker<Job> {
  const { name, log, trouble, notices, places = Number.POSITIVE_INFINITY, timer = systemTimer } = settings;
  const {
    safetyNetMs = usual.safetyNetMs,
    afterFailureMs = usual.afterFailureMs,
    stopWithinMs = usual.stopWithinMs,
  } = settings;
  const inHand = new Map<symbol, { readonly job: Job; readonly ended: Promise<void> }>();
  let stopping = createStopController();
  let loop: Promise<void> = Promise.resolve();
  let listeners: readonly Listener[] = [];

  /** Something happened since the current round began. */
  let woken = false;
  let endRest: (() => void) | undefined;
  let failures = 0;
  /** The rest after the last failure that has not been taken yet. */
  let penaltyMs = 0;
  let isPenalty = false;

  async function live({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      const troubled = penaltyMs > 0;
      if (troubled) await penalty();
      if (signal.aborted) return;
      woken = false;
      const restMs = await round().catch(failed);
      // A job of the last round may still fail as well: only a round without any failure is a recovery.
      if (!troubled && penaltyMs === 0) recovered();
      if (restMs > 0 && !woken && penaltyMs === 0 && !signal.aborted)
        await rest(Math.min(restMs, safetyNetMs));
    }
  }

  const hand: Hand<Job> = {
    get jobs() {
      return [...inHand.values()].map(({ job }) => job);
    },
    get free() {
      return places - inHand.size;
    },
    get signal() {
      return stopping.signal;
    },
    begin,
  };

  async function round(): Promise<number> {
    return settings.round(hand);
  }

  function begin(job: Job): void {
    if (inHand.size >= places) throw new Error(`${name} has no place for another job`);
    const key = Symbol();
    const ended = run(job)
      .catch(failed)
      .then(() => {
        inHand.delete(key);
        wake();
      });
    inHand.set(key, { job, ended });
  }

  async function run(job: Job): Promise<void> {
    await settings.run?.(job, stopping.signal);
  }

  /** Jobs that fail together count as one failure. */
  function failed(error: unknown): number {
    if (stopping.signal.aborted || penaltyMs > 0) return 0;
    if (failures === 0) log.error({ err: error, worker: name }, trouble);
    else log.debug({ err: error, worker: name, failures }, trouble);
    const { first, most } = afterFailureMs;
    penaltyMs = Math.min(first * 2 ** failures, most);
    failures += 1;
    return 0;
  }

  function recovered(): void {
    if (failures > 0) log.info({ failures }, `${name} works again`);
    failures = 0;
  }

  async function penalty(): Promise<void> {
    isPenalty = true;
    await rest(penaltyMs);
    isPenalty = false;
    penaltyMs = 0;
  }

  function rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = timer(milliseconds, done);
      function done() {
        cancel();
        endRest = undefined;
        resolve();
      }
      endRest = done;
    });
  }

  function wake(): void {
    woken = true;
    if (!isPenalty) endRest?.();
  }

  function connected(): void {
    notices?.heard?.("");
    woken = true;
    endRest?.();
  }

  async function drained(): Promise<void> {
    while (inHand.size > 0) await Promise.all([...inHand.values()].map(({ ended }) => ended));
  }

  return {
    name,
    wake,
    begin,
    get free() {
      return hand.free;
    },
    round,
    drained,
    async start() {
      stopping = createStopController();
      if (notices)
        listeners = [
          await listen(notices.sql, notices.channel, {
            onNotify(payload) {
              if (notices.heard?.(payload) ?? true) wake();
            },
            onReady: connected,
          }),
          await listen(notices.sql, clockMoved, { onNotify: wake }),
        ];
      loop = live(stopping);
    },
    async stop() {
      stopping.abort();
      endRest?.();
      for (const listener of listeners) await listener.close();
      listeners = [];
      const ended = await within(stopWithinMs, loop.then(drained));
      if (!ended) log.warn({ worker: name, jobs: inHand.size }, "stopped without waiting any longer");
    },
  };
}

async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => {
    cancel = systemTimer(milliseconds, () => resolve(false));
  });
  const ended = await Promise.race([work.then(() => true), late]);
  cancel();
  return ended;
}
