import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { settle } from "./queue.ts";
import type { Settlement } from "./started-delivery.ts";

export interface Settler {
  /** Resolves when the outcome is in the database, or cannot be. */
  settle(settlement: Settlement): Promise<void>;
  idle(): Promise<void>;
}

interface SettlerDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

const tries = 5;

/** Writes outcomes in sets: whatever ended while one set was being written goes with the next. */
export function createSettler(
  { sql, clock, log, metrics }: SettlerDeps,
  onSettled: (workspaceId: string) => void,
): Settler {
  let waiting: { settlement: Settlement; done(): void }[] = [];
  let writing: Promise<void> | undefined;
  const settled = metrics.counter({
    name: "deliveries_settled_total",
    help: "Attempts that ended, by the status they ended in",
    labels: ["status"],
  });

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      for (const workspaceId of new Set(batch.map(({ settlement }) => settlement.workspaceId))) {
        const settlements = batch.map(({ settlement }) => settlement);
        await write(
          workspaceId,
          settlements.filter((settlement) => settlement.workspaceId === workspaceId),
        );
      }
      for (const { settlement, done } of batch) {
        done();
        onSettled(settlement.workspaceId);
      }
    }
    writing = undefined;
  }

  /** An outcome that cannot be written is not lost: its lease runs out and the delivery is looked up again. */
  async function write(workspaceId: string, batch: Settlement[]): Promise<void> {
    for (let attempt = 1; attempt <= tries; attempt++) {
      try {
        for (const row of await settle(sql, workspaceId, batch, clock.now())) {
          settled.inc({ status: row.applied && row.status ? row.status : "conflict" });
          if (!row.applied)
            log.warn(
              { delivery_id: row.delivery_id },
              "the delivery was taken over before it could be settled",
            );
        }
        return;
      } catch (error) {
        log.error({ err: error, attempt, deliveries: batch.length }, "outcomes could not be written");
        await new Promise((resolve) => setTimeout(resolve, attempt * 200));
      }
    }
  }

  return {
    settle(settlement) {
      return new Promise((resolve) => {
        waiting.push({ settlement, done: resolve });
        writing ??= writeAll();
      });
    },
    idle: async () => writing,
  };
}
