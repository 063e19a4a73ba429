import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { inOneChange, noteChange } from "../../workspaces/index.ts";
import { requireOwn, type Who } from "../admin/access.ts";
import { lockObject } from "../objects/objects.ts";
import { lockForPlan } from "../plan/account-state.ts";
import { readWishes, type Skipped } from "../plan/configured-tasks.ts";
import { planToday } from "../plan/plan-account.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { respaceIfNeeded } from "../plan/respace.ts";
import { foresee } from "../plan/with-forecast.ts";
import { type PlannedTask, writePlan } from "../plan/write-plan.ts";
import { wordsOf } from "../reasons/task-reasons.ts";
import { readSettings } from "../settings/workspace-settings.ts";
import {
  type Config,
  type ConfigChanges,
  type ConfigEntry,
  configSchema,
  mergedEntries,
} from "./config-schema.ts";

export interface SavedConfig {
  readonly config: Config;
  /** Tasks queued at once. */
  readonly planned: readonly PlannedTask[];
  /** Pending tasks the configuration no longer asks for. */
  readonly cancelled: number;
  /** Configured publications that are impossible, with the reason. */
  readonly skipped: readonly Skipped[];
  /** Tasks that do not fit into today; the next daily plan includes them. */
  readonly left: number;
  /** Those tasks with their expected times. */
  readonly later: readonly LaterTask[];
}

interface LaterTask {
  readonly accountId: string;
  readonly chatId: string;
  readonly expectedAt: Date;
}

/**
 * Saves an object's configuration and applies it at once: cancels tasks it no longer asks for and plans new ones after those their
 * accounts already have.
 */
export async function saveConfig(
  deps: PlanDeps,
  workspaceId: string,
  objectId: string,
  changes: ConfigChanges,
  who: Who,
): Promise<SavedConfig> {
  const { sql, clock } = deps;
  const now = clock.now();
  const before = await readConfig(sql, workspaceId, objectId);
  const entries = changes.accounts?.length ? mergedEntries(changes.accounts) : (before?.accounts ?? []);
  return inOneChange(sql, async (tx) => {
    await lockObject(tx, workspaceId, objectId, who);
    if (changes.accounts?.length) await requireAccounts(tx, workspaceId, entries, who);
    const { enabled, bot_enabled, format } = changes;
    const given = {
      ...(enabled !== undefined && { enabled }),
      ...(bot_enabled !== undefined && { bot_enabled }),
      ...(format !== undefined && { format }),
      ...accountsSwitch(changes),
      accounts_config: tx.json(entries),
      updated_at: now,
    };
    const row = { workspace_id: workspaceId, object_id: objectId, created_at: now, ...given };
    await tx`
      insert into accounts.autopublish ${tx(row)}
      on conflict (workspace_id, object_id) do update set ${tx(given)}`;
    await noteChange(tx, {
      ...{ workspaceId, now, by: who },
      meta: { object: "autopublish", object_id: objectId, changes },
    });
    const cancelled = await cancelUnwanted(tx, workspaceId, objectId, who, now);
    const planned = await planObject(tx, deps, { workspaceId, objectId, now });
    const config = await readConfig(tx, workspaceId, objectId);
    if (!config) throw new Error("a configuration is gone in the transaction that wrote it");
    return { config, cancelled, ...planned };
  });
}

/** Deletes the configuration and cancels its pending tasks. */
export async function deleteConfig(
  { sql, clock }: Pick<PlanDeps, "sql" | "clock">,
  workspaceId: string,
  objectId: string,
  who: Who,
): Promise<{ cancelled: number }> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await lockObject(tx, workspaceId, objectId, who);
    const gone = await tx`
      delete from accounts.autopublish where workspace_id = ${workspaceId} and object_id = ${objectId}`;
    if (gone.count === 0) throw problem("not_found", { detail: "The object has no configuration." });
    const meta = { object: "autopublish", object_id: objectId, deleted: true };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return { cancelled: await cancelUnwanted(tx, workspaceId, objectId, who, now) };
  });
}

export async function readConfig(
  sql: Sql | Transaction,
  workspaceId: string,
  objectId: string,
): Promise<Config | undefined> {
  const [row] = await sql`
    select object_id, enabled, bot_enabled, accounts_enabled, format, accounts_config as accounts, created_at, updated_at
    from accounts.autopublish where workspace_id = ${workspaceId} and object_id = ${objectId}`;
  return row && configSchema.parse(row);
}

/** An empty list switches accounts off, a non-empty one on, unless `accounts_enabled` is given. */
function accountsSwitch({ accounts, accounts_enabled }: ConfigChanges): { accounts_enabled?: boolean } {
  if (accounts_enabled !== undefined) return { accounts_enabled };
  return accounts === undefined ? {} : { accounts_enabled: accounts.length > 0 };
}

