import { problem } from "../../../http/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import { idAfter, type Page, type PageQuery, pageLimit, pageOf } from "../../../workspaces/index.ts";
import type { Channel } from "./channel-shape.ts";

export interface ChannelQuery extends PageQuery {
  readonly platform?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly paused?: boolean | undefined;
  /** Only connections of products' users, or only routed channels. */
  readonly addressed?: boolean | undefined;
  /** Only connections in this state. */
  readonly connection?: "active" | "error" | undefined;
  readonly rate_group?: string | undefined;
  readonly tag?: string | undefined;
  /** A part of the title or of the target. */
  readonly text?: string | undefined;
}

/** Channels in the order in which they were created. */
export async function channelPage(
  sql: Sql,
  workspaceId: string,
  query: ChannelQuery,
  now: Date,
): Promise<Page<Channel>> {
  const {
    platform,
    enabled,
    paused,
    addressed,
    connection,
    rate_group,
    tag,
    text,
    limit = pageLimit.usual,
    after,
  } = query;
  const from = idAfter(after);
  const rows = await sql<Channel[]>`
    ${channels(sql, now)}
    where c.workspace_id = ${workspaceId}
      ${platform ? sql`and c.platform = ${platform}` : sql``}
      ${enabled === undefined ? sql`` : sql`and c.enabled = ${enabled}`}
      ${paused === undefined ? sql`` : sql`and (coalesce(c.paused_until, '-infinity') > ${now}) = ${paused}`}
      ${addressed === undefined ? sql`` : sql`and c.addressed_only = ${addressed}`}
      ${connection ? sql`and c.addressed_only and c.connection_state = ${connection}` : sql``}
      ${rate_group ? sql`and c.rate_group = ${rate_group}` : sql``}
      ${tag ? sql`and c.tags @> array[delivery.tag_of(${tag})]` : sql``}
      ${text ? sql`and ${contains(sql, text)}` : sql``}
      ${from ? sql`and c.channel_id > ${from}` : sql``}
    order by c.channel_id
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ channel_id }) => [channel_id]);
}

/** A channel of this workspace; the id of another workspace's channel is not found. */
export async function readChannel(
  sql: Sql | Transaction,
  workspaceId: string,
  channelId: string,
  now: Date,
): Promise<Channel> {
  const [row] = await sql<Channel[]>`
    ${channels(sql, now)} where c.workspace_id = ${workspaceId} and c.channel_id = ${channelId}`;
  if (!row) throw problem("not_found", { detail: `There is no channel ${channelId}.` });
  return row;
}

/** The same, locked as the dispatcher locks it, so that what was read stays true until the change is made. */
export async function lockChannel(
  tx: Transaction,
  workspaceId: string,
  channelId: string,
  now: Date,
): Promise<Channel> {
  await tx`select from delivery.channels
    where workspace_id = ${workspaceId} and channel_id = ${channelId} for update`;
  return readChannel(tx, workspaceId, channelId, now);
}

/** Every channel of a rate group, locked in the dispatcher's order. */
export async function lockGroup(
  tx: Transaction,
  workspaceId: string,
  rateGroup: string,
  now: Date,
): Promise<Channel[]> {
  await tx`select from delivery.channels
    where workspace_id = ${workspaceId} and rate_group = ${rateGroup} order by channel_id for update`;
  const found = await tx<Channel[]>`
    ${channels(tx, now)} where c.workspace_id = ${workspaceId} and c.rate_group = ${rateGroup}
    order by c.channel_id`;
  if (found.length === 0)
    throw problem("not_found", { detail: `No channel belongs to the rate group ${rateGroup}.` });
  return found;
}

/** Finds channels by anything a person may type: the id, the beginning of it, the target, the title, `platform/title`. */
export async function channelsCalled(
  sql: Sql,
  workspaceId: string,
  name: string,
  now: Date,
): Promise<Channel[]> {
  const rows = await sql<Channel[]>`
    ${channels(sql, now)}
    where c.workspace_id = ${workspaceId}
      and (c.target_id = ${name} or c.title = ${name} or lower(${name}) = c.target_name
        or c.target_id = (delivery.read_target(c.platform, ${name})).target
        or c.target_name = (delivery.read_target(c.platform, ${name})).target or starts_with(c.channel_id::text, lower(${name}))
        or concat(c.platform, '/', c.title) = ${name})
    order by ${name} in (c.channel_id::text, c.target_id, c.title) desc, c.channel_id
    limit 20`;
  const exact = rows.filter(({ channel_id, platform, target_id, title }) =>
    [channel_id, target_id, title, `${platform}/${title}`].includes(name),
  );
  return exact.length > 0 ? exact : rows;
}

/** Ignores case in any alphabet: the database's own collation may know only Latin letters. */
function contains(sql: Sql, text: string) {
  return sql`strpos(
    lower(concat_ws(' ', c.title, c.target_id, c.target_name) collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0`;
}

function channels(sql: Sql | Transaction, now: Date) {
  return sql`
    select c.channel_id, c.platform, c.target_id, c.target_name, c.allow_duplicate, c.title,
      case when not c.enabled then 'disabled' when c.paused_until > ${now} then 'paused' else 'active' end as state,
      c.enabled, c.paused_until, c.error_streak,
      case when c.addressed_only then jsonb_build_object(
        'product', c.owner_product, 'user', c.owner_user, 'key', c.connection_key) end as owner,
      case when c.addressed_only then jsonb_build_object(
        'state', c.connection_state, 'error', c.connection_error) end as connection,
      coalesce(a.auth_ref, c.auth_ref) as auth_ref,
      exists (
        select from workspaces.credential_bindings b
        where b.workspace_id = c.workspace_id and b.platform = c.platform
          and b.auth_ref = coalesce(a.auth_ref, c.auth_ref)) as has_credential,
      c.rate_group, c.send_mode, c.rate_rps::float8, c.max_parallel, c.next_allowed_at, c.timezone, c.window_mode,
      c.posting_window, c.dedup_ttl_hours, c.unknown_policy, c.max_age_seconds, c.on_stale, c.catchup,
      c.silence_after_seconds, c.pause_on_permanent_seconds, c.disable_after_permanent_streak, c.template_ref, c.settings, c.tags, c.route_filter, c.created_at, c.updated_at
    from delivery.channels c
    left join delivery.channel_auth a using (workspace_id, channel_id)`;
}
