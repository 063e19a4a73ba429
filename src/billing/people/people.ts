import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";
import type { Hold, Movement, movementKinds, Person } from "./shape.ts";

export interface PeopleQuery extends PageQuery {
  /** Only people whose balance is negative. */
  readonly owing?: boolean | undefined;
}

/** People with their balances, the newest first. */
export async function peoplePage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, owing = false }: PeopleQuery,
): Promise<Page<Person>> {
  const from = placeAfter(after, z.tuple([z.string(), z.int()]));
  const rows = await sql<(Person & { at: string })[]>`
    select u.id as user_id, u.balance, ${held(sql)} as held, u.created_at, ${exactly(sql, "u.created_at")} as at
    from billing.users u
    where u.workspace_id = ${workspaceId}
      ${owing ? sql`and u.balance < 0` : sql``}
      ${from ? sql`and (u.created_at, u.id) < (${from[0]}::timestamptz, ${from[1]})` : sql``}
    order by u.created_at desc, u.id desc
    limit ${limit + 1}`;
  return without(pageOf(rows, limit, ({ at, user_id }) => [at, user_id]));
}

export async function readPerson(sql: Sql, workspaceId: string, userId: number): Promise<Person> {
  const [person] = await sql<Person[]>`
    select u.id as user_id, u.balance, ${held(sql)} as held, u.created_at
    from billing.users u where u.workspace_id = ${workspaceId} and u.id = ${userId}`;
  if (!person) throw noSuchPerson(userId);
  return person;
}

export const noSuchPerson = (userId: number) =>
  problem("not_found", { detail: `Nobody with the Telegram id ${userId} has an account here.` });

const kindOf: Record<(typeof movementKinds)[number], (sql: Sql) => ReturnType<Sql>> = {
  spent: (sql) => sql`and e.amount < 0`,
  bought: (sql) => sql`and e.operation_type = 'purchase'`,
  returned: (sql) => sql`and e.operation_type = 'refund'`,
};

export interface MovementQuery extends PageQuery {
  readonly kind?: (typeof movementKinds)[number] | undefined;
}

/** What a person spent and received, the newest first; without provider calls. Uses token_expenses_pkey. */
export async function movementPage(
  sql: Sql,
  workspaceId: string,
  userId: number,
  { limit = pageLimit.usual, after, kind }: MovementQuery,
): Promise<Page<Movement>> {
  await readPerson(sql, workspaceId, userId);
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<Movement[]>`
    select e.id, e.amount, e.operation_type, e.description, e.run, e.created_at
    from billing.token_expenses e
    where e.workspace_id = ${workspaceId} and e.user_id = ${userId} and e.call_id is null
      ${from === undefined ? sql`` : sql`and e.id < ${from}`}
      ${kind ? kindOf[kind](sql) : sql``}
    order by e.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export interface HoldQuery extends PageQuery {
  readonly state?: Hold["state"] | undefined;
  readonly run?: string | undefined;
  readonly user_id?: number | undefined;
}

/** Current and past holds, the newest first. Uses holds_by_time. */
export async function holdPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, state, run, user_id }: HoldQuery,
): Promise<Page<Hold>> {
  const from = placeAfter(after, z.tuple([z.string(), z.string(), z.string()]));
  const rows = await sql<(Hold & { at: string })[]>`
    select h.run, h.step, h.user_id, h.operation, h.charged, h.amount, h.state, h.reason, h.created_at, h.ended_at,
      ${exactly(sql, "h.created_at")} as at
    from billing.holds h
    where h.workspace_id = ${workspaceId}
      ${state ? sql`and h.state = ${state}` : sql``}
      ${run === undefined ? sql`` : sql`and h.run = ${run}`}
      ${user_id === undefined ? sql`` : sql`and h.user_id = ${user_id}`}
      ${from ? sql`and (h.created_at, h.run, h.step) < (${from[0]}::timestamptz, ${from[1]}, ${from[2]})` : sql``}
    order by h.created_at desc, h.run desc, h.step desc
    limit ${limit + 1}`;
  return without(pageOf(rows, limit, ({ at, run, step }) => [at, run, step]));
}

const held = (sql: Sql) => sql`coalesce((
  select sum(h.amount)::int from billing.holds h
  where h.workspace_id = u.workspace_id and h.user_id = u.id and h.state = 'held'), 0)`;

/** A time with microseconds: a JavaScript date keeps only milliseconds. */
const exactly = (sql: Sql, column: string) =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Removes the columns that only the cursor needs. */
function without<Row extends { at: string }>({ items, next }: Page<Row>): Page<Omit<Row, "at">> {
  return { items: items.map(({ at: _at, ...item }) => item), next };
}
