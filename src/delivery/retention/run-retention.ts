import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { collectMedia } from "./collect-media.ts";
import type { RetentionContext } from "./context.ts";
import { dropEventPartitions } from "./drop-event-partitions.ts";
import { purgePayloads } from "./purge-payloads.ts";
import {
  endOverlaps,
  purgeAdapterCalls,
  purgeDrafts,
  purgeEvents,
  purgeReceipts,
  purgeRows,
} from "./purge-rows.ts";
import { type RetentionSettings, retentionSettings } from "./settings.ts";

export interface RetentionDeps {
  readonly sql: Sql;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings?: Partial<RetentionSettings>;
}

/** In this order: a message goes after its deliveries, a medium after its messages. */
const steps: readonly (readonly [string, (context: RetentionContext) => Promise<number>])[] = [
  ["receipts", purgeReceipts],
  ["adapter_calls", purgeAdapterCalls],
  ["event_partitions", dropEventPartitions],
  ["events", purgeEvents],
  ["deliveries", (context) => purgeRows("deliveries", context)],
  ["messages", (context) => purgeRows("messages", context)],
  ["webhook_messages", (context) => purgeRows("webhook_messages", context)],
  ["old_secrets", endOverlaps],
  ["sent_drafts", purgeDrafts],
  ["ingest_runs", (context) => purgeRows("ingest_runs", context)],
  ["payloads", purgePayloads],
  ["media", collectMedia],
];

/** How much each step removed, by its name. */
export type RetentionReport = Record<string, number>;

/**
 * Deletes what has expired. Any number of runs may work at once, beside everything else. A step that fails does not stop the
 * others; the run fails at its end, so that it is retried.
 */
export async function runRetention({ settings, clock, ...deps }: RetentionDeps): Promise<RetentionReport> {
  const context = { ...deps, settings: { ...retentionSettings, ...settings }, now: clock.now() };
  const report: RetentionReport = {};
  const failures: unknown[] = [];
  for (const [step, run] of steps) {
    try {
      report[step] = await run(context);
    } catch (error) {
      deps.log.error({ err: error, step }, "a step of retention failed");
      failures.push(error);
    }
  }
  deps.log.info({ removed: report }, "retention ran");
  if (failures.length > 0)
    throw new AggregateError(failures, `steps of retention failed: ${failures.length}`);
  return report;
}
