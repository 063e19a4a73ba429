import { problem } from "../../http/index.ts";
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
} from "../../workspaces/index.ts";
import { foundOwn, requireOwn, type Who } from "../admin/access.ts";
import { routedFields } from "../bots/chat-filters.ts";
import {
  type ImportedObjects,
  type ImportReport,
  type NewObject,
  newObject,
  type ObjectChanges,
  type PublishedObject,
} from "./object-schema.ts";

interface ObjectQuery extends PageQuery {
  readonly archived?: boolean | undefined;
  readonly text?: string | undefined;
}

export async function objectPage(
  sql: Sql,
  workspaceId: string,
  who: Who,
  { archived = false, text, limit = pageLimit.usual, after }: ObjectQuery,
): Promise<Page<PublishedObject>> {
  const from = idAfter(after);
  const rows = await sql<PublishedObject[]>`
    ${objects(sql)}
    where o.workspace_id = ${workspaceId} and (${who.isAdmin} or o.owner = ${who.owner})
      and (o.archived_at is not null) = ${archived}
      ${text ? sql`and strpos(lower(concat_ws(' ', o.title, o.external_ref) collate "und-x-icu"), lower(${text} collate "und-x-icu")) > 0` : sql``}
      ${from ? sql`and o.id < ${from}` : sql``}
    order by o.id desc limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readObject(
  sql: Sql | Transaction,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<PublishedObject> {
  const [row] = await sql<
    PublishedObject[]
  >`${objects(sql)} where o.workspace_id = ${workspaceId} and o.id = ${id}`;
  return foundOwn(who, row, "object", id);
}

export async function addObject(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  given: NewObject,
  who: Who,
): Promise<PublishedObject> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const parsed = newObject.parse(given);
    if (parsed.external_ref) await refuseSameRef(tx, workspaceId, parsed.external_ref);
    const id = await insert(tx, workspaceId, parsed, who, now);
    const meta = { object: "published_object", id, created: true, title: parsed.title };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return readObject(tx, workspaceId, id, who);
  });
}

export async function changeObject(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  changes: ObjectChanges,
  who: Who,
): Promise<PublishedObject> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = await lockObject(tx, workspaceId, id, who);
    const { external_ref } = changes;
    if (external_ref && external_ref !== before.external_ref)
      await refuseSameRef(tx, workspaceId, external_ref);
    const fields = { ...before.fields, ...changes.fields };
    refuseFields(fields);
    await tx`
      update accounts.objects
      set title = ${changes.title ?? before.title},
          external_ref = ${external_ref === undefined ? before.external_ref : external_ref},
          fields = jsonb_strip_nulls(${json(fields)}::text::jsonb),
          texts = jsonb_strip_nulls(${json({ ...before.texts, ...changes.texts })}::text::jsonb),
          photos = ${json(changes.photos ?? before.photos)}::text::jsonb,
          photo_mode = ${changes.photo_mode ?? before.photo_mode}, updated_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`;
    const meta = { object: "published_object", id, changed: Object.keys(changes) };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return readObject(tx, workspaceId, id, who);
  });
}

/** Creates and updates objects by `external_ref`: all of them, or none if one is refused. */
export async function importObjects(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { objects: given }: ImportedObjects,
  who: Who,
): Promise<ImportReport> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const report = { created: 0, updated: 0, unchanged: 0, ids: [] as string[] };
    for (const one of given) {
      const [known] = await tx<{ id: string; owner: string; same: boolean }[]>`
        select id, owner, (title, fields, texts, photos, photo_mode)
            = (${one.title}, ${json(one.fields)}::text::jsonb, ${json(one.texts)}::text::jsonb,
               ${json(one.photos)}::text::jsonb, ${one.photo_mode}::text) as same
        from accounts.objects where workspace_id = ${workspaceId} and external_ref = ${one.external_ref} for update`;
      if (known) requireOwn(who, known, `object ${one.external_ref}`);
      if (known?.same) report.unchanged += 1;
      else if (known) {
        await tx`
          update accounts.objects
          set title = ${one.title}, fields = ${json(one.fields)}::text::jsonb, texts = ${json(one.texts)}::text::jsonb,
              photos = ${json(one.photos)}::text::jsonb, photo_mode = ${one.photo_mode}, updated_at = ${now}
          where workspace_id = ${workspaceId} and id = ${known.id}`;
        report.updated += 1;
      } else report.created += 1;
      report.ids.push(known?.id ?? (await insert(tx, workspaceId, one, who, now)));
    }
    const { created, updated } = report;
    if (created + updated > 0)
      await noteChange(tx, {
        workspaceId,
        now,
        by: who,
        meta: { object: "published_object", imported: true, created, updated },
      });
    return report;
  });
}

export async function lockObject(
  tx: Transaction,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<PublishedObject> {
  await tx`select from accounts.objects where workspace_id = ${workspaceId} and id = ${id} for update`;
  return readObject(tx, workspaceId, id, who);
}

async function insert(
  tx: Transaction,
  workspaceId: string,
  given: NewObject,
  who: Who,
  now: Date,
): Promise<string> {
  const { title, external_ref, fields, texts, photos, photo_mode } = newObject.parse(given);
  const [made] = await tx<{ id: string }[]>`
    insert into accounts.objects (
      workspace_id, id, owner, external_ref, title, fields, texts, photos, photo_mode, created_at, updated_at)
    values (${workspaceId}, molva.uuidv7(${now}), ${who.owner}, ${external_ref ?? null}, ${title},
      ${json(fields)}::text::jsonb, ${json(texts)}::text::jsonb, ${json(photos)}::text::jsonb, ${photo_mode}, ${now}, ${now})
    returning id`;
  if (!made) throw new Error("no object was made");
  return made.id;
}

async function refuseSameRef(tx: Transaction, workspaceId: string, ref: string): Promise<void> {
  const known = await tx`
    select from accounts.objects where workspace_id = ${workspaceId} and external_ref = ${ref}`;
  if (known.length === 0) return;
  const detail = `There already is an object with the reference ${ref}.`;
  throw problem("conflict", { detail, errors: [{ pointer: "/external_ref", detail }] });
}

function refuseFields(fields: Readonly<Record<string, unknown>>): void {
  const kept = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const issue = routedFields.safeParse(kept).error?.issues[0];
  if (!issue) return;
  const pointer = `/fields/${issue.path.join("/")}`;
  throw problem("unprocessable", {
    detail: `${pointer}: ${issue.message}`,
    errors: [{ pointer, detail: issue.message }],
  });
}

const json = (value: unknown) => JSON.stringify(value);

function objects(sql: Sql | Transaction) {
  return sql`
    select o.id, o.owner, o.external_ref, o.title, o.fields, o.texts, o.photos, o.photo_mode, o.archived_at, o.created_at,
      o.updated_at,
      case when p.object_id is null then 'none' when p.enabled then 'on' else 'off' end as autopublish,
      (select count(*)::int from accounts.history h where h.workspace_id = o.workspace_id and h.object_id = o.id) as published,
      (select min(q.scheduled_time) from accounts.queue q
       where q.workspace_id = o.workspace_id and q.object_id = o.id and q.status = 'pending'
         and exists (select from accounts.accounts a
                     where a.workspace_id = q.workspace_id and a.id = q.account_id and a.is_active)) as next_at
    from accounts.objects o
    left join accounts.autopublish p on p.workspace_id = o.workspace_id and p.object_id = o.id`;
}
