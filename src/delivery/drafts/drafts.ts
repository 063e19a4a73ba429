import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  inOneChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
  type Rehearsal,
  timeAndId,
} from "../../workspaces/index.ts";
import {
  checkStorable,
  type Draft,
  type DraftChanges,
  type DraftSummary,
  type NewDraft,
} from "./draft-shape.ts";

/** What was changed last comes first. Uses drafts_open. */
export async function draftPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery,
): Promise<Page<DraftSummary>> {
  const [at, id] = placeAfter(after, timeAndId) ?? [];
  const rows = await sql<DraftSummary[]>`
    select ${summary(sql)} from delivery.drafts d
    where d.workspace_id = ${workspaceId} and d.sent_at is null
      ${at && id ? sql`and (d.updated_at, d.draft_id) < (${at}::timestamptz, ${id}::uuid)` : sql``}
    order by d.updated_at desc, d.draft_id desc limit ${limit + 1}`;
  return pageOf(rows, limit, ({ updated_at, id }) => [updated_at.toISOString(), id]);
}

export async function readDraft(
  sql: Sql | Transaction,
  workspaceId: string,
  draftId: string,
): Promise<Draft> {
  const [row] = await sql<Draft[]>`
    select ${summary(sql)}, d.payload, d.tags from delivery.drafts d
    where d.workspace_id = ${workspaceId} and d.draft_id = ${draftId} and d.sent_at is null`;
  if (!row) throw noDraft();
  return row;
}

/** So many that nobody misses one more, and so few that a program which runs wild does not fill the table. */
const mostDrafts = 1_000;

export async function addDraft(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  draft: NewDraft,
  author: string,
): Promise<Draft> {
  checkStorable(draft);
  const now = clock.now();
  const { payload, tags, channel_ids, scheduled_for } = draft;
  return inOneChange(sql, async (tx) => {
    const open = await tx`
      select from delivery.drafts d where d.workspace_id = ${workspaceId} and d.sent_at is null limit ${mostDrafts}`;
    if (open.length === mostDrafts)
      throw problem("conflict", {
        detail: `A workspace has at most ${mostDrafts} drafts: send or delete old ones first.`,
      });
    const [row] = await tx<[{ id: string }]>`
      insert into delivery.drafts (
        workspace_id, draft_id, title, payload, tags, channel_ids, scheduled_for, author, blobs, created_at, updated_at)
      select ${workspaceId}, molva.uuidv7(${now}), ${titleOf(tx)}, p.payload, ${tags}, ${channel_ids}, ${scheduled_for}, ${author},
        ${blobsOf(tx)}, ${now}, ${now}
      from (select ${JSON.stringify(payload)}::text::jsonb as payload) p
      returning draft_id as id`;
    return readDraft(tx, workspaceId, row.id);
  });
}

/** Changes a draft that nobody else has changed since it was read. */
export async function changeDraft(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  draftId: string,
  { version, ...changes }: DraftChanges,
): Promise<Draft> {
  checkStorable(changes);
  return inOneChange(sql, async (tx) => {
    const locked = await lockDraft(tx, workspaceId, draftId);
    if (!locked || locked.answer) throw noDraft();
    requireVersion(locked.version, version);
    const { payload, tags, channel_ids, scheduled_for } = changes;
    await tx`
      update delivery.drafts d
      set version = d.version + 1, updated_at = ${clock.now()}
        ${tags === undefined ? tx`` : tx`, tags = ${tags}`}
        ${channel_ids === undefined ? tx`` : tx`, channel_ids = ${channel_ids}`}
        ${scheduled_for === undefined ? tx`` : tx`, scheduled_for = ${scheduled_for}`}
        ${payload === undefined ? tx`` : tx`, payload = p.payload, title = ${titleOf(tx)}, blobs = ${blobsOf(tx)}`}
      from (select ${JSON.stringify(payload ?? null)}::text::jsonb as payload) p
      where d.workspace_id = ${workspaceId} and d.draft_id = ${draftId}`;
    return readDraft(tx, workspaceId, draftId);
  });
}

export async function removeDraft(
  { sql }: AdminDeps,
  workspaceId: string,
  draftId: string,
  rehearsal: Rehearsal = {},
): Promise<void> {
  await inOneChange(
    sql,
    async (tx) => {
      const removed = await tx`
        delete from delivery.drafts
        where workspace_id = ${workspaceId} and draft_id = ${draftId} and sent_at is null returning 1`;
      if (removed.length === 0) throw noDraft();
    },
    rehearsal,
  );
}

const locked = z.object({
  version: z.int(),
  payload: z.record(z.string(), z.unknown()),
  tags: z.array(z.string()),
  channel_ids: z.array(z.string()).nullable(),
  scheduled_for: z.date().nullable(),
  answer: z.unknown(),
});

/** A draft, or what is left of one that was sent, so that nobody else changes or sends it meanwhile. */
export async function lockDraft(
  tx: Transaction,
  workspaceId: string,
  draftId: string,
): Promise<z.infer<typeof locked> | undefined> {
  const [row] = await tx`
    select version, payload, tags, channel_ids, scheduled_for, answer from delivery.drafts
    where workspace_id = ${workspaceId} and draft_id = ${draftId} for update`;
  return row && locked.parse(row);
}

export function requireVersion(present: number, given: number): void {
  if (present === given) return;
  const detail = `The draft was changed meanwhile: it is at version ${present}, you have ${given}. Load it again, then make your change.`;
  throw problem("conflict", { detail, errors: [{ pointer: "/version", detail }] });
}

export function noDraft() {
  return problem("not_found", { detail: "There is no such draft: it was deleted or sent." });
}

function summary(sql: Sql | Transaction) {
  return sql`
    d.draft_id as id, d.title, case jsonb_typeof(d.payload -> 'media') when 'array' then jsonb_array_length(d.payload -> 'media') else 0 end as media,
    d.channel_ids, d.scheduled_for, jsonb_build_object('id', d.author, 'name', workspaces.actor_name(d.author)) as author,
    d.version, d.created_at, d.updated_at`;
}

const titleLength = 100;

/** The title of the article, or the first line of the text as readers see it. */
function titleOf(sql: Sql | Transaction) {
  return sql`left(btrim(coalesce(
    nullif(btrim(p.payload #>> '{article,title}'), ''),
    split_part(btrim(delivery.visible_text(p.payload ->> 'text', p.payload ->> 'parse_mode'), E' \n\r\t'), E'\n', 1), '')), ${titleLength})`;
}

/** The names under which its files are stored, as those of a post are. */
function blobsOf(sql: Sql | Transaction) {
  return sql`array(
    select distinct m ->> 'blob_ref'
    from jsonb_array_elements(coalesce(delivery.normalize(jsonb_build_object('payload', p.payload)) -> 'media', '[]')) as m
    where m ? 'blob_ref')`;
}
