import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  inOneChange,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
  timeAndId,
} from "../../workspaces/index.ts";
import { foundOwn, type Who } from "../admin/access.ts";

export const publicationSchema = z.object({
  id: z.uuid(),
  queue_id: z.uuid().nullable(),
  object_id: z.uuid(),
  object: z.string().nullable(),
  chat_id: z.uuid(),
  chat: z.string().nullable(),
  account_id: z.uuid().nullable().describe("null: published by a bot"),
  account: z.string().nullable(),
  published_at: z.date(),
  message_id: z.string(),
  url: z.string().nullable(),
  deleted: z.boolean(),
  deleted_at: z.date().nullable(),
});
export type Publication = z.output<typeof publicationSchema>;

interface HistoryQuery extends PageQuery {
  readonly account_id?: string | undefined;
  readonly object_id?: string | undefined;
  readonly chat_id?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Latest first. */
export async function historyPage(
  sql: Sql,
  workspaceId: string,
  who: Who,
  { account_id, object_id, chat_id, since, until, limit = pageLimit.usual, after }: HistoryQuery,
): Promise<Page<Publication>> {
  const from = placeAfter(after, timeAndId);
  const rows = await sql<(Publication & { cursor: string; owner: string })[]>`
    ${publications(sql)}
    where h.workspace_id = ${workspaceId} and (${who.isAdmin} or coalesce(a.owner, o.owner) = ${who.owner})
      ${account_id ? sql`and h.account_id = ${account_id}` : sql``}
      ${object_id ? sql`and h.object_id = ${object_id}` : sql``}
      ${chat_id ? sql`and h.chat_id = ${chat_id}` : sql``}
      ${since ? sql`and h.published_at >= ${since}` : sql``}
      ${until ? sql`and h.published_at < ${until}` : sql``}
      ${from ? sql`and (h.published_at, h.id) < (${from[0]}::timestamptz, ${from[1]}::uuid)` : sql``}
    order by h.published_at desc, h.id desc limit ${limit + 1}`;
  const page = pageOf(rows, limit, ({ cursor, id }) => [cursor, id]);
  return { ...page, items: page.items.map((row) => publicationSchema.parse(row)) };
}

/** Marks a message as deleted from its chat, or undoes that. Deleted messages count neither as duplicates nor towards limits. */
export async function markDeleted(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  deleted: boolean,
  who: Who,
): Promise<Publication> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const find = () => tx<(Publication & { owner: string | null })[]>`
      ${publications(tx)} where h.workspace_id = ${workspaceId} and h.id = ${id}`;
    const known = foundOwn(who, (await find())[0], "publication", id);
    if (known.deleted === deleted) return publicationSchema.parse(known);
    await tx`
      update accounts.history set deleted = ${deleted}, deleted_at = ${deleted ? now : null}
      where workspace_id = ${workspaceId} and id = ${id}`;
    await noteChange(tx, { workspaceId, now, by: who, meta: { object: "publication", id, deleted } });
    const [changed] = await find();
    return publicationSchema.parse(changed);
  });
}

function publications(sql: Sql | Transaction) {
  return sql`
    select h.id, h.queue_id, h.object_id, o.title as object, h.chat_id, c.title as chat, h.account_id, a.title as account,
      h.published_at, h.message_id, h.url, h.deleted, h.deleted_at, coalesce(a.owner, o.owner) as owner,
      to_char(h.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor
    from accounts.history h
    left join accounts.accounts a on a.workspace_id = h.workspace_id and a.id = h.account_id
    left join accounts.objects o on o.workspace_id = h.workspace_id and o.id = h.object_id
    left join accounts.chats c on c.workspace_id = h.workspace_id and c.id = h.chat_id`;
}