async function requireAccounts(
  tx: Transaction,
  workspaceId: string,
  entries: readonly ConfigEntry[],
  who: Who,
): Promise<void> {
  const ids = entries.map(({ account_id }) => account_id);
  const rows = await tx<{ id: string; owner: string }[]>`
    select id, owner from accounts.accounts where workspace_id = ${workspaceId} and id = any (${ids})`;
  const known = new Map(rows.map((row) => [row.id, row]));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0)
    throw problem("unprocessable", {
      detail: `There is no account ${missing.join(", ")}.`,
      errors: missing.map((id) => ({ pointer: "/accounts", detail: `There is no account ${id}` })),
    });
  for (const account of known.values()) requireOwn(who, account, "account");
}

/** Cancels pending automatic tasks of the object that the configuration no longer asks for; tasks a person asked for stay. */
async function cancelUnwanted(
  tx: Transaction,
  workspaceId: string,
  objectId: string,
  { operator }: Who,
  now: Date,
): Promise<number> {
  const unwanted = await tx<
    { id: string; reason: "no_config" | "autopublish_off" | "accounts_off" | "not_in_config" }[]
  >`
    select q.id, case when not f.has_config then 'no_config' when not f.enabled then 'autopublish_off'
      when not f.accounts_enabled then 'accounts_off' else 'not_in_config' end as reason
    from accounts.queue q
    cross join lateral accounts.task_facts(${workspaceId}, ${objectId}, q.chat_id, q.account_id) f
    where q.workspace_id = ${workspaceId} and q.object_id = ${objectId} and q.status = 'pending' and q.origin <> 'manual'
      and not (f.enabled and f.accounts_enabled and f.in_config)`;
  for (const reason of new Set(unwanted.map((task) => task.reason))) {
    const ids = unwanted.filter((task) => task.reason === reason).map(({ id }) => id);
    await tx`
      select accounts.cancel_tasks(${workspaceId}, ${tx.json({ ids })}, ${reason}, ${wordsOf(reason)}, ${operator}, ${now})`;
  }
  return unwanted.length;
}

interface ObjectPlan {
  readonly workspaceId: string;
  readonly objectId: string;
  readonly now: Date;
}

async function planObject(
  tx: Transaction,
  deps: PlanDeps,
  { workspaceId, objectId, now }: ObjectPlan,
): Promise<Pick<SavedConfig, "planned" | "skipped" | "left" | "later">> {
  const { governor, chance = Math.random } = deps;
  const settings = await readSettings(tx, workspaceId);
  const { byAccount, skipped } = await readWishes(tx, workspaceId, { origin: "config", settings, objectId });
  const planned: PlannedTask[] = [];
  const later: LaterTask[] = [];
  let left = 0;
  // One lock order everywhere prevents deadlocks between plans.
  for (const accountId of [...byAccount.keys()].sort()) {
    const key = { workspaceId, accountId };
    const state = await lockForPlan(tx, key, { settings, now });
    if (!state) continue;
    const open = await tx<{ chat_id: string }[]>`
      select chat_id from accounts.queue
      where workspace_id = ${workspaceId} and object_id = ${objectId} and account_id = ${accountId}
        and status in ('pending', 'processing', 'flood_wait')`;
    const known = new Set(open.map(({ chat_id }) => chat_id));
    const wanted = (byAccount.get(accountId) ?? []).filter(({ chatId }) => !known.has(chatId));
    const foreseen = await foresee(tx, governor, key, state, { fresh: wanted, now });
    const { plan, expected } = planToday({ ...state, ...foreseen, now, chance });
    planned.push(...(await writePlan(tx, key, plan, now)));
    left += plan.left.length;
    for (const { task, at } of expected) later.push({ accountId, chatId: task.chatId, expectedAt: at });
  }
  return { planned: await respaced(tx, deps, workspaceId, planned), skipped, left, later };
}

/** Reschedules tasks that would repeat another account's text too soon, and returns all of them with their final times. */
async function respaced(
  tx: Transaction,
  deps: PlanDeps,
  workspaceId: string,
  planned: readonly PlannedTask[],
): Promise<readonly PlannedTask[]> {
  const accountIds = new Set(planned.map(({ account_id }) => account_id));
  if (accountIds.size < 2) return planned;
  for (const accountId of accountIds) await respaceIfNeeded(tx, deps, { workspaceId, accountId });
  return tx<PlannedTask[]>`
    select id, object_id, chat_id, account_id, scheduled_time from accounts.queue
    where workspace_id = ${workspaceId} and id = any (${planned.map(({ id }) => id)})
    order by scheduled_time, id`;
}
