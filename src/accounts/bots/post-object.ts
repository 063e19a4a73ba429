import { type EnqueueDeps, enqueuePost } from "../../delivery/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { AdminDeps } from "../../workspaces/index.ts";
import { readSettings, type Settings } from "../settings/workspace-settings.ts";
import { keepBotHistory } from "./bot-history.ts";
import { type BotTime, botRepeatMs, botTime } from "./bot-window.ts";
import { type ChatFilters, mismatch, routedFields } from "./chat-filters.ts";

/** Posts are deliveries, so this is the delivery engine's clock. */
export interface BotStreamDeps extends AdminDeps, EnqueueDeps {}

/** The tag that routes an object's post to one bot's chat only. */
export function chatTag(chatId: string): string {
  return `chat:${chatId}`;
}

interface BotPosted {
  readonly chats: number;
  readonly at: Date;
}

/**
 * Queues an object for every bot chat whose filters match, once a day. A second call on the same day adds only chats that are new
 * or whose 24 hours have passed.
 */
export async function postObject(
  deps: BotStreamDeps,
  workspaceId: string,
  objectId: string,
  { anyTime = false }: { anyTime?: boolean } = {},
): Promise<BotPosted> {
  const { sql, clock } = deps;
  const time = botTime(clock.now(), { anyTime });
  return sql.begin(async (tx) => {
    await lockPosts(tx, objectId);
    const object = await postable(tx, workspaceId, objectId);
    if (!object) return { chats: 0, at: time.at };
    await keepBotHistory(tx, workspaceId, { objectId, now: clock.now() });
    const settings = await readSettings(tx, workspaceId);
    const chats = await chatsFor(tx, workspaceId, object, settings, time);
    if (chats.length > 0) await enqueueObject(tx, deps, workspaceId, { object, chats, time });
    return { chats: chats.length, at: time.at };
  });
}

