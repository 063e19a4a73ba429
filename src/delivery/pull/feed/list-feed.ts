import type { FeedConfig } from "../config.ts";
import { fetchDocument, hostOf, type ListDeps } from "../fetch-document.ts";
import { type Candidate, failed, type Listing, type Source } from "../source.ts";
import { decodeText } from "./decode-text.ts";
import type { FeedItem } from "./feed-item.ts";
import { itemPost } from "./item-post.ts";

const accepted =
  "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5";

/** Reads a feed, unless the server says that it has not changed since the last complete reading. */
export async function listFeed(source: Source, config: FeedConfig, deps: ListDeps): Promise<Listing> {
  const { etag, last_modified } = source.cursor;
  const fetched = await fetchDocument(
    config.url,
    {
      accept: accepted,
      ...config.headers,
      ...(typeof etag === "string" && { "if-none-match": etag }),
      ...(typeof last_modified === "string" && { "if-modified-since": last_modified }),
    },
    deps,
  );
  if (fetched.kind !== "document") return fetched;

  const { headers, body, url } = fetched.answer;
  const { parseFeed } = await import("./parse-feed.ts");
  const feed = parseFeed(decodeText(body, headers["content-type"]), url);
  if (!feed.ok)
    return failed("source_malformed", `${hostOf(url)} did not answer with a feed: ${feed.message}`);
  return {
    kind: "listed",
    candidates: oldestFirst(feed.items).map((item) => candidateOf(item, config, source.sourceId)),
    // A validator that the server no longer sends must not be sent to it any more.
    cursor: { etag: headers.etag ?? null, last_modified: headers["last-modified"] ?? null },
    more: false,
  };
}

/** By date if there are dates; otherwise a feed's own order, which is newest first, is reversed. */
function oldestFirst(items: readonly FeedItem[]): FeedItem[] {
  const turned = items.toReversed();
  if (turned.some(({ publishedAt }) => !publishedAt)) return turned;
  return turned.sort((one, other) => timeOf(one) - timeOf(other));
}

function timeOf({ publishedAt }: FeedItem): number {
  return publishedAt?.getTime() ?? 0;
}

function candidateOf(item: FeedItem, config: FeedConfig, sourceId: string): Candidate {
  const { ref, publishedAt } = item;
  return {
    ref,
    ...(publishedAt && { publishedAt }),
    cursor: {
      cursor_to: ref,
      last_seen_id: ref,
      ...(publishedAt && { last_seen_ts: publishedAt.toISOString() }),
    },
    post: () => itemPost(item, config, sourceId),
  };
}
