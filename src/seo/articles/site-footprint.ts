import { z } from "zod";
import { footprintOf, type PublishedPost } from "../checks/index.ts";
import { proseOf } from "../render/index.ts";
import type { RunScope } from "../runs/run-kind.ts";
import type { ArticleDeps } from "./article-deps.ts";
import { type Article, type ArticleOrder, linkSchema, type Warning, warningSchema } from "./shape.ts";

/** The article itself is the newest. */
const earlierPosts = 29;

/** How alike the last articles of the site are, with this one: advice for the person, nothing is blocked. */
export function siteFootprint(
  { sql }: ArticleDeps,
  run: RunScope,
  order: ArticleOrder,
  newest: { readonly article: Article; readonly words: number },
): Promise<Warning[]> {
  return run.step("footprint", { result: z.array(warningSchema) }, async (step) => {
    const rows = await sql<{ words: number; faq: number; beginning: string; links: unknown }[]>`
      select (r.result ->> 'words')::int as words, jsonb_array_length(r.result #> '{article,faq}') as faq,
        left(r.result #>> '{article,markdown}', 2000) as beginning, r.result #> '{article,links}' as links
      from seo.runs r
      where r.workspace_id = ${run.workspaceId} and r.user_id = ${run.userId} and r.kind = 'article' and r.status = 'done'
        and r.project_id = ${order.project_id} and r.result ? 'post_url' and r.id <> ${run.runId}
        and r.connection_id is not distinct from coalesce(${order.connection_id}, r.connection_id)
      order by r.created_at desc
      limit ${earlierPosts}`;
    const { article, words } = newest;
    const { posts, warnings } = footprintOf([
      postOf({ words, faq: article.faq.length, beginning: article.markdown, links: article.links }),
      ...rows.map(postOf),
    ]);
    step.note("compared", { posts });
    return warnings.map(({ code, message }) => ({ code, message: { ...message } }));
  });
}

function postOf({
  words,
  faq,
  beginning,
  links,
}: {
  readonly words: number;
  readonly faq: number;
  readonly beginning: string;
  readonly links: unknown;
}): PublishedPost {
  const opening = proseOf(beginning)[0]?.text ?? "";
  const anchors = z
    .array(linkSchema)
    .parse(links)
    .map(({ anchor }) => anchor);
  return { words, faq, opening, anchors };
}
