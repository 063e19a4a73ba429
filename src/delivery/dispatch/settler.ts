import { setTimeout as delay, setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import type { SettledCount } from "./queue.ts";
import type { Settlement } from "./started-delivery.ts";

export interface Settler<Outcome extends Settled> {
  /** Resolves when the outcome is in the database, or cannot be written. */
  settle(settlement: Outcome): Promise<void>;
  /**
   * Resolves when everything is written; after the signal, outcomes that cannot be written are left to expire with their
   * leases.
   */
  idle(giveUp: AbortSignal): Promise<void>;
}

/** The common fields of deliveries' and corrections' outcomes. */
type Settled = Omit<Settlement, "provider_message_id" | "reconciled">;

type Counter = ReturnType<Metrics["counter"]>;

interface SettlerDeps<Outcome> {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  /** Counts settled attempts by status. */
  readonly counter: Counter;
  /** Writes outcomes of one workspace. */
  readonly write: (
    sql: Sql,
    workspaceId: string,
    batch: readonly Outcome[],
    now: Date,
  ) => Promise<SettledCount[]>;
}

/** The pause between attempts to write grows to the longest, so outcomes survive a long outage of the database. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** Writes outcomes in batches: those that arrive while one batch is being written go into the next. */
export function createSettler<Outcome extends Settled>(
  { sql, clock, log, counter, write: settle }: SettlerDeps<Outcome>,
  onSettled: (settlement: Outcome) => void,
): Settler<Outcome> {
  let waiting: { settlement: Outcome; done(): void }[] = [];
  let writing: Promise<void> | undefined;
  let leaving: AbortSignal | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      // Outcomes of the same instant go into one batch.
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

  /** Retries until it is written: a known outcome must not be lost because the database was unreachable. */
  async function write(workspaceId: string, batch: Outcome[]): Promise<void> {
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

  /**
   * One outcome that the database refuses must not hold up the others: each is written alone, and the refused one without
   * details.
   */
  async function writeApart(workspaceId: string, batch: Outcome[]): Promise<void> {
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

  function note(rows: SettledCount[]): void {
    for (const { status, count, delivery_ids } of rows) {
      counter.inc({ status: status ?? "conflict" }, count);
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

function withoutDetails<Outcome extends Settled>(settlement: Outcome): Outcome {
  const { error } = settlement;
  const bare = { ...settlement, meta: undefined };
  if (!error) return bare;
  const { category, scope, code } = error;
  return { ...bare, error: { category, scope, code, message: unwritable } };
}

/** SQLSTATE classes 22 and 23: the database refuses the data itself. */
function isAboutTheData(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^2[23]/.test(String(error.code));
}
