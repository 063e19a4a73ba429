import { parsedUrl } from "../../../kernel/url/index.ts";
import type { FeedConfig } from "../config.ts";
import { cleanHtml } from "../html/clean-html.ts";
import { escapeHtml } from "../html/escape-html.ts";
import { titleText } from "../html/title-text.ts";
import type { FeedItem, FeedMedia } from "./feed-item.ts";
import { mediaOf } from "./media-of.ts";

/** The push body of a feed's item. */
export interface FeedPost {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly source: Readonly<Record<string, unknown>>;
}

export function itemPost(item: FeedItem, config: FeedConfig, sourceId: string): FeedPost {
  const title = titleText(item.title);
  const body = bodyOf(item, config);
  const shownTitle = config.fields.includes("title") && !beginsWith(body.html, title) ? title : "";
  const ownLink = item.link && config.link !== "none" ? item.link : undefined;
  const text = [
    shownTitle && `<b>${escapeHtml(shownTitle)}</b>`,
    ownLink ? withoutLastLinkTo(ownLink, body.html) : body.html,
    ownLink && config.link === "append" && linkTo(ownLink, config.link_text),
  ];
  const media = mediaFor(item, body.images, config);
  return {
    payload: {
      text: text.filter(Boolean).join("\n\n"),
      parse_mode: "HTML",
      ...(media.length > 0 && { media }),
      ...(ownLink && config.link === "button" && { buttons: [[{ text: config.link_text, url: ownLink }]] }),
      ...(title && { title }),
      ...(item.link && { link: item.link }),
    },
    tags: [...config.tags, ...(config.category_tags ? item.categories.map((name) => titleText(name)) : [])],
    source: { source_id: sourceId, ...(item.link && { url: item.link }) },
  };
}

/** The selected parts one after the other; if the feed lacks one, the other is used. */
function bodyOf(item: FeedItem, { fields, max_text }: FeedConfig): { html: string; images: string[] } {
  const parts = new Set<string>();
  if (fields.includes("summary")) parts.add(item.summary || item.content);
  if (fields.includes("content")) parts.add(item.content || item.summary);
  const shown = cleanHtml([...parts].join("\n\n"), { base: item.link, longest: max_text });
  const images = new Set(shown.images);
  for (const rest of [item.summary, item.content].filter((part) => part && !parts.has(part)))
    for (const image of cleanHtml(rest, { base: item.link, longest: 0 }).images) images.add(image);
  return { html: shown.html, images: [...images] };
}

function mediaFor(item: FeedItem, images: readonly string[], config: FeedConfig): FeedMedia[] {
  const usable = (media: readonly FeedMedia[]) =>
    media.filter(({ type }) => config.media_types.includes(type));
  const attached = usable(item.media);
  const shown = usable(
    mediaOf(
      images.map((url) => ({ url, medium: "image" })),
      undefined,
    ),
  );
  return (attached.length > 0 ? attached : shown).slice(0, config.max_media);
}

/** Bridges from messengers make the title from the first words of the text: it must not be shown twice. */
function beginsWith(html: string, title: string): boolean {
  const folded = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();
  const start = folded(escapeHtml(title.replace(/(…|\.\.\.)$/, "")));
  return start !== "" && folded(html.replace(/<[^<>]*>/g, " ")).startsWith(start);
}

/** Feeds end a summary with "read on", a link to the item itself; our own link replaces it. */
function withoutLastLinkTo(link: string, html: string): string {
  const start = html.lastIndexOf("<a href=");
  const last = /^<a href="([^"]*)">[^<]*<\/a>\s*((?:<\/\w+>\s*)*)$/.exec(html.slice(Math.max(start, 0)));
  const href = last?.[1]?.replaceAll("&amp;", "&");
  if (!last || !href || pageOf(href) !== pageOf(link)) return html;
  return `${withoutLastBreaks(html.slice(0, start))}${last[2]}`.replace(/<(p|div)><\/\1>$/, "");
}

function withoutLastBreaks(html: string): string {
  let end = html.trimEnd().length;
  while (html.endsWith("<br>", end)) end = html.slice(0, end - "<br>".length).trimEnd().length;
  return html.slice(0, end);
}

function pageOf(address: string): string {
  const url = parsedUrl(address);
  return url ? `${url.host}${url.pathname.replace(/\/$/, "")}` : address;
}

function linkTo(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
