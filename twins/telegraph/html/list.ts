import { escapeHtml } from "../../shared/index.ts";
import type { Account, Page } from "../model.ts";
import { descriptionOf, firstImage, viewsOf } from "../wire.ts";
import { dateHtml } from "./date.ts";
import { frameHtml } from "./frame.ts";
import { safeSource } from "./safe-address.ts";

/** The pages of one account, newest first, as their owner finds them. */
export function listHtml(account: Account, pages: readonly Page[]): string {
  const name = account.authorName || account.shortName;
  const list =
    pages.length > 0
      ? `<ol class="pages">${pages.map(entryHtml).join("\n")}</ol>`
      : "<article><p>No pages yet.</p></article>";
  return frameHtml(name, `<main><header><h1>${escapeHtml(name)}</h1></header>\n${list}</main>`);
}

function entryHtml(page: Page): string {
  const image = safeSource(firstImage(page.content));
  const views = viewsOf(page);
  return `<li><a href="/telegraph/${encodeURIComponent(page.path)}">
${image === undefined ? "" : `<img src="${escapeHtml(image)}" alt="">`}<h2>${escapeHtml(page.title)}</h2>
<p>${escapeHtml(descriptionOf(page.content))}</p>
<address>${dateHtml(page.createdAt)}<span class="dot">•</span>${views} ${views === 1 ? "view" : "views"}</address></a></li>`;
}
