import { z } from "zod";
import { lineOfText, problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, inOneChange, noteChange } from "../../workspaces/index.ts";
import { found, requireOwn, type Who } from "../admin/access.ts";
import { type IgnoredLine, keyOf, readLinks } from "./chat-links.ts";

const most = { links: 1000, characters: 200_000 } as const;

const fields = {
  name: lineOfText({ min: 1, max: 200 }),
  purpose: z.enum(["subscription", "autopublish"]),
  is_public: z.boolean().describe("Everybody may use it; only its owner may change it"),
  links: z
    .string()
    .max(most.characters)
    .describe("`t.me` links, one per line; other lines are ignored and listed in the answer"),
};

export const newChatList = z.strictObject({
  name: fields.name,
  links: fields.links,
  purpose: fields.purpose.default("subscription"),
  is_public: fields.is_public.default(false),
});
type NewChatList = z.input<typeof newChatList>;

export const chatListChanges = z.strictObject(fields).partial();
type ChatListChanges = z.output<typeof chatListChanges>;

export const chatListSummary = z.object({
  id: z.uuid(),
  owner: z.string(),
  name: z.string(),
  purpose: fields.purpose,
  is_public: z.boolean(),
  chats: z.int().describe("How many links it has"),
  known: z.int().describe("How many of them an account has joined"),
  created_at: z.date(),
  updated_at: z.date(),
});
export type ChatListSummary = z.output<typeof chatListSummary>;

export const chatList = chatListSummary.extend({
  links: z.array(
    z.object({
      place: z.int(),
      link: z.string(),
      chat_id: z.uuid().describe("A placeholder until an account joins it"),
      title: z.string().nullable().describe("null: no account has joined it yet"),
    }),
  ),
});
export type ChatList = z.output<typeof chatList>;

export const savedChatList = chatList.extend({
  ignored: z
    .array(z.object({ line: z.int(), text: z.string() }))
    .describe("Lines that are not links to a chat"),
});
type SavedChatList = z.output<typeof savedChatList>;

/** The caller's own lists and public ones. */
export async function listChatLists(sql: Sql, workspaceId: string, who: Who): Promise<ChatListSummary[]> {
  return sql<ChatListSummary[]>`
    ${summaries(sql)}
    where l.workspace_id = ${workspaceId} and (${who.isAdmin} or l.is_public or l.owner = ${who.owner})
    order by l.name, l.id`;
}

/** Reads a list that the caller may use. */
export async function readChatList(
  sql: Sql | Transaction,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<ChatList> {
  const [row] = await sql<ChatListSummary[]>`
    ${summaries(sql)} where l.workspace_id = ${workspaceId} and l.id = ${id}`;
  const list = found(row, "list", id);
  if (!list.is_public) requireOwn(who, list, "list");
  const links = await sql<ChatList["links"]>`
    select i.place, k.link, k.chat_id, case when c.telegram_chat_id is not null then c.title end as title
    from accounts.chat_list_links i
    join accounts.chat_links k on k.workspace_id = i.workspace_id and k.key = i.key
    join accounts.chats c on c.workspace_id = k.workspace_id and c.id = k.chat_id
    where i.workspace_id = ${workspaceId} and i.list_id = ${id} order by i.place`;
  return { ...list, links: [...links] };
}

export async function addChatList(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  given: NewChatList,
  who: Who,
): Promise<SavedChatList> {
  const { name, links, purpose, is_public } = newChatList.parse(given);
  const read = linksIn(links);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await refuseSameName(tx, workspaceId, who.owner, name);
    const [made] = await tx<{ id: string }[]>`
      insert into accounts.chat_lists (workspace_id, owner, name, purpose, is_public, created_at, updated_at)
      values (${workspaceId}, ${who.owner}, ${name}, ${purpose}, ${is_public}, ${now}, ${now}) returning id`;
    if (!made) throw new Error("no list was made");
    await setLinks(tx, workspaceId, made.id, read.links, now);
    const meta = { object: "chat_list", id: made.id, created: true, name, chats: read.links.length };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return saved(tx, workspaceId, made.id, who, read.ignored);
  });
}

