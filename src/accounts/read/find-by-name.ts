import type { Sql } from "../../kernel/db/index.ts";
import { maskedPhone } from "./account-phone.ts";

/** Finds things by id, the start of an id, or a name. An exact match wins. */
export interface Called {
  readonly id: string;
  readonly name: string;
}

const most = 20;

export async function accountsCalled(sql: Sql, workspaceId: string, typed: string): Promise<Called[]> {
  const found = await sql<(Found & { title: string; phone: string | null })[]>`
    select id, title, phone, ${typed} in (id::text, title, phone) as exact
    from accounts.accounts
    where workspace_id = ${workspaceId} and (title = ${typed} or phone = ${typed} or starts_with(id::text, lower(${typed})))
    order by created_at limit ${most}`;
  return exactFirst(
    found.map(({ id, title, phone, exact }) => ({
      id,
      exact,
      name: `${title} ${maskedPhone(phone) ?? ""}`.trim(),
    })),
  );
}

export async function objectsCalled(sql: Sql, workspaceId: string, typed: string): Promise<Called[]> {
  return exactFirst(
    await sql<Found[]>`
    select id, concat_ws(' ', title, external_ref) as name, ${typed} in (id::text, title, external_ref) as exact
    from accounts.objects
    where workspace_id = ${workspaceId}
      and (title = ${typed} or external_ref = ${typed} or starts_with(id::text, lower(${typed})))
    order by created_at desc limit ${most}`,
  );
}

export async function chatsCalled(sql: Sql, workspaceId: string, typed: string): Promise<Called[]> {
  return exactFirst(
    await sql<Found[]>`
    select id, concat_ws(' @', title, username) as name,
      ${typed} in (id::text, title, telegram_chat_id::text, concat('@', username)) as exact
    from accounts.chats
    where workspace_id = ${workspaceId} and (title = ${typed} or telegram_chat_id::text = ${typed}
      or concat('@', username) = ${typed} or starts_with(id::text, lower(${typed})))
    order by created_at limit ${most}`,
  );
}

export async function chatListsCalled(sql: Sql, workspaceId: string, typed: string): Promise<Called[]> {
  return exactFirst(
    await sql<Found[]>`
    select id, name, ${typed} in (id::text, name) as exact
    from accounts.chat_lists
    where workspace_id = ${workspaceId} and (name = ${typed} or starts_with(id::text, lower(${typed})))
    order by created_at limit ${most}`,
  );
}

export async function joinsCalled(sql: Sql, workspaceId: string, typed: string): Promise<Called[]> {
  return exactFirst(
    await sql<Found[]>`
    select t.id, concat_ws(' ', a.title, t.list_name, t.status) as name, ${typed} = t.id::text as exact
    from accounts.join_tasks t
    join accounts.accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id
    where t.workspace_id = ${workspaceId} and starts_with(t.id::text, lower(${typed}))
    order by t.created_at desc limit ${most}`,
  );
}

interface Found extends Called {
  readonly exact: boolean;
}

function exactFirst(found: readonly Found[]): Called[] {
  const exact = found.filter((one) => one.exact);
  return exact.length > 0 ? exact : [...found];
}