/** Serialises posting of one object, so that a second concurrent call finds nothing left to post. */
export async function lockPosts(tx: Transaction, objectId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('accounts.bot_posts ' || ${objectId}, 0))`;
}

interface PostableObject {
  readonly id: string;
  readonly external_ref: string | null;
  readonly fields: Record<string, unknown>;
  readonly texts: { readonly default?: string | undefined; readonly compact?: string | undefined };
  readonly photos: readonly { readonly url?: string | undefined; readonly blob_ref?: string | undefined }[];
  readonly photo_mode: "first" | "album";
  readonly format: "default" | "compact";
}

/** Hands one message for these chats to the delivery engine. */
export async function enqueueObject(
  tx: Transaction,
  deps: BotStreamDeps,
  workspaceId: string,
  post: { readonly object: PostableObject; readonly chats: readonly string[]; readonly time: BotTime },
): Promise<string> {
  const { object, chats, time } = post;
  const { message_id } = await enqueuePost(
    tx,
    workspaceId,
    "object",
    postOf(object, chats, time, deps),
    deps,
  );
  await tx`
    insert into accounts.bot_posts (workspace_id, object_id, chat_id, day, message_id, channel_id, created_at)
    select ${workspaceId}, ${object.id}, c.id, ${time.day}::date, ${message_id}, c.channel_id, ${deps.clock.now()}
    from accounts.chats c where c.workspace_id = ${workspaceId} and c.id = any (${[...chats]})`;
  return message_id;
}

async function postable(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<PostableObject | undefined> {
  const [object] = await tx<PostableObject[]>`
    select o.id, o.external_ref, o.fields, o.texts, o.photos, o.photo_mode, p.format
    from accounts.objects o
    join accounts.autopublish p on p.workspace_id = o.workspace_id and p.object_id = o.id
    where o.workspace_id = ${workspaceId} and o.id = ${id} and o.archived_at is null and p.enabled and p.bot_enabled`;
  return object && textOf(object) ? object : undefined;
}

export function textOf({ texts, format }: Pick<PostableObject, "texts" | "format">): string | undefined {
  return (format === "compact" ? texts.compact : undefined) ?? texts.default;
}

export interface BotChat {
  readonly id: string;
  readonly title: string;
  readonly filters: ChatFilters;
  /** It had the object within the last 24 hours, or is about to get it. */
  readonly repeat: boolean;
}

export async function botChats(
  tx: Transaction,
  workspaceId: string,
  objectId: string,
  at: Date,
): Promise<BotChat[]> {
  const since = new Date(at.getTime() - botRepeatMs);
  return tx<BotChat[]>`
    select c.id, c.title, c.filters, exists (
        select from accounts.history h
        where h.workspace_id = c.workspace_id and h.object_id = ${objectId} and h.chat_id = c.id and h.account_id is null
          and h.published_at > ${since} and not h.deleted
      ) or exists (
        select from accounts.bot_posts b
        join delivery.deliveries d on d.workspace_id = b.workspace_id and d.message_id = b.message_id and d.channel_id = b.channel_id
        where b.workspace_id = c.workspace_id and b.object_id = ${objectId} and b.chat_id = c.id
          and d.status in ('queued', 'claimed', 'sending', 'retry')
      ) as repeat
    from accounts.chats c
    join delivery.channels n on n.workspace_id = c.workspace_id and n.channel_id = c.channel_id and n.enabled
    where c.workspace_id = ${workspaceId} and c.owner_type = 'bot' and c.is_active
    order by c.id`;
}

/** Chats that accept the object and have not had it today, nor within 24 hours unless repeats are allowed. */
async function chatsFor(
  tx: Transaction,
  workspaceId: string,
  object: PostableObject,
  { districts, allow_duplicates }: Settings,
  { at, day }: BotTime,
): Promise<string[]> {
  const fields = routedFields.safeParse(object.fields).data ?? {};
  const today = await tx<{ chat_id: string }[]>`
    select chat_id from accounts.bot_posts
    where workspace_id = ${workspaceId} and object_id = ${object.id} and day = ${day}::date`;
  const had = new Set(today.map(({ chat_id }) => chat_id));
  return (await botChats(tx, workspaceId, object.id, at))
    .filter(({ id, repeat }) => !had.has(id) && (!repeat || allow_duplicates.autopublish_bot))
    .filter(({ filters }) => mismatch(filters, fields, districts) === undefined)
    .map(({ id }) => id);
}

/** `object` makes one day's post different from another's, and gives templates the object's data. */
function postOf(
  object: PostableObject,
  chats: readonly string[],
  { at, day }: BotTime,
  { clock }: BotStreamDeps,
) {
  const photos = object.photos.slice(0, object.photo_mode === "album" ? 10 : 1);
  return {
    payload: {
      text: textOf(object) ?? "",
      parse_mode: "HTML" as const,
      ...(photos.length > 0 && { media: photos.map((photo) => ({ type: "photo" as const, ...photo })) }),
      object: { id: object.id, ref: object.external_ref, day, post: uuidv7(clock), fields: object.fields },
    },
    tags: chats.map(chatTag),
    tagged_only: true,
    source: { object_id: object.id },
    ...(at > clock.now() && { scheduled_for: at.toISOString() }),
  };
}

/** Cancels bot posts that have not been sent yet. */
export async function cancelBotPosts(
  { sql, clock }: { sql: Sql | Transaction; clock: AdminDeps["clock"] },
  workspaceId: string,
  objectId: string,
  operator: string,
): Promise<number> {
  const rows = await sql`
    select c.delivery_id
    from (
      select array_agg(d.delivery_id) as ids
      from accounts.bot_posts b
      join delivery.deliveries d on d.workspace_id = b.workspace_id and d.message_id = b.message_id and d.channel_id = b.channel_id
      where b.workspace_id = ${workspaceId} and b.object_id = ${objectId} and d.status in ('queued', 'retry')
    ) waiting
    cross join lateral delivery.cancel(${workspaceId}, waiting.ids, ${operator}, 'the object is no longer published', ${clock.now()}) c
    where waiting.ids is not null and c.refusal is null`;
  return rows.length;
}
