import { z } from "zod";
import { createLedger } from "../../billing/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
} from "../../workspaces/index.ts";
import { readCategory } from "../categories/categories.ts";
import { readConnection } from "../connections/connections.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { type Rules, usualRules } from "../rules.ts";
import type { Said } from "../said.ts";
import type { Preview, PreviewContent, WholePreview } from "./shape.ts";

export interface PreviewQuery extends PageQuery {
  readonly status?: Preview["status"] | undefined;
}

/** A person's previews, the newest first. */
export async function previewPage(
  sql: Sql,
  whose: Whose,
  { limit = pageLimit.usual, after, status }: PreviewQuery = {},
): Promise<Page<Preview>> {
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<Preview[]>`
    select ${columns(sql)} from seo.article_previews v
    where v.workspace_id = ${whose.workspaceId} and v.user_id = ${whose.userId}
      ${status === undefined ? sql`` : sql`and v.status = ${status}`}
      ${from === undefined ? sql`` : sql`and v.id < ${from}`}
    order by v.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readPreview(
  sql: Sql | Transaction,
  whose: Whose,
  previewId: number,
): Promise<WholePreview> {
  const [preview] = await sql<WholePreview[]>`
    select ${columns(sql)}, v.telegraph_path, v.content_html, v.images from seo.article_previews v
    where v.workspace_id = ${whose.workspaceId} and v.user_id = ${whose.userId} and v.id = ${previewId}`;
  if (!preview) throw notFound("preview", previewId);
  return preview;
}

export interface AddPreviewDeps extends Pick<AdminDeps, "clock"> {
  readonly sql: Sql | Transaction;
  readonly rules?: Rules | undefined;
}

/** Keeps an article until its user decides, at most a day. `run` is the work whose tokens are held. */
export async function addPreview(
  { sql, clock, rules = usualRules }: AddPreviewDeps,
  whose: Whose,
  place: { readonly categoryId: number; readonly connectionId?: number | undefined; readonly run: string },
  content: PreviewContent,
): Promise<number> {
  const { project_id } = await readCategory(sql, whose, place.categoryId);
  if (place.connectionId !== undefined) {
    const connection = await readConnection(sql, whose, place.connectionId);
    if (connection.project_id !== project_id) throw notFound("connection", place.connectionId);
  }
  const now = clock.now();
  const [made] = await sql<[{ id: number }]>`
    insert into seo.article_previews (workspace_id, user_id, project_id, category_id, connection_id, telegraph_url, telegraph_path, title,
      keyword, word_count, images_count, tokens_charged, content_html, images, run, created_at, expires_at)
    values (${whose.workspaceId}, ${whose.userId}, ${project_id}, ${place.categoryId}, ${place.connectionId ?? null},
      ${content.telegraph_url ?? null}, ${content.telegraph_path ?? null}, ${content.title}, ${content.keyword},
      ${content.word_count}, ${content.images.length}, ${content.tokens_charged}, ${content.content_html},
      ${JSON.stringify(content.images)}::text::jsonb, ${place.run}, ${now}, ${new Date(now.getTime() + rules.previewMs)})
    returning id`;
  return made.id;
}

/** Claims a draft for publishing: of all who publish, cancel or let it expire, one succeeds. */
export function publishPreview(
  deps: { sql: Sql | Transaction } & Pick<AdminDeps, "clock">,
  whose: Whose,
  previewId: number,
): Promise<WholePreview> {
  return claimed(deps.sql, whose, previewId, "published", deps.clock.now());
}

/** Cancels a draft and gives back what was held for it. */
export async function cancelPreview(
  { sql, clock }: AdminDeps,
  whose: Whose,
  previewId: number,
  by?: By,
): Promise<{ preview: WholePreview; returned: number }> {
  const { workspaceId, userId } = whose;
  return sql.begin(async (tx) => {
    const preview = await claimed(tx, whose, previewId, "cancelled", clock.now());
    const ledger = createLedger(tx, clock);
    const returned = preview.run ? await ledger.giveBack(workspaceId, preview.run, "cancelled") : 0;
    const meta = { object: "seo_preview", user_id: userId, preview_id: previewId, cancelled: true, returned };
    if (by) await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
    return { preview, returned };
  });
}

/** A publication failed without a charge: the article is a draft again, if its day is not over. */
export async function reopenPreview(
  { sql, clock }: AdminDeps,
  whose: Whose,
  previewId: number,
): Promise<boolean> {
  const [row] = await sql<[{ reopened: boolean }]>`
    select seo.reopen_preview(${whose.workspaceId}, ${whose.userId}, ${previewId}, ${clock.now()}) as reopened`;
  return row.reopened;
}

async function claimed(
  sql: Sql | Transaction,
  whose: Whose,
  previewId: number,
  status: "published" | "cancelled",
  now: Date,
): Promise<WholePreview> {
  const [preview] = await sql<WholePreview[]>`
    select ${columns(sql)}, v.telegraph_path, v.content_html, v.images
    from seo.claim_preview(${whose.workspaceId}, ${whose.userId}, ${previewId}, ${status}, ${now}) v`;
  if (preview) return preview;
  throw await endedProblem(sql, whose, previewId);
}

async function endedProblem(sql: Sql | Transaction, whose: Whose, previewId: number): Promise<SeoProblem> {
  const { status } = await readPreview(sql, whose, previewId);
  return new SeoProblem("preview_ended", endings[status]);
}

const stale: Said = {
  ru: "Превью устарело. Сгенерируйте статью заново.",
  en: "The preview is out of date. Generate the article again.",
};
const endings: Readonly<Record<Preview["status"], Said>> = {
  draft: stale,
  expired: stale,
  published: { ru: "Уже публикуется", en: "It is being published already" },
  cancelled: {
    ru: "Превью отменено. Сгенерируйте статью заново.",
    en: "The preview was cancelled. Generate the article again.",
  },
};

function columns(sql: Sql | Transaction) {
  return sql`v.id, v.project_id, v.category_id, v.connection_id, v.telegraph_url, v.title, v.keyword, v.word_count, v.images_count,
    v.tokens_charged, v.regeneration_count, v.status, v.run, v.created_at, v.expires_at`;
}
