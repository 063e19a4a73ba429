import { z } from "zod";
import { parseContent } from "../../content/index.ts";
import { pictureUrl } from "../pictures/stored-files.ts";
import { toArticle } from "../render/index.ts";
import type { RunScope } from "../runs/run-kind.ts";
import type { ArticleDeps } from "./article-deps.ts";
import { renderPage } from "./render-page.ts";
import type { Article, ArticleResult, StoredPicture } from "./shape.ts";

const waitsMs = 30_000;
export const previewAuthor = "SEO Master Bot";

/** A page at Telegraph; null if there is none, and then the beginning of the text is shown (E05). */
export function previewArticle(
  deps: ArticleDeps,
  run: RunScope,
  article: Article,
  pictures: readonly StoredPicture[],
): Promise<ArticleResult["preview"]> {
  const page = z.object({ url: z.string(), path: z.string() });
  return run.step("preview", { result: page.nullable(), stage: "preview" }, async (step) => {
    const placed = await Promise.all(
      pictures.map(async ({ storage_path, width, height }) => ({
        ...{ url: await pictureUrl(deps.storage, run.workspaceId, storage_path), width, height },
      })),
    );
    const rendered = renderPage(article, placed);
    const parsed = parseContent(toArticle(rendered).text, "html");
    if (!parsed.ok) {
      step.note("preview_skipped", { reason: parsed.error.message });
      return null;
    }
    const made = await deps.telegraph.create(
      {
        ...{ title: article.title, document: parsed.document, language: "ru" },
        pictures: rendered.images.map(({ url, alt, caption }) => ({
          ...{ url, alt },
          ...(caption !== undefined && { caption }),
        })),
        author: { name: previewAuthor },
      },
      { deadline: new Date(deps.clock.now().getTime() + waitsMs), signal: run.signal },
    );
    if (made.kind === "ok") return { url: made.url, path: made.path };
    step.note("preview_skipped", { reason: made.failure.code });
    return null;
  });
}
