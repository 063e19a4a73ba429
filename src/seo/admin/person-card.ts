/** What an administrator sees of one person. */
import type { Sql } from "../../kernel/db/index.ts";

export interface PersonCard {
  readonly id: number;
  readonly username: string | null;
  readonly name: string | null;
  readonly balance: number;
  readonly created_at: Date;
  readonly last_activity: Date;
  readonly blocked_at: Date | null;
  readonly projects: number;
  readonly publications: number;
  readonly paid_rub: number;
  readonly referred: number;
}

/** By the Telegram id, or by `@username` in whatever case. Of two people who had a name, whoever was here last. */
export async function findPerson(sql: Sql, workspaceId: string, wanted: string): Promise<number | undefined> {
  const text = wanted.trim().replace(/^https:\/\/t\.me\//, "@");
  const isId = /^[1-9]\d{0,15}$/.test(text);
  const name = /^@?([A-Za-z]\w{2,31})$/.exec(text)?.[1];
  if (!isId && name === undefined) return undefined;
  const [row] = await sql<{ id: number }[]>`
    select id from seo.users where workspace_id = ${workspaceId}
      and ${isId ? sql`id = ${Number(text)}` : sql`lower(username) = ${(name ?? "").toLowerCase()}`}
    order by last_activity desc limit 1`;
  return row?.id;
}

export async function readPersonCard(
  sql: Sql,
  { workspaceId, userId, product }: { workspaceId: string; userId: number; product: string },
): Promise<PersonCard | undefined> {
  const [card] = await sql<PersonCard[]>`
    select u.id, u.username, nullif(concat_ws(' ', u.first_name, u.last_name), '') as name, u.balance, u.created_at, u.last_activity,
      (select p.blocked_at from seo.users p where p.workspace_id = u.workspace_id and p.id = u.id) as blocked_at,
      (select count(*) from seo.projects p where p.workspace_id = u.workspace_id and p.user_id = u.id)::int as projects,
      (select count(*) from seo.publication_logs l
       where l.workspace_id = u.workspace_id and l.user_id = u.id and l.status = 'success')::int as publications,
      (select coalesce(sum(p.amount_rub), 0) from billing.payments p
       where p.workspace_id = u.workspace_id and p.user_id = u.id and p.product = ${product} and p.status = 'completed')::float8 as paid_rub,
      (select count(*) from seo.users r where r.workspace_id = u.workspace_id and r.referrer_id = u.id)::int as referred
    from seo.users_with_balance u where u.workspace_id = ${workspaceId} and u.id = ${userId}`;
  return card;
}
