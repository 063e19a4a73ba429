/**
 * Publishes the slots that have fired: at most ten are generated at once in the whole system, and people take turns. Any number of
 * processes may run it; a slot whose process is gone goes on in another one.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay, setInterval as ticks } from "node:timers/promises";
import type { StopTimes } from "../../kernel/config/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { createWorker, msUntil, type Timer, type Worker } from "../../kernel/worker/index.ts";
import {
  type Autopublication,
  columns,
  lockUnended,
  putOff,
  readAutopublication,
} from "./autopublications.ts";
import { type BeginDeps, beginSlot } from "./begin-slot.ts";
import { concludeWithout } from "./conclude-slot.ts";
import { crossSlot } from "./cross-slot.ts";
import { generationsAtOnce, mostBroken, pauses } from "./ends.ts";

export interface AutopublisherSettings extends BeginDeps {
  readonly log: Log;
  readonly leaseMs?: number;
  readonly atOnce?: number;
  readonly stopTimes?: StopTimes | undefined;
  readonly timer?: Timer | undefined;
}

const usual = {
  leaseMs: 30_000,
  stopTimes: { finishWithinMs: 113_000, stopWithinMs: 118_000 },
} as const;

export function createAutopublisher(settings: AutopublisherSettings): Worker<Autopublication> {
  const { sql, clock, log, timer, atOnce = generationsAtOnce } = settings;
  const { leaseMs = usual.leaseMs, stopTimes = usual.stopTimes } = settings;
  const { finishWithinMs, stopWithinMs } = stopTimes;
  return createWorker<Autopublication>({
    ...{ name: "autopublications", log, timer, places: atOnce },
    notices: { sql, channel: "seo_autopublications" },
    trouble: "autopublications could not be taken up",
    stopWithinMs,
    async round(hand) {
      while (hand.free > 0 && !hand.signal.aborted) {
        const slot = await claim();
        if (!slot) break;
        hand.begin(slot);
      }
      return nearest();
    },
    async run(slot, stop) {
      const left = new AbortController();
      const ended = new AbortController();
      const cutOff = () =>
        void delay(finishWithinMs, undefined, { signal: ended.signal, ref: false })
          .then(() => left.abort())
          .catch(() => {});
      if (stop.aborted) cutOff();
      else stop.addEventListener("abort", cutOff, { once: true });
      const kept = keep(slot, left, ended.signal);
      try {
        await work(slot, left.signal);
      } catch (error) {
        await giveBack(slot, error, left.signal.aborted);
      } finally {
        stop.removeEventListener("abort", cutOff);
        ended.abort();
        await kept;
      }
    },
  });

  async function claim(): Promise<Autopublication | undefined> {
    const [slot] = await sql<Autopublication[]>`
      select ${columns(sql)}
      from seo.claim_autopublication(${randomUUID()}, ${interval(leaseMs)}::interval, ${atOnce}, ${clock.now()}) a`;
    return slot;
  }

  async function nearest(): Promise<number> {
    const [{ due }] = await sql<[{ due: Date | null }]>`
      select least(
        (select min(a.not_before) from seo.autopublications a where a.state = 'waiting' and a.not_before > ${clock.now()}),
        (select min(a.leased_until) from seo.autopublications a where a.state = 'generating')) as due`;
    return msUntil(due, clock, 100);
  }

  async function work(slot: Autopublication, signal: AbortSignal): Promise<void> {
    const perform = (runId: string) =>
      settings.runs.task.perform({ workspace_id: slot.workspaceId, run_id: runId }, { log, signal });
    if (slot.phase === "cross") return crossSlot(settings, slot, perform);
    const runId = await beginSlot(settings, slot);
    if (runId === undefined) return;
    await perform(runId);
    // The run's own end has moved the slot on, unless another process has the run.
    while ((await readAutopublication(sql, slot))?.token === slot.token)
      await delay(1_000, undefined, { signal });
  }

  /**
   * Broken off, or the process must stop: whoever is free goes on with its run. A run ends by itself if it breaks off too often; a
   * slot that has not got as far as that is put off, and told, after so many tries.
   */
  async function giveBack(slot: Autopublication, error: unknown, isStopped: boolean): Promise<void> {
    const { scheduleId, localDate, slot: time } = slot;
    if (!isStopped)
      log.warn(
        { schedule: scheduleId, slot: `${localDate} ${time}`, reason: messageOf(error) },
        "an autopublication broke off",
      );
    const tries = isStopped ? slot.tries : slot.tries + 1;
    const pauseMs = isStopped ? 0 : pauses.brokenMs * 2 ** Math.min(slot.tries, 6);
    await sql.begin(async (tx) => {
      const unended = await lockUnended(tx, slot);
      if (unended?.token !== slot.token) return;
      if (tries > mostBroken && unended.runId === null)
        return concludeWithout(settings, tx, unended, "internal");
      await putOff(tx, unended, { notBefore: new Date(clock.now().getTime() + pauseMs), tries });
    });
  }

  /** Renews the lease until the work ends; fires `left` if another process has the slot. */
  async function keep(slot: Autopublication, left: AbortController, ended: AbortSignal): Promise<void> {
    try {
      for await (const _ of ticks(leaseMs / 3, undefined, { signal: ended, ref: false })) {
        try {
          const [kept] = await sql<[{ kept: boolean }]>`
            select seo.keep_autopublication(${slot.token}, ${interval(leaseMs)}::interval, ${clock.now()}) as kept`;
          if (!kept.kept && (await readAutopublication(sql, slot))?.state === "generating")
            return left.abort();
        } catch (error) {
          log.warn({ reason: messageOf(error) }, "the lease of an autopublication could not be renewed");
        }
      }
    } catch {
      // Aborted: the work has ended.
    }
  }
}

const interval = (milliseconds: number) => `${milliseconds} milliseconds`;
