import { z } from "zod";
import { lineOfText, problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, inOneChange, noteChange } from "../../workspaces/index.ts";
import { intervalMs, type Mode, modes } from "../plan/modes.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { respaceWithin } from "../plan/respace.ts";
import { reactivate } from "../queue/reactivate.ts";
import { maskedPhone } from "../read/account-phone.ts";
import { foundOwn, requireAccount, type Who } from "./access.ts";

const wallClock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, "A time of day such as 08:00")
  .describe("In the account's time zone");

export const accountChanges = z
  .strictObject({
    title: lineOfText({ min: 1, max: 200 }),
    mode: z
      .enum(modes)
      .describe(
        "Minutes between publications: safe 10, normal 5, aggressive 2, fix: `fix_interval_minutes`, smart: spread evenly",
      ),
    fix_interval_minutes: z.int().min(1).max(1440).nullable().describe("For the mode fix; null means 5"),
    daily_limit: z.int().min(0).max(10_000),
    timezone: z.string().min(1).max(100),
    window_from: wallClock,
    window_to: wallClock,
    is_active: z.boolean().describe("true reactivates the account, unless Telegram asked it to wait"),
    owner: lineOfText({ min: 1, max: 200 }).describe("Transfers the account to another owner; admins only"),
  })
  .partial();
type AccountChanges = z.output<typeof accountChanges>;

export const accountSchema = z.object({
  id: z.uuid(),
  owner: z.string(),
  title: z.string(),
  phone: z.string().nullable().describe("Masked; the full number needs the scope `people`"),
  telegram_user_id: z.string().nullable(),
  mode: z.enum(modes),
  interval_minutes: z.number().nullable().describe("Between publications, before jitter; null in smart mode"),
  fix_interval_minutes: z.int().nullable(),
  daily_limit: z.int(),
  timezone: z.string(),
  window_from: z.string(),
  window_to: z.string(),
  is_active: z.boolean(),
  connected: z.boolean().describe("Whether it is signed in"),
  today: z
    .object({
      published: z.int(),
      planned: z.int().describe("Still to come today"),
      remaining: z.int().describe("How many more the limit allows"),
    })
    .describe("Today in the account's time zone"),
  waiting: z.int().describe("Unfinished tasks of any day"),
  chats: z.int().describe("Chats it can publish to"),
  next_task: z
    .object({ id: z.uuid(), object_id: z.uuid(), chat_id: z.uuid(), scheduled_time: z.string() })
    .nullable()
    .describe("Null while the account is off: its tasks are rescheduled when it is switched on"),
  last_used_at: z.date().nullable(),
  last_error: z.string().nullable(),
  stopped_code: z.string().nullable().describe("Why it was switched off"),
  flood_until: z.date().nullable(),
  created_at: z.date(),
});
export type Account = z.output<typeof accountSchema>;

/** The caller's own accounts; for admins all accounts, or those of one owner. */
export async function listAccounts(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  who: Who,
  { owner }: { owner?: string | undefined } = {},
): Promise<Account[]> {
  const whose = who.isAdmin ? owner : who.owner;
  const rows = await sql<AccountRow[]>`
    ${accounts(sql, clock.now())}
    where a.workspace_id = ${workspaceId} ${whose === undefined ? sql`` : sql`and a.owner = ${whose}`}
    order by a.created_at, a.id`;
  return rows.map(accountOf);
}

export async function readAccount(
  { sql, clock }: { sql: Sql | Transaction; clock: AdminDeps["clock"] },
  workspaceId: string,
  id: string,
  who: Who,
): Promise<Account> {
  const [row] = await sql<AccountRow[]>`
    ${accounts(sql, clock.now())} where a.workspace_id = ${workspaceId} and a.id = ${id}`;
  return accountOf(foundOwn(who, row, "account", id));
}

/** Pending tasks are rescheduled at once with the new mode, window, time zone and limit. */
export async function changeAccount(
  deps: PlanDeps,
  workspaceId: string,
  id: string,
  changes: AccountChanges,
  who: Who,
): Promise<Account> {
  const { sql, clock } = deps;
  const now = clock.now();
  const { is_active: isActive } = await requireAccount(sql, workspaceId, id, who);
  if (changes.is_active && !isActive) await reactivate(deps, workspaceId, id, who);
  return inOneChange(sql, async (tx) => {
    await tx`select from accounts.accounts where workspace_id = ${workspaceId} and id = ${id} for update`;
    const before = await readAccount({ sql: tx, clock }, workspaceId, id, who);
    refuseChanges(before, changes, who);
    const { is_active, ...fields } = changes;
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const off =
      is_active === false && before.is_active
        ? { is_active, stopped_code: "switched_off", stopped_at: now }
        : {};
    await tx`
      update accounts.accounts set ${tx({ ...given, ...off, updated_at: now })}
      where workspace_id = ${workspaceId} and id = ${id}`;
    await noteChange(tx, { workspaceId, now, by: who, meta: { object: "account", id, changes } });
    if (timing.some((field) => field in given && given[field] !== before[field]))
      await respaceWithin(tx, deps, { workspaceId, accountId: id });
    return readAccount({ sql: tx, clock }, workspaceId, id, who);
  });
}

