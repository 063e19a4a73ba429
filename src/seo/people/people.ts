import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  inOneChange,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
} from "../../workspaces/index.ts";
import { notFound } from "../problems.ts";
import type { NotificationChanges, SeoUser } from "./shape.ts";
import type { Whose } from "./whose.ts";

/** What the messenger tells about somebody who writes. */
export interface Contact {
  readonly username?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly language?: string | undefined;
  /** Of the link they came by. It counts at the first contact only. */
  readonly referrerId?: number | undefined;
}

export interface PeopleDeps extends AdminDeps {
  /** The administrators' Telegram ids. */
  readonly admins: readonly number[];
}

export interface Met {
  readonly user: SeoUser;
  /** Whether this was the first contact, with the welcome bonus. */
  readonly isNew: boolean;
}

/** Finds somebody, or creates them with the welcome bonus. Safe to call at every message. */
export async function meet(
  { sql, clock, admins }: PeopleDeps,
  { workspaceId, userId }: Whose,
  { username, firstName, lastName, language, referrerId }: Contact = {},
): Promise<Met> {
  const name = (text: string | undefined) => text?.slice(0, 255) ?? null;
  const [met] = await sql<[{ is_new: boolean }]>`
    select seo.meet_user(${workspaceId}, ${userId}, ${name(username)}, ${name(firstName)}, ${name(lastName)},
      ${language?.slice(0, 10) ?? null}, ${referrerId ?? null}, ${admins.includes(userId)}, ${clock.now()}) as is_new`;
  return { user: await readUser(sql, { workspaceId, userId }), isNew: met.is_new };
}

export async function readUser(sql: Sql, { workspaceId, userId }: Whose): Promise<SeoUser> {
  const [user] = await sql<SeoUser[]>`
    ${users(sql)} where u.workspace_id = ${workspaceId} and u.id = ${userId}`;
  if (!user) throw notFound("person", userId);
  return user;
}

/** People, the newest first. */
export async function userPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery,
): Promise<Page<SeoUser>> {
  const from = placeAfter(after, z.tuple([z.string(), z.int()]));
  const rows = await sql<(SeoUser & { at: string })[]>`
    select t.*, to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from (${users(sql)} where u.workspace_id = ${workspaceId}) t
    ${from ? sql`where (t.created_at, t.id) < (${from[0]}::timestamptz, ${from[1]})` : sql``}
    order by t.created_at desc, t.id desc
    limit ${limit + 1}`;
  const page = pageOf(rows, limit, ({ at, id }) => [at, id]);
  return { items: page.items.map(({ at: _at, ...user }) => user), next: page.next };
}

/** Switches notifications on or off. */
export async function setNotifications(
  { sql, clock }: AdminDeps,
  whose: Whose,
  changes: NotificationChanges,
  by?: By,
): Promise<SeoUser> {
  const { workspaceId, userId } = whose;
  await inOneChange(sql, async (tx) => {
    await tx`
      update seo.users set
        notify_publications = coalesce(${changes.notify_publications ?? null}, notify_publications),
        notify_balance = coalesce(${changes.notify_balance ?? null}, notify_balance),
        notify_news = coalesce(${changes.notify_news ?? null}, notify_news)
      where workspace_id = ${workspaceId} and id = ${userId}`;
    const meta = { object: "seo_user", user_id: userId, changes };
    if (by) await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  });
  return readUser(sql, whose);
}

function users(sql: Sql) {
  return sql`
    select u.id, u.username, u.first_name, u.last_name, u.balance, u.language, u.role, u.referrer_id,
      u.notify_publications, u.notify_balance, u.notify_news, u.created_at, u.last_activity,
      (select count(*) from seo.users r where r.workspace_id = u.workspace_id and r.referrer_id = u.id)::int as referred
    from seo.users_with_balance u`;
}