/** Running tasks keep the links they started with. */
export async function changeChatList(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  { links, ...changes }: ChatListChanges,
  who: Who,
): Promise<SavedChatList> {
  const read = links === undefined ? undefined : linksIn(links);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = await readChatList(tx, workspaceId, id, who);
    requireOwn(who, before, "list");
    const { name = before.name, purpose = before.purpose, is_public = before.is_public } = changes;
    if (name !== before.name) await refuseSameName(tx, workspaceId, before.owner, name);
    await tx`
      update accounts.chat_lists
      set name = ${name}, purpose = ${purpose}, is_public = ${is_public}, updated_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`;
    if (read) await setLinks(tx, workspaceId, id, read.links, now);
    const meta = {
      object: "chat_list",
      id,
      changes: { ...changes, ...(read && { chats: read.links.length }) },
    };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return saved(tx, workspaceId, id, who, read?.ignored ?? []);
  });
}

export async function removeChatList(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  who: Who,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): Promise<void> {
  await inOneChange(
    sql,
    async (tx) => {
      const list = await readChatList(tx, workspaceId, id, who);
      requireOwn(who, list, "list");
      await tx`delete from accounts.chat_lists where workspace_id = ${workspaceId} and id = ${id}`;
      await tx`select accounts.forget_placeholders(${workspaceId})`;
      const meta = { object: "chat_list", id, deleted: true, name: list.name };
      await noteChange(tx, { workspaceId, now: clock.now(), by: who, meta });
    },
    { dryRun },
  );
}

function linksIn(text: string) {
  const read = readLinks(text);
  const refuse = (detail: string) =>
    problem("unprocessable", { detail, errors: [{ pointer: "/links", detail }] });
  if (read.links.length === 0) throw refuse("No t.me link to a chat was found.");
  if (read.links.length > most.links)
    throw refuse(`A list holds ${most.links} links at most; this one has ${read.links.length}.`);
  return read;
}

async function refuseSameName(
  tx: Transaction,
  workspaceId: string,
  owner: string,
  name: string,
): Promise<void> {
  const same = await tx`
    select from accounts.chat_lists where workspace_id = ${workspaceId} and owner = ${owner} and name = ${name}`;
  if (same.length === 0) return;
  const detail = `There already is a list called ${name}.`;
  throw problem("conflict", { detail, errors: [{ pointer: "/name", detail }] });
}

async function setLinks(
  tx: Transaction,
  workspaceId: string,
  listId: string,
  links: readonly string[],
  now: Date,
): Promise<void> {
  const keys = links.map(keyOf);
  await tx`select accounts.set_list_links(${workspaceId}, ${listId}, ${[...links]}::text[], ${keys}::text[], ${now})`;
}

async function saved(
  tx: Transaction,
  workspaceId: string,
  id: string,
  who: Who,
  ignored: readonly IgnoredLine[],
): Promise<SavedChatList> {
  return { ...(await readChatList(tx, workspaceId, id, who)), ignored: [...ignored] };
}

function summaries(sql: Sql | Transaction) {
  return sql`
    select l.id, l.owner, l.name, l.purpose, l.is_public, l.created_at, l.updated_at, n.chats, n.known
    from accounts.chat_lists l
    cross join lateral (
      select count(*)::int as chats, (count(*) filter (where c.telegram_chat_id is not null))::int as known
      from accounts.chat_list_links i
      join accounts.chat_links k on k.workspace_id = i.workspace_id and k.key = i.key
      join accounts.chats c on c.workspace_id = k.workspace_id and c.id = k.chat_id
      where i.workspace_id = l.workspace_id and i.list_id = l.id
    ) n`;
}