/** Fields whose change reschedules tasks. */
const timing = [
  "mode",
  "fix_interval_minutes",
  "daily_limit",
  "timezone",
  "window_from",
  "window_to",
] as const;

export const deletedAccount = z.object({
  dry_run: z.boolean(),
  deleted: z.uuid(),
  tasks: z.int(),
  history: z.int(),
  chats: z.int().describe("Its links to chats; a chat itself stays while another account is in it"),
  objects: z.int().describe("Configurations that named it"),
});
type DeletedAccount = z.output<typeof deletedAccount>;

/** Deletes the account with its session, links, queue, history and place in configurations. The Telegram session is not ended: log out first. */
export async function deleteAccount(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  who: Who,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): Promise<DeletedAccount> {
  const now = clock.now();
  return inOneChange(
    sql,
    async (tx) => {
      const { title } = await requireAccount(tx, workspaceId, id, who);
      const [counts] = await tx<[Omit<DeletedAccount, "dry_run" | "deleted">]>`
        select * from accounts.delete_account(${workspaceId}, ${id}, ${now})`;
      await noteChange(tx, {
        workspaceId,
        now,
        by: who,
        meta: { object: "account", id, deleted: true, title, ...counts },
      });
      return { dry_run: dryRun, deleted: id, ...counts };
    },
    { dryRun },
  );
}

function refuseChanges(before: Account, changes: AccountChanges, who: Who): void {
  const { window_from = before.window_from, window_to = before.window_to } = changes;
  if (window_from >= window_to) {
    const detail = `The window must open before it closes; it would be ${window_from}–${window_to}.`;
    throw problem("unprocessable", { detail, errors: [{ pointer: "/window_to", detail }] });
  }
  if (changes.owner !== undefined && changes.owner !== before.owner && !who.isAdmin) {
    const detail = "Only admins can transfer an account to another owner.";
    throw problem("unprocessable", { detail, errors: [{ pointer: "/owner", detail }] });
  }
}

type AccountRow = Omit<Account, "interval_minutes">;

function accountOf(row: AccountRow): Account {
  return {
    ...row,
    phone: maskedPhone(row.phone),
    interval_minutes: intervalMinutesOf(row.mode, row.fix_interval_minutes),
  };
}

function intervalMinutesOf(mode: Mode, fixIntervalMinutes: number | null): number | null {
  const ms = intervalMs({ mode, fixIntervalMinutes });
  return ms === undefined ? null : ms / 60_000;
}

function accounts(sql: Sql | Transaction, now: Date) {
  return sql`
    select a.id, a.owner, a.title, a.phone, a.telegram_user_id::text, a.mode, a.fix_interval_minutes, a.daily_limit,
      a.timezone, left(a.window_from::text, 5) as window_from, left(a.window_to::text, 5) as window_to, a.is_active,
      a.connected_at is not null as connected, a.last_used_at, a.last_error, a.stopped_code, a.flood_until, a.created_at,
      jsonb_build_object('published', d.published, 'planned', d.planned,
        'remaining', greatest(0, a.daily_limit - d.published - d.planned)) as today,
      (select count(*)::int from accounts.queue q
       where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status in ('pending', 'processing', 'flood_wait')) as waiting,
      (select count(*)::int from accounts.account_chats l
       join accounts.chats c on c.workspace_id = l.workspace_id and c.id = l.chat_id
       where l.workspace_id = a.workspace_id and l.account_id = a.id and l.can_write and c.is_active and c.owner_type = 'user')
      + (select count(*)::int from accounts.chats c
         where c.workspace_id = a.workspace_id and c.owner_account_id = a.id and c.is_active and c.owner_type = 'user'
           and not exists (select from accounts.account_chats l
                           where l.workspace_id = a.workspace_id and l.account_id = a.id and l.chat_id = c.id)) as chats,
      (select jsonb_build_object('id', q.id, 'object_id', q.object_id, 'chat_id', q.chat_id, 'scheduled_time', q.scheduled_time)
       from accounts.queue q
       where a.is_active and q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending'
       order by q.scheduled_time, q.id limit 1) as next_task
    from accounts.accounts a
    cross join lateral (
      select date_trunc('day', ${now}::timestamptz at time zone a.timezone) as wall
    ) w
    cross join lateral (
      select (select count(*)::int from accounts.history h
              where h.workspace_id = a.workspace_id and h.account_id = a.id and not h.deleted
                and h.published_at >= w.wall at time zone a.timezone
                and h.published_at < (w.wall + interval '1 day') at time zone a.timezone) as published,
             (select count(*)::int from accounts.queue q
              where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status in ('pending', 'processing')
                and q.scheduled_time < (w.wall + interval '1 day') at time zone a.timezone) as planned
    ) d`;
}
