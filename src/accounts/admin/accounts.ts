import { z } from "zod";
import { lineOfText, problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, inOneChange, noteChange } from "../../workspaces/index.ts";
import type { PlanDeps } from "../plan/deps.ts";
import { intervalMs, type Mode, modes } from "../plan/modes.ts";
import { respaceWithin } from "../plan/respace.ts";
import { reactivate } from "../queue/reactivate.ts";
import { maskedPhone } from "../read/phone.ts";
import { foundOwn, type Who } from "./access.ts";
import { requireAccount } from "./require-account.ts";

const wallClock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, "A time of day such as 08:00")
  .describe("In the account's own zone");

export const accountChanges = z
  .strictObject({
    title: lineOfText({ min: 1, max: 200 }),
    mode: z
      .enum(modes)
      .describe("safe: 10 minutes between publications, normal 5, aggressive 2, fix its own, smart even"),
    fix_interval_minutes: z.int().min(1).max(1440).nullable().describe("Of the mode fix; null means 5"),
    daily_limit: z.int().min(0).max(10_000),
    timezone: z.string().min(1).max(100),
    window_from: wallClock,
    window_to: wallClock,
    is_active: z.boolean().describe("true is a reactivation, which heeds the wait that Telegram asked for"),
    owner: lineOfText({ min: 1, max: 200 }).describe("Hands the account to somebody else; admins only"),
  })
  .partial();
export type AccountChanges = z.output<typeof accountChanges>;

export const accountSchema = z.object({
  id: z.uuid(),
  owner: z.string(),
  title: z.string(),
  phone: z.string().nullable().describe("Its beginning and end; the whole is read with the scope `people`"),
  telegram_user_id: z.string().nullable(),
  mode: z.enum(modes),
  interval_minutes: z.number().nullable().describe("Between publications, before jitter; null in smart mode"),
  fix_interval_minutes: z.int().nullable(),
  daily_limit: z.int(),
  timezone: z.string(),
  window_from: z.string(),
  window_to: z.string(),
  is_active: z.boolean(),
  connected: z.boolean().describe("It was signed in"),
  today: z
    .object({
      published: z.int(),
      planned: z.int().describe("Still to come today"),
      remaining: z.int().describe("What the limit leaves for more"),
    })
    .describe("The day of the account's own zone"),
  waiting: z.int().describe("Tasks on any day that have not ended"),
  chats: z.int().describe("Chats that it can publish in"),
  next_task: z
    .object({ id: z.uuid(), object_id: z.uuid(), chat_id: z.uuid(), scheduled_time: z.string() })
    .nullable()
    .describe("Null while the account is off: its tasks get new times when it is on again"),
  last_used_at: z.date().nullable(),
  last_error: z.string().nullable(),
  stopped_code: z.string().nullable().describe("What switched it off"),
  flood_until: z.date().nullable(),
  created_at: z.date(),
});
export type Account = z.output<typeof accountSchema>;

/** The caller's own accounts; all of them for admins, who may ask for one owner's. */
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

/** What waits gets its times by the new mode, window, zone and limit at once. */
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

/** What the times of tasks depend on. */
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
  chats: z.int().describe("Its links with chats; the chats themselves stay while another account is in them"),
  objects: z.int().describe("Configurations that named it"),
});
export type DeletedAccount = z.output<typeof deletedAccount>;

/** With its session, its links, its queue, its history and its place in configurations. Telegram is not told: log out first. */
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
    const detail = "Only admins hand an account to somebody else.";
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

export function intervalMinutesOf(mode: Mode, fixIntervalMinutes: number | null): number | null {
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
