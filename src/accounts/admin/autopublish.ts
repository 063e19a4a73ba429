import { z } from "zod";
import { type BotStreamDeps, cancelBotPosts, postObject } from "../bots/post-object.ts";
import { type ConfigChanges, configSchema } from "../config/config-schema.ts";
import { deleteConfig, type SavedConfig, saveConfig } from "../config/save-config.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { reasonSchema } from "../read/readiness.ts";
import { wordsOf } from "../reasons/task-reasons.ts";
import { readSettings } from "../settings/workspace-settings.ts";
import type { Who } from "./access.ts";
import { paceReasonSchema, slowedBy } from "./pace-view.ts";

export interface AutopublishDeps extends PlanDeps {
  /** Publishing through bots; uses the clock of the delivery engine. */
  readonly bots: BotStreamDeps;
}

export const savedAutopublish = z.object({
  config: configSchema,
  planned: z
    .array(z.object({ id: z.uuid(), account_id: z.uuid(), chat_id: z.uuid(), scheduled_time: z.date() }))
    .describe("Tasks that were queued for accounts at once"),
  cancelled: z.int().describe("Pending tasks that the configuration no longer asks for"),
  skipped: z.array(reasonSchema).describe("Publications that are configured but impossible, with the reason"),
  left: z.int().describe("How many do not fit into today; the next daily plan includes them"),
  later: z
    .array(z.object({ account_id: z.uuid(), chat_id: z.uuid(), expected_at: z.date() }))
    .describe("When to expect those, if nothing changes"),
  pace: z
    .array(z.object({ account_id: z.uuid(), account: z.string(), reasons: z.array(paceReasonSchema) }))
    .describe("Accounts that are slower than their mode, why, and until when"),
  bots: z
    .object({ chats: z.int(), at: z.date() })
    .nullable()
    .describe("How many bot chats the object goes to, and when; null: bots do not publish it"),
});
export type SavedAutopublish = z.output<typeof savedAutopublish>;

/** Saves an object's configuration, plans its accounts and queues its bot posts at once. */
export async function saveAutopublish(
  deps: AutopublishDeps,
  workspaceId: string,
  objectId: string,
  changes: ConfigChanges,
  who: Who,
): Promise<SavedAutopublish> {
  const saved = await saveConfig(deps, workspaceId, objectId, changes, who);
  const { enabled, bot_enabled } = saved.config;
  const throughBots = enabled && bot_enabled;
  const calledOff = throughBots ? 0 : await cancelBotPosts(deps.bots, workspaceId, objectId, who.operator);
  return {
    config: saved.config,
    planned: saved.planned.map(({ id, account_id, chat_id, scheduled_time }) => ({
      ...{ id, account_id, chat_id, scheduled_time },
    })),
    cancelled: saved.cancelled + calledOff,
    skipped: saved.skipped.map(({ accountId, chatId, reason: code }) => ({
      ...{ code, account_id: accountId, chat_id: chatId },
      ...{ ru: wordsOf(code, {}, "ru"), en: wordsOf(code, {}, "en") },
    })),
    left: saved.left,
    later: saved.later.map(({ accountId, chatId, expectedAt }) => ({
      ...{ account_id: accountId, chat_id: chatId, expected_at: expectedAt },
    })),
    pace: await slowAccounts(deps, workspaceId, saved),
    bots: throughBots
      ? await postObject(deps.bots, workspaceId, objectId, {
          anyTime: await mayAnyTime(deps, workspaceId, who),
        })
      : null,
  };
}

async function slowAccounts(
  { sql, governor }: AutopublishDeps,
  workspaceId: string,
  { planned, later }: SavedConfig,
): Promise<SavedAutopublish["pace"]> {
  const ids = [...planned.map(({ account_id }) => account_id), ...later.map(({ accountId }) => accountId)];
  const accounts = await sql<{ id: string; title: string }[]>`
    select id, title from accounts.accounts
    where workspace_id = ${workspaceId} and id = any (${[...new Set(ids)]}) order by created_at, id`;
  const slow: SavedAutopublish["pace"] = [];
  for (const { id, title } of accounts) {
    const reasons = await slowedBy(governor, { workspaceId, accountId: id });
    if (reasons.length > 0) slow.push({ account_id: id, account: title, reasons });
  }
  return slow;
}

export async function removeAutopublish(
  deps: AutopublishDeps,
  workspaceId: string,
  objectId: string,
  who: Who,
): Promise<{ cancelled: number }> {
  const { cancelled } = await deleteConfig(deps, workspaceId, objectId, who);
  return { cancelled: cancelled + (await cancelBotPosts(deps.bots, workspaceId, objectId, who.operator)) };
}

async function mayAnyTime({ sql }: AutopublishDeps, workspaceId: string, who: Who): Promise<boolean> {
  return who.isAdmin && (await readSettings(sql, workspaceId)).admin_bypass_time_limit.enabled;
}
