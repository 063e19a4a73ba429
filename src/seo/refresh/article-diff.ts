/** What an update changes on its page, before it goes out. */
import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type ArticleResult, articleOrder, articleResult } from "../articles/shape.ts";
import type { Whose } from "../people/whose.ts";
import { articleOf } from "../publish/decide-article.ts";
import { diffPartSchema, textDiff } from "./text-diff.ts";

const beforeAndAfter = <S extends z.ZodType>(value: S) =>
  z.object({ before: value.nullable(), after: value });

export const articleDiffSchema = z
  .object({
    run_id: z.string(),
    url: z.string().describe("The page that the article takes the place of"),
    is_known: z
      .boolean()
      .describe("SEO Master has the text that the page has now; otherwise everything counts as added"),
    title: beforeAndAfter(z.string()),
    words: beforeAndAfter(z.int()),
    added: z.int().describe("Paragraphs that come"),
    removed: z.int().describe("Paragraphs that go"),
    parts: z.array(diffPartSchema),
  })
  .meta({ id: "SeoArticleDiff" });
export type ArticleDiff = z.infer<typeof articleDiffSchema>;

/** Throws if the article is not written yet, or takes no page's place. */
export async function articleDiff(sql: Sql, whose: Whose, runId: string): Promise<ArticleDiff> {
  const run = await articleOf(sql, whose, runId);
  const update = articleOrder.safeParse(run.input).data?.update;
  const written = articleResult.safeParse(run.result);
  if (!update || !written.success)
    throw problem("not_found", {
      detail: update
        ? "The article is not written yet."
        : "The article takes no page's place: nothing is changed by it.",
    });
  const before = await lastOn(sql, whose, runId, update.url);
  const after = written.data;
  const parts = textDiff(before?.article.markdown ?? "", after.article.markdown);
  const counted = (kind: string) => parts.filter((part) => part.kind === kind).length;
  return {
    ...{ run_id: runId, url: update.url, is_known: before !== undefined },
    title: { before: before?.article.title ?? null, after: after.article.title },
    words: { before: before?.words ?? null, after: after.words },
    ...{ added: counted("added"), removed: counted("removed"), parts },
  };
}

/** What SEO Master published at the address last. */
async function lastOn(
  sql: Sql,
  { workspaceId, userId }: Whose,
  runId: string,
  url: string,
): Promise<ArticleResult | undefined> {
  const [row] = await sql<{ result: unknown }[]>`
    select r.result from seo.runs r
    where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.kind = 'article' and r.status = 'done'
      and r.result ->> 'post_url' = ${url} and r.id <> ${runId}
    order by r.created_at desc
    limit 1`;
  const read = articleResult.safeParse(row?.result);
  return read.success ? read.data : undefined;
}
