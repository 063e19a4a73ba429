import { z } from "zod";
import { changeChannel, readChannel } from "../../delivery/index.ts";
import { lineOfText, problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  idAfter,
  inOneChange,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  type Rehearsal,
} from "../../workspaces/index.ts";
import { found, requireAccount, type Who } from "../admin/access.ts";
import { accountsProblem } from "../admin/problems.ts";
import { chatFilters } from "../bots/chat-filters.ts";
import { chatTag } from "../bots/post-object.ts";

export const chatTypes = ["group", "supergroup", "channel"] as const;

export const chatSchema = z.object({
  id: z.uuid(),
  telegram_chat_id: z.string().nullable().describe("null: no account has joined it yet"),
  title: z.string(),
  username: z.string().nullable(),
  type: z.enum(chatTypes).nullable(),
  owner_type: z.enum(["bot", "user"]).describe("Whether a bot or accounts publish there"),
  channel_id: z.uuid().nullable().describe("For a bot chat: the channel its posts go through"),
  is_active: z.boolean(),
  members: z.int().nullable(),
  published_count: z.int(),
  last_published_at: z.date().nullable(),
  filters: z.record(z.string(), z.unknown()),
  accounts: z.array(
    z.object({
      account_id: z.uuid(),
      title: z.string(),
      can_write: z.boolean(),
      slow_mode_seconds: z.int().nullable(),
      slow_mode_until: z.string().nullable(),
      last_error: z.string().nullable(),
    }),
  ),
  cached_at: z.date().nullable().describe("When Telegram was last asked about it"),
});
export type Chat = z.output<typeof chatSchema>;

export const newBotChat = z.strictObject({
  channel_id: z.uuid().describe("The channel a bot posts to"),
  filters: chatFilters.default({}),
});
type NewBotChat = z.output<typeof newBotChat>;

export const chatChanges = z
  .strictObject({
    is_active: z.boolean(),
    title: lineOfText({ min: 1, max: 200 }),
    filters: chatFilters.describe("Replaces the filters; only for bot chats"),
  })
  .partial();
type ChatChanges = z.output<typeof chatChanges>;

interface ChatQuery extends PageQuery {
  readonly account_id?: string | undefined;
  readonly owner_type?: string | undefined;
  readonly type?: string | undefined;
  readonly active?: boolean | undefined;
  readonly text?: string | undefined;
}

