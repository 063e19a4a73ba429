import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { inOneChange, noteChange } from "../../workspaces/index.ts";
import { requireOwn, type Who } from "../admin/access.ts";
import { lockObject } from "../objects/objects.ts";
import { lockForPlan } from "../plan/account-state.ts";
import type { PlanDeps } from "../plan/deps.ts";
import { foresee } from "../plan/foresee.ts";
import { planToday } from "../plan/plan-today.ts";
import { respaceIfNeeded } from "../plan/respace.ts";
import { readWishes, type Skipped } from "../plan/wishes.ts";
import { type PlannedTask, writePlan } from "../plan/write-plan.ts";
import { wordsOf } from "../reasons/reasons.ts";
import { readSettings } from "../settings/settings.ts";
import { type Config, type ConfigChanges, type ConfigEntry, configSchema, tidied } from "./shape.ts";

export interface SavedConfig {
  readonly config: Config;
  /** What was put into the queue at once. */
  readonly planned: readonly PlannedTask[];
  /** What waited and is no longer asked for. */
  readonly cancelled: number;
  /** What is asked for and cannot be, with why. */
  readonly skipped: readonly Skipped[];
  /** What today has no room for: the next daily plan sees to it. */
  readonly left: number;
  /** The same, with when it can be expected. */
  readonly later: readonly LaterTask[];
}

export interface LaterTask {
  readonly accountId: string;
  readonly chatId: string;
  readonly expectedAt: Date;
}

/**
 * Saves an object's configuration and lets it take effect at once: tasks that it no longer asks for are called off, those that
 * it asks for anew follow what their accounts have planned.
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
  const entries = changes.accounts?.length ? tidied(changes.accounts) : (before?.accounts ?? []);
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

/** Takes the configuration away; what waited because of it is called off. */
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

/** An empty list means bots alone; a list with accounts in it means them, unless it is said otherwise. */
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

/** What waits for this object by itself, not by a person's wish, and is no longer asked for. */
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
  // In one order everywhere, so that two plans never wait for each other's accounts.
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
  return { planned: await settled(tx, deps, workspaceId, planned), skipped, left, later };
}

/** The tasks after each account has heard what the others will send of the same text. */
async function settled(
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
