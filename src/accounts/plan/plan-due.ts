import type { Sql } from "../../kernel/db/index.ts";
import { chooseForToday } from "../governor/choose-for-today.ts";
import { readSettings } from "../settings/workspace-settings.ts";
import type { AccountKey, Governor, TextRoom } from "../work/governor-contract.ts";
import { type AccountState, lockForPlan } from "./account-state.ts";
import { readWishes, type Skipped } from "./configured-tasks.ts";
import { planAccount } from "./plan-account.ts";
import type { PlanDeps } from "./plan-deps.ts";
import { respaceIfNeeded } from "./respace.ts";
import { type Foreseen, foresee } from "./with-forecast.ts";
import { type FreshTask, writePlan } from "./write-plan.ts";

export interface PlanReport {
  readonly accounts: number;
  readonly created: number;
  /** Did not fit into today. */
  readonly dropped: number;
  readonly skipped: readonly Skipped[];
}

/**
 * The daily plan of every account whose window has opened and that has none yet. Safe to run at any time and concurrently; a missed run is
 * made up for by the next.
 */
export async function planDue(deps: PlanDeps): Promise<PlanReport> {
  const { sql, clock } = deps;
  const due = await sql<{ workspace_id: string; account_id: string }[]>`
    select workspace_id, account_id from accounts.accounts_to_plan(${clock.now()})`;
  const reports: PlanReport[] = [];
  for (const workspaceId of new Set(due.map(({ workspace_id }) => workspace_id))) {
    const accounts = due.filter(({ workspace_id }) => workspace_id === workspaceId);
    const accountIds = accounts.map(({ account_id }) => account_id);
    reports.push(await planDay(deps, workspaceId, accountIds));
  }
  return {
    accounts: sum(reports, ({ accounts }) => accounts),
    created: sum(reports, ({ created }) => created),
    dropped: sum(reports, ({ dropped }) => dropped),
    skipped: reports.flatMap(({ skipped }) => skipped),
  };
}

export async function planDay(
  deps: PlanDeps,
  workspaceId: string,
  accountIds: readonly string[],
): Promise<PlanReport> {
  const settings = await readSettings(deps.sql, workspaceId);
  const { byAccount, skipped } = await readWishes(deps.sql, workspaceId, { origin: "daily", settings });
  let created = 0;
  let dropped = 0;
  for (const accountId of accountIds) {
    try {
      const report = await planOne(deps, { workspaceId, accountId }, byAccount.get(accountId) ?? []);
      created += report.created;
      dropped += report.dropped;
    } catch (error) {
      // The next run retries it; other accounts must not wait.
      deps.log.error({ err: error, account: accountId }, "an account's day could not be planned");
    }
  }
  if (created > 0 && accountIds.length > 1) await settle(deps, workspaceId, accountIds);
  const own = new Set(accountIds);
  return {
    accounts: accountIds.length,
    created,
    dropped,
    skipped: skipped.filter(({ accountId }) => own.has(accountId)),
  };
}

/** Reschedules accounts whose texts collide with what the others have planned. */
async function settle(deps: PlanDeps, workspaceId: string, accountIds: readonly string[]): Promise<void> {
  for (const accountId of accountIds)
    try {
      await deps.sql.begin((tx) => respaceIfNeeded(tx, deps, { workspaceId, accountId }));
    } catch (error) {
      deps.log.error({ err: error, account: accountId }, "an account's day could not be settled");
    }
}

async function planOne(
  { sql, clock, governor, chance = Math.random }: PlanDeps,
  key: AccountKey,
  wishes: readonly FreshTask[],
): Promise<{ created: number; dropped: number }> {
  const { workspaceId, accountId } = key;
  const now = clock.now();
  const roomOf = await textRoomsFor(sql, governor, key, wishes);
  return sql.begin(async (tx) => {
    const settings = await readSettings(tx, workspaceId);
    const state = await lockForPlan(tx, key, { settings, now });
    if (!state?.isActive) return { created: 0, dropped: 0 };
    const had = await tx<{ object_id: string; chat_id: string }[]>`
      select object_id, chat_id from accounts.tasks_of_day(${workspaceId}, ${accountId}, ${now})`;
    const known = new Set(had.map(({ object_id, chat_id }) => `${object_id} ${chat_id}`));
    const open = await tx<{ object_id: string; chat_id: string }[]>`
      select object_id, chat_id from accounts.queue
      where workspace_id = ${workspaceId} and account_id = ${accountId}
        and status in ('pending', 'processing', 'flood_wait')`;
    for (const { object_id, chat_id } of open) known.add(`${object_id} ${chat_id}`);
    const wanted = wishes.filter(({ objectId, chatId }) => !known.has(`${objectId} ${chatId}`));
    const { fresh, ...foreseen } = await foresee(tx, governor, key, state, { fresh: wanted, now });
    const chosen = choose(fresh, roomOf, leftToday({ ...state, ...foreseen }));
    const plan = planAccount({ ...state, ...foreseen, now, fresh: chosen, chance });
    const created = await writePlan(tx, key, plan, now);
    const dropped = plan.left.length + fresh.length - chosen.length;
    await tx`
      select accounts.day_planned(${workspaceId}, ${accountId}, ${created.length}, ${dropped}, ${now})`;
    return { created: created.length, dropped };
  });
}

/** How often each task's text may be published today. */
async function textRoomsFor(
  sql: Sql,
  governor: Governor,
  account: AccountKey,
  tasks: readonly FreshTask[],
): Promise<(task: FreshTask) => TextRoom> {
  const unlimited = ({ objectId }: FreshTask) => ({ key: objectId, copies: tasks.length });
  if (!governor.textRooms || tasks.length === 0) return unlimited;
  const objectIds = [...new Set(tasks.map(({ objectId }) => objectId))];
  const texts = await sql<{ object_id: string; text: string }[]>`
    select o.id as object_id, coalesce(o.texts ->> coalesce(c.format, 'default'), o.texts ->> 'default', '') as text
    from accounts.objects o
    left join accounts.autopublish c on c.workspace_id = o.workspace_id and c.object_id = o.id
    where o.workspace_id = ${account.workspaceId} and o.id in ${sql(objectIds)}`;
  const allTexts = texts.map(({ text }) => text);
  const rooms = await governor.textRooms(account, allTexts);
  const known = new Map(texts.map(({ object_id }, index) => [object_id, rooms[index]]));
  return (task) => known.get(task.objectId) ?? unlimited(task);
}

/** If not all fit, chats that have waited longest come first, so that the same ones are not left out every day. */
function choose(
  fresh: readonly FreshTask[],
  roomOf: (task: FreshTask) => TextRoom,
  ceiling: number | undefined,
): readonly FreshTask[] {
  const byWaiting = fresh.toSorted((one, other) => publishedAt(one) - publishedAt(other));
  const chosen = new Set(chooseForToday(byWaiting, roomOf, ceiling));
  return fresh.filter((task) => chosen.has(task));
}

function publishedAt({ lastPublishedAt }: FreshTask): number {
  return lastPublishedAt?.getTime() ?? 0;
}

/** How many the governor allows today, if that is less than the account's limit. */
function leftToday({
  account,
  publishedToday,
  open,
}: Omit<AccountState, "account"> & Pick<Foreseen, "account">): number | undefined {
  const { todaysCeiling, dailyLimit } = account;
  if (todaysCeiling === undefined || todaysCeiling >= dailyLimit) return undefined;
  return Math.max(0, todaysCeiling - publishedToday - open.length);
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
