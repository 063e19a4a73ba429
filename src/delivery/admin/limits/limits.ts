import { z } from "zod";
import { problem } from "../../../http/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
  type Rehearsal,
} from "../../../workspaces/index.ts";
import { inOneChange, wakeDispatcher } from "../change.ts";
import type { Limit } from "./limit-shape.ts";

/** A limit is identified by its platform and its rate group. */
export interface LimitKey {
  readonly platform: string;
  readonly rate_group: string;
}

/** The limits of a workspace by platform and group. */
export async function limitPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Limit>> {
  const from = placeAfter(after, z.tuple([z.string(), z.string()]));
  const rows = await sql<Limit[]>`
    select ${columns(sql)} from delivery.platform_limits l
    where l.workspace_id = ${workspaceId}
      ${from ? sql`and (l.platform, l.rate_group) > (${from[0]}, ${from[1]})` : sql``}
    order by l.platform, l.rate_group
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ platform, rate_group }) => [platform, rate_group]);
}

export async function readLimit(
  sql: Sql | Transaction,
  workspaceId: string,
  { platform, rate_group }: LimitKey,
): Promise<Limit> {
  const [row] = await sql<Limit[]>`
    select ${columns(sql)} from delivery.platform_limits l
    where l.workspace_id = ${workspaceId} and l.platform = ${platform} and l.rate_group = ${rate_group}`;
  if (!row) throw problem("not_found", { detail: `There is no limit for ${platform}/${rate_group}.` });
  return row;
}

export async function setLimit(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { platform, rate_group }: LimitKey,
  rate: number | null,
  by: By,
): Promise<Limit> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const [before] = await tx<{ rate_rps: number | null }[]>`
      select rate_rps::float8 from delivery.platform_limits
      where workspace_id = ${workspaceId} and platform = ${platform} and rate_group = ${rate_group} for update`;
    await tx`
      insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps, updated_at)
      values (${workspaceId}, ${platform}, ${rate_group}, ${rate}, ${now})
      on conflict (workspace_id, platform, rate_group) do update
        set rate_rps = excluded.rate_rps, updated_at = excluded.updated_at`;
    const change = before
      ? { changes: { rate_rps: { from: before.rate_rps, to: rate } } }
      : { created: true };
    const meta = { object: "limit", platform, rate_group, rate_rps: rate, ...change };
    if (before?.rate_rps !== rate) await noteChange(tx, { workspaceId, now, by, meta });
    await wakeDispatcher(tx, workspaceId);
    return readLimit(tx, workspaceId, { platform, rate_group });
  });
}

/** Refused during a cooldown: without its row the group has no limit and would forget the cooldown. */
export async function deleteLimit(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { platform, rate_group }: LimitKey,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const now = clock.now();
  const work = async (tx: Transaction) => {
    const { cooldown_until } = await readLimit(tx, workspaceId, { platform, rate_group });
    if (cooldown_until && cooldown_until > now)
      throw problem("conflict", {
        detail: `The group cools down until ${cooldown_until.toISOString()}; set its rate to null instead.`,
      });
    await tx`
      delete from delivery.platform_limits
      where workspace_id = ${workspaceId} and platform = ${platform} and rate_group = ${rate_group}`;
    const meta = { object: "limit", platform, rate_group, deleted: true };
    await noteChange(tx, { workspaceId, now, by, meta });
    await wakeDispatcher(tx, workspaceId);
  };
  await inOneChange(sql, work, rehearsal);
}

function columns(sql: Sql | Transaction) {
  return sql`l.platform, l.rate_group, l.rate_rps::float8, l.next_allowed_at, l.cooldown_until, l.updated_at, (
      select count(*) from delivery.channels c
      where c.workspace_id = l.workspace_id and c.platform = l.platform and c.rate_group = l.rate_group)::int as channels`;
}
