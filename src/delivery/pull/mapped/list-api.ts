import type { ApiConfig } from "../config.ts";
import { fetchDocument, hostOf, type ListDeps } from "../fetch-document.ts";
import { type Candidate, failed, type Listing, type PullFailure, type Source } from "../source.ts";
import { createMapper } from "./mapped-item.ts";
import { valueAt } from "./pointer.ts";

/** Reads a JSON API page by page within the limits, and maps its items. */
export async function listApi(source: Source, config: ApiConfig, deps: ListDeps): Promise<Listing> {
  const pages: object[][] = [];
  let next: string | undefined;
  let bytes = 0;
  for (let page = 0; page < (config.paging?.max_pages ?? 1); page++) {
    const url = addressOf(source, config, page, next);
    const fetched = await fetchDocument(url, { accept: "application/json", ...config.headers }, deps);
    if (fetched.kind !== "document") return fetched;
    bytes += fetched.answer.body.byteLength;
    if (bytes > deps.limits.wholeBytes)
      return failed(
        "source_too_large",
        `${hostOf(url)}: ${page + 1} pages are larger than ${deps.limits.wholeBytes} bytes together; lower paging.max_pages`,
      );
    const read = readPage(fetched.answer.body, config);
    if ("failure" in read) return failed(read.failure.code, `${hostOf(url)}: ${read.failure.message}`);
    pages.push(read.items);
    const { paging } = config;
    const cursor = paging?.by === "cursor" ? wordOf(valueAt(read.document, paging.next)) : undefined;
    // A server that returns the same cursor again would be asked for ever.
    const ended = paging?.by === "cursor" ? cursor === undefined || cursor === next : read.items.length === 0;
    next = cursor;
    if (ended) break;
  }
  const inOrder = config.order === "oldest_first" ? pages.flat() : pages.flat().toReversed();
  return listed(inOrder, config, source);
}

function addressOf(source: Source, config: ApiConfig, page: number, next: string | undefined): string {
  const url = new URL(config.url);
  const { cursor_to: since } = source.cursor;
  if (config.cursor_param && typeof since === "string") url.searchParams.set(config.cursor_param, since);
  if (config.paging?.by === "page")
    url.searchParams.set(config.paging.param, String(config.paging.first + page));
  if (config.paging?.by === "cursor" && next !== undefined) url.searchParams.set(config.paging.param, next);
  return url.href;
}

function readPage(
  body: Uint8Array,
  config: ApiConfig,
): { document: unknown; items: object[] } | { failure: PullFailure } {
  const malformed = (message: string) => ({ failure: { code: "source_malformed", message } as const });
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    return malformed(`the answer is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const items = valueAt(document, config.items_path);
  if (!Array.isArray(items)) return malformed(`there is no list at "${config.items_path}"`);
  return { document, items: items.filter((item) => typeof item === "object" && item !== null) };
}

function listed(items: readonly object[], config: ApiConfig, source: Source): Listing {
  const mapper = createMapper(config, source.sourceId);
  const candidates: Candidate[] = [];
  for (const item of items) {
    const ref = mapper.id(item);
    // Without an id an item cannot be remembered, and the mapping is wrong for all of them.
    if (ref === undefined)
      return failed("source_malformed", `an item has nothing at the id's place, "${config.fields.id}"`);
    const publishedAt = mapper.publishedAt(item);
    candidates.push({
      ref,
      ...(publishedAt && { publishedAt }),
      cursor: {
        cursor_to: mapper.cursor(item) ?? ref,
        last_seen_id: ref,
        ...(publishedAt && { last_seen_ts: publishedAt.toISOString() }),
      },
      post: () => mapper.post(item),
    });
  }
  const dated = candidates.every(({ publishedAt }) => publishedAt);
  return {
    kind: "listed",
    candidates: dated ? candidates.sort((one, other) => timeOf(one) - timeOf(other)) : candidates,
    cursor: {},
    more: false,
  };
}

function timeOf({ publishedAt }: Candidate): number {
  return publishedAt?.getTime() ?? 0;
}

function wordOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