/** Chats of the caller's accounts and of bots, oldest first, without placeholders. */
export async function chatPage(
  sql: Sql,
  workspaceId: string,
  who: Who,
  { account_id, owner_type, type, active, text, limit = pageLimit.usual, after }: ChatQuery,
): Promise<Page<Chat>> {
  const from = idAfter(after);
  const rows = await sql<Chat[]>`
    ${chats(sql, who)}
    where c.workspace_id = ${workspaceId} and (c.telegram_chat_id is not null or c.channel_id is not null)
      and (${who.isAdmin} or c.owner_type = 'bot' or a.accounts <> '[]')
      ${account_id ? sql`and a.accounts @> ${JSON.stringify([{ account_id }])}::text::jsonb` : sql``}
      ${owner_type ? sql`and c.owner_type = ${owner_type}` : sql``}
      ${type ? sql`and c.type = ${type}` : sql``}
      ${active === undefined ? sql`` : sql`and c.is_active = ${active}`}
      ${text ? sql`and strpos(lower(concat_ws(' ', c.title, c.username) collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0` : sql``}
      ${from ? sql`and c.id > ${from}` : sql``}
    order by c.id limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readChat(
  sql: Sql | Transaction,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<Chat> {
  const [row] = await sql<Chat[]>`${chats(sql, who)} where c.workspace_id = ${workspaceId} and c.id = ${id}`;
  return found(row, "chat", id);
}

/** Reads a chat of a bot or of one of the caller's accounts. */
export async function showChat(sql: Sql, workspaceId: string, id: string, who: Who): Promise<Chat> {
  const chat = await readChat(sql, workspaceId, id, who);
  if (!who.isAdmin && chat.owner_type === "user" && chat.accounts.length === 0)
    throw accountsProblem("not_yours", { detail: "None of your accounts is in this chat." });
  return chat;
}

/** Adds a chat to which a bot publishes the objects its filters accept, as posts of the channel. */
export async function addBotChat(
  deps: AdminDeps,
  workspaceId: string,
  { channel_id, filters }: NewBotChat,
  who: Who,
): Promise<Chat> {
  const { sql, clock } = deps;
  const now = clock.now();
  const channel = await readChannel(sql, workspaceId, channel_id, now);
  const asked = new Map(Object.entries(channel.route_filter ?? {}));
  if (!asked.has("include_any") && !asked.has("include_all"))
    throw problem("unprocessable", {
      detail:
        "The channel takes every post. First limit it to posts with certain tags, as in " +
        'route_filter={"include_any": ["objects"]}; the objects of this chat are then added to those.',
      errors: [{ pointer: "/channel_id", detail: "The channel has no route filter" }],
    });
  const chat = await inOneChange(sql, async (tx) => {
    const known = await tx`
      select from accounts.chats where workspace_id = ${workspaceId} and channel_id = ${channel_id}`;
    if (known.length > 0)
      throw problem("conflict", {
        detail: "The channel already has a bot chat; change that chat's filters.",
      });
    const telegramId = await freeTelegramId(tx, workspaceId, channel.target_id);
    const [made] = await tx<{ id: string }[]>`
      insert into accounts.chats (
        workspace_id, id, telegram_chat_id, title, type, owner_type, channel_id, filters, created_at, updated_at)
      values (${workspaceId}, molva.uuidv7(${now}), ${telegramId}, ${channel.title ?? channel.target_id}, 'channel', 'bot',
        ${channel_id}, ${JSON.stringify(filters)}::text::jsonb, ${now}, ${now})
      returning id`;
    if (!made) throw new Error("no chat was made");
    const meta = { object: "account_chat", id: made.id, created: true, channel_id, filters };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return readChat(tx, workspaceId, made.id, who);
  });
  const include_any = [...tagsOf(asked.get("include_any")), chatTag(chat.id)];
  await changeChannel(
    deps,
    workspaceId,
    channel_id,
    { route_filter: { ...channel.route_filter, include_any } },
    who,
  );
  return chat;
}

export async function changeChat(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  changes: ChatChanges,
  who: Who,
): Promise<Chat> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = await touchable(tx, workspaceId, id, who);
    const { is_active = before.is_active, title = before.title, filters = before.filters } = changes;
    if (changes.filters && before.owner_type !== "bot")
      throw problem("unprocessable", {
        detail: "Only bot chats have filters; what accounts publish is set in each object's configuration.",
        errors: [{ pointer: "/filters", detail: "Not a bot chat" }],
      });
    await tx`
      update accounts.chats
      set is_active = ${is_active}, title = ${title}, filters = ${JSON.stringify(filters)}::text::jsonb, updated_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`;
    const meta = { object: "account_chat", id, changes };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return readChat(tx, workspaceId, id, who);
  });
}

/** Lets an account that is in a known chat publish there. Telegram is not asked. */
export async function linkChat(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  accountId: string,
  chatId: string,
  who: Who,
): Promise<Chat> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await requireAccount(tx, workspaceId, accountId, who);
    const chat = await readChat(tx, workspaceId, chatId, who);
    if (chat.owner_type !== "user")
      throw problem("unprocessable", { detail: "A bot publishes to this chat, so accounts cannot." });
    await tx`
      insert into accounts.account_chats (workspace_id, account_id, chat_id, created_at, updated_at)
      values (${workspaceId}, ${accountId}, ${chatId}, ${now}, ${now})
      on conflict (workspace_id, account_id, chat_id) do update
        set can_write = true, stopped_code = null, last_error = null, updated_at = ${now}`;
    const meta = { object: "account_chat", id: chatId, linked: true, account_id: accountId };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return readChat(tx, workspaceId, chatId, who);
  });
}

/** The account stays a member in Telegram but no longer publishes there. */
export async function unlinkChat(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  accountId: string,
  chatId: string,
  who: Who,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const now = clock.now();
  const unlink = async (tx: Transaction) => {
    await requireAccount(tx, workspaceId, accountId, who);
    await readChat(tx, workspaceId, chatId, who);
    const gone = await tx`
      delete from accounts.account_chats
      where workspace_id = ${workspaceId} and account_id = ${accountId} and chat_id = ${chatId}`;
    const older = await tx`
      update accounts.chats set owner_account_id = null, updated_at = ${now}
      where workspace_id = ${workspaceId} and id = ${chatId} and owner_account_id = ${accountId}`;
    if (gone.count + older.count === 0)
      throw problem("not_found", { detail: "The chat is not linked to this account." });
    const meta = { object: "account_chat", id: chatId, unlinked: true, account_id: accountId };
    await noteChange(tx, { workspaceId, now, by: who, meta });
  };
  await inOneChange(sql, unlink, rehearsal);
}

/** Bot chats may be changed by admins only, others by anybody with an account in them. */
async function touchable(tx: Transaction, workspaceId: string, id: string, who: Who): Promise<Chat> {
  await tx`select from accounts.chats where workspace_id = ${workspaceId} and id = ${id} for update`;
  const chat = await readChat(tx, workspaceId, id, who);
  if (!who.isAdmin && (chat.owner_type === "bot" || chat.accounts.length === 0))
    throw accountsProblem("not_yours", { detail: "None of your accounts is in this chat." });
  return chat;
}

/** The chat's Telegram id, or null if the accounts' chat list already has it. */
async function freeTelegramId(tx: Transaction, workspaceId: string, target: string): Promise<string | null> {
  if (!/^-?\d{1,18}$/.test(target)) return null;
  const taken = await tx`
    select from accounts.chats where workspace_id = ${workspaceId} and telegram_chat_id = ${target}`;
  return taken.length > 0 ? null : target;
}

function tagsOf(value: unknown): string[] {
  return z.array(z.string()).catch([]).parse(value);
}

function chats(sql: Sql | Transaction, who: Who) {
  return sql`
    select c.id, c.telegram_chat_id::text, c.title, c.username, c.type, c.owner_type, c.channel_id, c.is_active, c.members,
      c.published_count::int, c.last_published_at, c.filters, c.cached_at, a.accounts
    from accounts.chats c
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('account_id', x.id, 'title', x.title,
          'can_write', coalesce(l.can_write, true), 'slow_mode_seconds', l.slow_mode_seconds,
          'slow_mode_until', l.slow_mode_until, 'last_error', l.last_error) order by x.id), '[]') as accounts
      from accounts.accounts x
      left join accounts.account_chats l on l.workspace_id = x.workspace_id and l.account_id = x.id and l.chat_id = c.id
      where x.workspace_id = c.workspace_id and (${who.isAdmin} or x.owner = ${who.owner})
        and (l.chat_id is not null or x.id = c.owner_account_id)
    ) a`;
}
