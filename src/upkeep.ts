import { z } from "zod";
import {
  forgetOldLogins,
  forgetOldPublications,
  type PlanDeps,
  planDue,
  postDueObjects,
} from "./accounts/index.ts";
import { type AdvisorSettings, advisorUpkeep } from "./advisor/index.ts";
import { forgetPullReceipts, prepareEventPartitions, runRetention } from "./delivery/index.ts";
import { forgetExpired } from "./http/index.ts";
import type { Clock } from "./kernel/clock/index.ts";
import type { Sql } from "./kernel/db/index.ts";
import { type CronEntry, defineTask } from "./kernel/jobs/index.ts";
import type { KeyValue } from "./kernel/kv/index.ts";
import type { Log } from "./kernel/log/index.ts";
import type { ObjectStorage } from "./kernel/storage/index.ts";
import { llmUpkeep } from "./llm/index.ts";
import type { Platforms } from "./platforms/index.ts";
import { forgetOldDialogues, watchBots } from "./shopbot/index.ts";

export interface UpkeepDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly keyValue: KeyValue;
  readonly storage: ObjectStorage;
  readonly log: Log;
  readonly advisor: AdvisorSettings;
  readonly planning: PlanDeps;
  readonly platforms: Platforms;
}

/** The regular upkeep of every module. */
export function upkeepOf({
  sql,
  clock,
  keyValue,
  storage,
  log,
  advisor,
  planning,
  platforms,
}: UpkeepDeps): readonly CronEntry[] {
  const every = (schedule: string, name: string, run: () => Promise<void>): CronEntry => ({
    identifier: name,
    schedule,
    task: defineTask({ name, schema: z.unknown(), maxAttempts: 3, run }),
  });
  return [
    every("7 */6 * * *", "delivery.prepare_event_partitions", () => prepareEventPartitions(sql, clock.now())),
    every("13 * * * *", "delivery.retention", async () => {
      await runRetention({ sql, storage, clock, log });
    }),
    every("37 * * * *", "delivery.forget_pull_receipts", () => forgetPullReceipts(sql, clock.now())),
    every("*/5 * * * *", "shopbot.monitor", async () => {
      await watchBots(sql, clock.now());
    }),
    every("53 * * * *", "shopbot.forget", () => forgetOldDialogues(sql, clock.now())),
    every("23 * * * *", "llm.upkeep", () => llmUpkeep(sql, clock.now())),
    every("*/5 * * * *", "advisor.upkeep", () => advisorUpkeep({ sql, clock, storage, settings: advisor })),
    // On the hour, which is 08:00 in Moscow at 05:00 UTC: each account's day is planned once, when its window has opened.
    every("0 * * * *", "accounts.plan", async () => {
      await planDue(planning);
    }),
    every("*/5 * * * *", "accounts.bot_posts", async () => {
      await postDueObjects({ sql, clock, log, platforms });
    }),
    every("19 * * * *", "accounts.forget_logins", () => forgetOldLogins(sql, clock.now())),
    every("31 3 * * *", "accounts.forget", () => forgetOldPublications(sql, clock.now())),
    every("41 * * * *", "kernel.forget_expired", async () => {
      await forgetExpired(sql, { clock });
      await keyValue.purgeExpired();
    }),
  ];
}
