import { setTimeout as delay, setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { type Settled, settle } from "./queue.ts";
import type { Settlement } from "./started-delivery.ts";

export interface Settler {
  /** Resolves when the outcome is in the database, or cannot be. */
  settle(settlement: Settlement): Promise<void>;
  /** Resolves when everything is written; after the signal, outcomes that cannot be written are left to their leases. */
  idle(giveUp: AbortSignal): Promise<void>;
}

interface SettlerDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Between tries to write, growing to the longest: a database that is away for long comes back to every outcome. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** Writes outcomes in sets: whatever ended while one set was being written goes with the next. */
export function createSettler(
  { sql, clock, log, metrics }: SettlerDeps,
  onSettled: (settlement: Settlement) => void,
): Settler {
  let waiting: { settlement: Settlement; done(): void }[] = [];
  let writing: Promise<void> | undefined;
  let leaving: AbortSignal | undefined;
  const settled = metrics.counter({
    name: "deliveries_settled_total",
    help: "Attempts that ended, by the status they ended in",
    labels: ["status"],
  });

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      // Whatever ends in the same instant goes together.
      await turnOfTheLoop();
      const batch = waiting;
      waiting = [];
      const settlements = batch.map(({ settlement }) => settlement);
      const workspaces = new Set(settlements.map(({ workspaceId }) => workspaceId));
      await Promise.all(
        [...workspaces].map((each) =>
          write(
            each,
            settlements.filter(({ workspaceId }) => workspaceId === each),
          ),
        ),
      );
      for (const { settlement, done } of batch) {
        done();
        onSettled(settlement);
      }
    }
    writing = undefined;
  }

  /** Tries until it is written: an outcome that is known must not be thrown away because the database was away. */
  async function write(workspaceId: string, batch: Settlement[]): Promise<void> {
    for (let pauseMs = firstPauseMs; !leaving?.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return note(await settle(sql, workspaceId, batch, clock.now()));
      } catch (error) {
        log.error({ err: error, deliveries: batch.length }, "outcomes could not be written");
        if (isAboutTheData(error)) return writeApart(workspaceId, batch);
        await delay(pauseMs, undefined, { ref: false });
      }
    }
  }

  /** One outcome that the database cannot take must not hold up the others: each alone, and the bad one without details. */
  async function writeApart(workspaceId: string, batch: Settlement[]): Promise<void> {
    const [only, ...others] = batch;
    if (only && others.length === 0) {
      if (only.meta !== undefined || only.error?.message !== unwritable)
        return write(workspaceId, [withoutDetails(only)]);
      log.error(
        { delivery_id: only.delivery_id },
        "an outcome was refused; the delivery's lease will recover it",
      );
      return;
    }
    for (const settlement of batch) await write(workspaceId, [settlement]);
  }

  function note(rows: Settled[]): void {
    for (const { status, count, delivery_ids } of rows) {
      settled.inc({ status: status ?? "conflict" }, count);
      for (const delivery_id of delivery_ids)
        log.warn({ delivery_id }, "the delivery was taken over before it could be settled");
    }
  }

  return {
    settle(settlement) {
      return new Promise((resolve) => {
        waiting.push({ settlement, done: resolve });
        writing ??= writeAll();
      });
    },
    async idle(giveUp) {
      leaving = giveUp;
      await writing;
    },
  };
}

const unwritable = "The outcome held something that cannot be stored.";

function withoutDetails({ meta: _meta, error, ...settlement }: Settlement): Settlement {
  if (!error) return settlement;
  const { category, scope, code } = error;
  return { ...settlement, error: { category, scope, code, message: unwritable } };
}

/** SQLSTATE classes 22 and 23: the database understood and refuses what it was given. */
function isAboutTheData(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^2[23]/.test(String(error.code));
}
