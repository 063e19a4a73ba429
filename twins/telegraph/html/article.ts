import { escapeHtml } from "../../shared/index.ts";
import type { Page } from "../model.ts";
import { descriptionOf, firstImage } from "../wire.ts";
import { dateHtml } from "./date.ts";
import { frameHtml } from "./frame.ts";
import { blocksHtml } from "./nodes.ts";
import { safeLink, safeSource } from "./safe-address.ts";

/** A page as its readers see it. */
export function articleHtml(page: Page): string {
  const byline = [authorHtml(page), dateHtml(page.createdAt)].filter((part) => part !== "");
  const body = `<main>
<header><h1>${escapeHtml(page.title)}</h1><address>${byline.join('<span class="dot">•</span>')}</address></header>
<article>
${blocksHtml(page.content)}
</article>
</main>`;
  return frameHtml(page.title, body, metaHtml(page));
}

function authorHtml({ authorName, authorUrl }: Page): string {
  if (authorName === "") return "";
  const link = safeLink(authorUrl);
  const name = escapeHtml(authorName);
  return link === undefined
    ? name
    : `<a href="${escapeHtml(link)}" rel="author noopener" target="_blank">${name}</a>`;
}

/** The metadata for link previews in messengers. */
function metaHtml(page: Page): string {
  const facts = {
    "og:type": "article",
    "og:title": page.title,
    "og:description": descriptionOf(page.content),
    "og:site_name": "Telegraph",
    "og:image": safeSource(firstImage(page.content)) ?? "",
    "article:published_time": new Date(page.createdAt).toISOString(),
    "article:modified_time": new Date(page.changedAt).toISOString(),
    "article:author": page.authorName,
  };
  return Object.entries(facts)
    .map(([name, value]) => `<meta property="${name}" content="${escapeHtml(value)}">\n`)
    .join("");
}
