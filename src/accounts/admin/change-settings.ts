import { z } from "zod";
import {
  type WorkspacePace,
  type WorkspacePaceChanges,
  workspacePaceChanges,
  workspacePaceShape,
} from "../governor/pace-settings.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { respaceAccount } from "../plan/respace.ts";
import { changeSetting, readSettings, type Settings, settingShapes } from "../settings/workspace-settings.ts";
import type { Who } from "./access.ts";

export const settingsSchema = z.object(settingShapes);

const onOff = z.boolean();

export const settingsChanges = z
  .strictObject({
    allow_duplicates: z
      .strictObject({
        manual_bot: onOff,
        manual_account: onOff,
        autopublish_bot: onOff,
        autopublish_account: onOff,
        admin_bypass: onOff.describe("Whether administrators may ask for a repeat"),
      })
      .partial()
      .describe(
        "Whether an object may be published to a chat again within a day, for each way of publishing",
      ),
    account_rate_limit: z
      .strictObject({
        enabled: onOff,
        seconds: z.number().min(0).max(86_400),
        per_hour: z.int().min(1).max(3_600),
      })
      .partial()
      .describe("The limiter: `seconds` between messages of an account, and how many `per_hour`"),
    admin_bypass_time_limit: z
      .strictObject({ enabled: onOff })
      .partial()
      .describe("Whether administrators publish through bots outside their window"),
    account_pace: workspacePaceChanges.describe("Pace settings for every account; null: the default"),
    districts: z
      .record(z.string().min(1).max(200), z.string().min(1).max(200).nullable())
      .describe("Parent district of each district; null removes one"),
  })
  .partial();
export type SettingsChanges = z.output<typeof settingsChanges>;

/** Pending tasks are rescheduled when a pace or limiter setting changes. */
export async function changeSettings(
  deps: PlanDeps,
  workspaceId: string,
  { allow_duplicates, account_rate_limit, admin_bypass_time_limit, account_pace, districts }: SettingsChanges,
  who: Who,
): Promise<Settings> {
  if (allow_duplicates)
    await changeSetting(deps, workspaceId, "allow_duplicates", defined(allow_duplicates), who);
  if (account_rate_limit)
    await changeSetting(deps, workspaceId, "account_rate_limit", defined(account_rate_limit), who);
  if (admin_bypass_time_limit)
    await changeSetting(deps, workspaceId, "admin_bypass_time_limit", defined(admin_bypass_time_limit), who);
  if (account_pace) await changeSetting(deps, workspaceId, "account_pace", usualForNull(account_pace), who);
  if (districts) await changeSetting(deps, workspaceId, "districts", districts, who);
  if (account_rate_limit || account_pace) await respaceAll(deps, workspaceId);
  return readSettings(deps.sql, workspaceId);
}

async function respaceAll(deps: PlanDeps, workspaceId: string): Promise<void> {
  const accounts = await deps.sql<{ account_id: string }[]>`
    select distinct account_id from accounts.queue
    where workspace_id = ${workspaceId} and status = 'pending' order by account_id`;
  for (const { account_id } of accounts) await respaceAccount(deps, { workspaceId, accountId: account_id });
}

function usualForNull(changes: WorkspacePaceChanges): Partial<WorkspacePace> {
  const usual = workspacePaceShape.parse({});
  return Object.fromEntries(keysOf(defined(changes)).map((key) => [key, changes[key] ?? usual[key]]));
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function defined<T extends object>(given: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const key of keysOf(given)) {
    const value = given[key];
    if (isDefined(value)) kept[key] = value;
  }
  return kept;
}

function keysOf<T extends object>(thing: T): (keyof T)[] {
  const keys: (keyof T)[] = [];
  for (const key in thing) keys.push(key);
  return keys;
}

function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}
