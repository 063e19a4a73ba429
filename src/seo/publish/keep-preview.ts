import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { renderPage } from "../articles/render-page.ts";
import type { ArticleOrder, ArticleResult } from "../articles/shape.ts";
import type { Whose } from "../people/whose.ts";
import { pictureUrl } from "../pictures/stored-files.ts";
import { addPreview } from "../previews/previews.ts";
import type { PreviewContent } from "../previews/shape.ts";

export interface PreviewDeps {
  readonly sql: Sql | Transaction;
  readonly clock: Clock;
  readonly storage: ObjectStorage;
}

/** The page with addresses of its pictures that anybody can open for a week. */
export async function pageOf(
  storage: ObjectStorage,
  workspaceId: string,
  { article, pictures }: ArticleResult,
) {
  const placed = await Promise.all(
    pictures.map(async ({ storage_path, width, height }) => ({
      ...{ url: await pictureUrl(storage, workspaceId, storage_path), storage_path, width, height },
    })),
  );
  return { placed, rendered: renderPage(article, placed) };
}

/** Keeps the article until its person decides; a regenerated one takes the place of the draft. */
export async function keepPreview(
  deps: PreviewDeps,
  run: Whose & { readonly runId: string },
  order: ArticleOrder,
  result: ArticleResult,
): Promise<void> {
  const { sql, storage } = deps;
  const { workspaceId, runId } = run;
  const { placed, rendered } = await pageOf(storage, workspaceId, result);
  const [held] = await sql<[{ tokens: number }]>`
    select coalesce(sum(h.amount), 0)::int as tokens from billing.holds h
    where h.workspace_id = ${workspaceId} and h.run = ${runId} and h.state <> 'returned'`;
  const content: PreviewContent = {
    ...{ title: result.article.title, keyword: result.article.phrase, word_count: result.words },
    ...{ content_html: rendered.html, images: placed, tokens_charged: held.tokens },
    ...(result.preview && { telegraph_url: result.preview.url, telegraph_path: result.preview.path }),
  };
  // Its day may have ended while it was written anew: then it is the sweep that ends it, with its run.
  const [before] = await sql<{ id: number }[]>`
    update seo.article_previews v set title = ${content.title}, keyword = ${content.keyword}, word_count = ${content.word_count},
      images_count = ${placed.length}, tokens_charged = ${content.tokens_charged}, content_html = ${content.content_html},
      images = ${JSON.stringify(placed)}::text::jsonb, telegraph_url = ${content.telegraph_url ?? null},
      telegraph_path = ${content.telegraph_path ?? null}, regeneration_count = regeneration_count + 1
    where v.workspace_id = ${workspaceId} and v.user_id = ${run.userId} and v.run = ${runId} and v.status = 'draft'
    returning v.id`;
  if (before) return;
  // What was deleted while the article was written: without a category it has no draft, and its run ends with the next sweep.
  const [place] = await sql<{ connection_id: number | null }[]>`
    select n.id as connection_id from seo.categories c
    left join seo.platform_connections n
      on n.workspace_id = c.workspace_id and n.project_id = c.project_id and n.id = ${order.connection_id}
    where c.workspace_id = ${workspaceId} and c.id = ${order.category_id}`;
  if (!place) return;
  const connectionId = place.connection_id ?? undefined;
  await addPreview(deps, run, { categoryId: order.category_id, connectionId, run: runId }, content);
}
