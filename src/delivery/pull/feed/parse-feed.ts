import { type AtomFeed, type JsonFeed, parseFeed as parse, type RdfFeed, type RssFeed } from "feedsmith";
import { escapeHtml } from "../html/escape-html.ts";
import { webAddress } from "../html/web-address.ts";
import type { FeedItem } from "./feed-item.ts";
import { type Attachment, mediaOf } from "./media-of.ts";

export type ParsedFeed =
  | { readonly ok: true; readonly items: readonly FeedItem[] }
  | { readonly ok: false; readonly message: string };

/** Parses RSS, RDF, Atom or JSON Feed into items, in the feed's own order. `address` is the base of relative links. */
export function parseFeed(text: string, address: string): ParsedFeed {
  if (declaresDocumentType(text))
    return { ok: false, message: "the feed declares a document type (DOCTYPE), which is refused" };
  try {
    return { ok: true, items: itemsOf(text, address) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * A DOCTYPE may declare entities, which XML bombs are made of. XML allows it only before the root element; after that,
 * `<!DOCTYPE` is part of somebody's article about HTML.
 */
function declaresDocumentType(text: string): boolean {
  const prolog = /^(?:\uFEFF|\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/.exec(text)?.[0] ?? "";
  return /^<!(DOCTYPE|ENTITY)/i.test(text.slice(prolog.length, prolog.length + 10));
}

function itemsOf(text: string, address: string): FeedItem[] {
  const isJson = /^\uFEFF?\s*\{/.test(text);
  const parsed = parse(isJson ? JSON.parse(text.replace(/^\uFEFF/, "")) : text);
  switch (parsed.format) {
    case "rss":
      return mapped(parsed.feed.items, (item) => fromRss(item, address));
    case "rdf":
      return mapped(parsed.feed.items, (item) => fromRdf(item, address));
    case "atom":
      return mapped(parsed.feed.entries, (entry) => fromAtom(entry, address));
    case "json":
      return mapped(parsed.feed.items, (item) => fromJson(item, address));
  }
}

/** An entry with neither an id nor content is not an item. */
function mapped<Item>(
  items: readonly Item[] | undefined,
  one: (item: Item) => FeedItem | undefined,
): FeedItem[] {
  return (items ?? []).map(one).filter((item) => item !== undefined);
}

function fromRss(item: RssFeed.Item<string>, address: string): FeedItem | undefined {
  const guid = text(item.guid?.value);
  const link =
    webAddress(text(item.link), address) ??
    (item.guid?.isPermaLink === false ? undefined : webAddress(guid, undefined)) ??
    webAddress(item.atom?.links?.find(({ rel }) => !rel || rel === "alternate")?.href, address);
  const media = item.media;
  return complete({
    id: guid,
    title: text(item.title),
    summary: text(item.description),
    content: text(item.content?.encoded),
    link,
    date: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated,
    categories: (item.categories ?? []).map(({ name }) => text(name)),
    attachments: [
      ...(item.enclosures ?? []).map(({ url, type }) => ({ url: text(url), type: text(type) })),
      ...mediaRss(media),
    ],
    address,
  });
}

function fromRdf(item: RdfFeed.Item<string>, address: string): FeedItem | undefined {
  return complete({
    id: item.rdf?.about,
    title: text(item.title),
    summary: text(item.description),
    content: text(item.content?.encoded),
    link: webAddress(text(item.link), address),
    date: item.dc?.dates?.[0],
    categories: item.dc?.subjects ?? [],
    attachments: mediaRss(item.media),
    address,
  });
}

function fromAtom(entry: AtomFeed.Entry<string>, address: string): FeedItem | undefined {
  const links = entry.links ?? [];
  const alternate = links.find(({ rel }) => !rel || rel === "alternate");
  return complete({
    id: text(entry.id),
    title: asHtml(textValue(entry.title)),
    summary: asHtml(entry.summary),
    content: asHtml(entry.content),
    link: webAddress(text(alternate?.href), address),
    date: entry.published ?? text(entry.updated),
    categories: (entry.categories ?? []).map(({ label, term }) => label ?? text(term)),
    attachments: [
      ...links
        .filter(({ rel }) => rel === "enclosure")
        .map(({ href, type }) => ({ url: text(href), type: type ?? "" })),
      ...mediaRss(entry.media),
    ],
    address,
  });
}

function fromJson(item: JsonFeed.Item<string>, address: string): FeedItem | undefined {
  return complete({
    id: text(item.id),
    title: item.title && escapeHtml(item.title),
    summary: item.summary && escapeHtml(item.summary),
    content: item.content_html ?? (item.content_text && escapeHtml(item.content_text)),
    link: webAddress(item.url ?? item.external_url, address),
    date: item.date_published ?? item.date_modified,
    categories: item.tags ?? [],
    attachments: [
      { url: item.image ?? item.banner_image, medium: "image" },
      ...(item.attachments ?? []).map(({ url, mime_type }) => ({ url: text(url), type: text(mime_type) })),
    ],
    address,
  });
}

interface Found {
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly summary: string | undefined;
  readonly content: string | undefined;
  readonly link: string | undefined;
  readonly date: string | undefined;
  readonly categories: readonly (string | undefined)[];
  readonly attachments: readonly Attachment[];
  readonly address: string;
}

function complete(found: Found): FeedItem | undefined {
  const { link } = found;
  const publishedAt = dateOf(found.date);
  const ref = found.id?.trim() || [link, publishedAt?.toISOString()].filter(Boolean).join(" ");
  const title = found.title?.trim() ?? "";
  const summary = found.summary?.trim() ?? "";
  const content = found.content?.trim() ?? "";
  const identity = ref || `${title}${summary}${content}`.slice(0, 4_000);
  if (!identity) return undefined;
  return {
    ref: identity,
    title,
    summary,
    content,
    ...(link && { link }),
    ...(publishedAt && { publishedAt }),
    categories: found.categories.map((name) => name?.trim() ?? "").filter((name) => name !== ""),
    media: mediaOf(found.attachments, link ?? found.address),
  };
}

/** Several sizes of one picture are in a group, best first; a thumbnail is used if there is nothing else. */
function mediaRss(media: RssFeed.Item<string>["media"]): Attachment[] {
  const contents = [
    ...(media?.contents ?? []),
    ...(media?.groups ?? []).flatMap(({ contents: sizes = [] }) => sizes.slice(0, 1)),
  ].map(({ url, type, medium }) => ({ url, type, medium }));
  if (contents.length > 0) return contents;
  return (media?.thumbnails ?? []).map(({ url }) => ({ url: text(url), medium: "image" }));
}

function dateOf(date: string | undefined): Date | undefined {
  const time = Date.parse(date ?? "");
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** Atom text without a type is plain text. */
function asHtml(construct: { value?: string; type?: string } | undefined): string | undefined {
  if (construct?.value === undefined) return undefined;
  return /html/i.test(construct.type ?? "") ? construct.value : escapeHtml(construct.value);
}

/** The library's types do not say reliably which fields are present, so anything but a string counts as absent. */
function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textValue(value: AtomFeed.Entry<string>["title"]): { value: string; type?: string } | undefined {
  return value && "value" in value ? value : undefined;
}
