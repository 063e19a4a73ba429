import { actAs } from "../../../audit/index.ts";
import { problem } from "../../../http/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import { type AdminDeps, type By, differences, isEmpty } from "../../../workspaces/index.ts";
import { inOneChange, noteChannelChange, wakeDispatcher } from "../change.ts";
import type { Channel, ChannelChanges, NewChannel } from "./channel-shape.ts";
import { chosenChat, type MessengerDeps, requireFreeChat } from "./find-chat.ts";
import { lockChannel, readChannel } from "./read-channels.ts";

/** A new channel takes the next post; nothing has to be restarted. */
export async function addChannel(
  deps: AdminDeps | MessengerDeps,
  workspaceId: string,
  {
    platform,
    auth_ref,
    rate_group = auth_ref,
    target_id: typed,
    allow_duplicate = false,
    enabled = true,
    ...fields
  }: NewChannel,
  by: By,
): Promise<Channel> {
  const { sql, clock } = deps;
  const chat = await chosenChat(deps, workspaceId, { platform, target_id: typed, auth_ref });
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    if (!allow_duplicate) await requireFreeChat(tx, workspaceId, { ...chat, platform });
    const [made] = await tx<[{ channel_id: string }]>`
      insert into delivery.channels (
        workspace_id, channel_id, platform, target_id, target_name, title, allow_duplicate, auth_ref, rate_group,
        enabled, created_at, updated_at)
      values (${workspaceId}, molva.uuidv7(${now}), ${platform}, ${chat.target_id}, ${chat.target_name ?? null},
        ${chat.title ?? null}, ${allow_duplicate}, ${auth_ref}, ${rate_group},
        ${enabled}, ${now}, ${now})
      returning channel_id`;
    await setFields(tx, workspaceId, made.channel_id, fields, now);
    await actAs(tx, by);
    await tx`select delivery.keep_account_rate(${workspaceId}, ${platform}, ${rate_group}, ${by.operator}, ${now})`;
    const channel = await readChannel(tx, workspaceId, made.channel_id, now);
    const { target_id, title } = channel;
    const meta = {
      ...{ created: true, platform, target_id, title, auth_ref, rate_group },
      ...(!enabled && { enabled }),
    };
    await noteChannelChange(tx, made.channel_id, { workspaceId, now, by, meta });
    return channel;
  });
}

export async function changeChannel(
  deps: AdminDeps | MessengerDeps,
  workspaceId: string,
  channelId: string,
  { target_id: typed, ...changes }: ChannelChanges,
  by: By,
): Promise<Channel> {
  const { sql, clock } = deps;
  const now = clock.now();
  const known = await readChannel(sql, workspaceId, channelId, now);
  const wanted = typed === undefined ? undefined : { ...known, target_id: typed };
  const chat = wanted && (await chosenChat(deps, workspaceId, wanted));
  return inOneChange(sql, async (tx) => {
    const before = await lockChannel(tx, workspaceId, channelId, now);
    const moved = chat && !isItsChat(before, chat.target_id) ? chat : undefined;
    const mayShare = changes.allow_duplicate ?? before.allow_duplicate;
    if (moved && !mayShare)
      await requireFreeChat(tx, workspaceId, { ...moved, platform: before.platform }, channelId);
    const { target_id, target_name } = moved ?? {};
    await setFields(tx, workspaceId, channelId, { ...changes, target_id, target_name }, now);
    const after = await readChannel(tx, workspaceId, channelId, now);
    const changed = differences(before, after);
    if (isEmpty(changed)) return after;
    await noteChannelChange(tx, channelId, { workspaceId, now, by, meta: { changes: changed } });
    await wakeDispatcher(tx, workspaceId);
    return after;
  });
}

/** Whether this chat, given by id or name, is the channel's own. */
function isItsChat({ target_id, target_name }: Channel, target: string): boolean {
  return target_id.replace(/#\d+$/, "") === target || target_name === target;
}

/** Removes a channel with its deliveries. Refused while deliveries wait, unless forced, and always while one is being sent. */
export async function deleteChannel(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  channelId: string,
  by: By,
  { force = false, dryRun = false }: { force?: boolean; dryRun?: boolean } = {},
): Promise<void> {
  await inOneChange(
    sql,
    async (tx) => {
      await actAs(tx, by);
      const [row] = await tx<[{ outcome: keyof typeof deleteRefusals | "deleted"; live: number }]>`
        select * from delivery.delete_channel(${workspaceId}, ${channelId}, ${force}, ${by.operator},
          ${by.reason ?? null}, ${clock.now()})`;
      if (row.outcome !== "deleted") throw deleteRefusals[row.outcome](channelId, row.live);
    },
    { dryRun },
  );
}

const deleteRefusals = {
  not_found: (channelId: string) => problem("not_found", { detail: `There is no channel ${channelId}.` }),
  waiting: (_: string, live: number) =>
    problem("conflict", {
      detail: `${posts(live)} for the channel. Force calls off what waits and deletes the channel with its history.`,
    }),
  sending: () =>
    problem("conflict", {
      detail:
        "Something is being sent to the channel this moment. Pause it, and delete it when that has ended.",
    }),
};

const posts = (count: number) => (count === 1 ? "1 post waits" : `${count} posts wait`);

/** Writes the fields without an event; the database checks them. */
export async function setFields(
  tx: Transaction,
  workspaceId: string,
  channelId: string,
  fields: ChannelChanges & { readonly target_name?: string | undefined },
  now: Date,
): Promise<void> {
  if (fields.template_ref) await requireTemplate(tx, workspaceId, fields.template_ref);
  await tx`
    update delivery.channels c
    set (target_id, target_name, allow_duplicate, title, rate_group, send_mode, rate_rps, max_parallel, timezone, window_mode, posting_window,
         dedup_ttl_hours, unknown_policy, max_age_seconds, on_stale, catchup, silence_after_seconds,
         pause_on_permanent_seconds, disable_after_permanent_streak, template_ref, settings, tags, route_filter) = (
          select r.target_id, r.target_name, r.allow_duplicate, r.title, r.rate_group, r.send_mode, r.rate_rps, r.max_parallel, r.timezone, r.window_mode,
            r.posting_window, r.dedup_ttl_hours, r.unknown_policy, r.max_age_seconds, r.on_stale, r.catchup,
            r.silence_after_seconds, r.pause_on_permanent_seconds, r.disable_after_permanent_streak, r.template_ref, r.settings, r.tags, r.route_filter
          from jsonb_populate_record(c, ${JSON.stringify(fields)}::text::jsonb) r),
        updated_at = ${now}
    where c.workspace_id = ${workspaceId} and c.channel_id = ${channelId}`;
}

/** A template without an active version would make every post of the channel fail. */
async function requireTemplate(tx: Transaction, workspaceId: string, templateId: string): Promise<void> {
  const found = await tx`
    select from delivery.templates where workspace_id = ${workspaceId} and template_id = ${templateId} and active`;
  if (found.length > 0) return;
  const detail = `There is no template ${templateId} with an active version.`;
  throw problem("unprocessable", { detail, errors: [{ pointer: "/template_ref", detail }] });
}
