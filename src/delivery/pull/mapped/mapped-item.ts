import type { ApiConfig, DbConfig } from "../config.ts";
import { cleanHtml } from "../html/clean-html.ts";
import { escapeHtml } from "../html/escape-html.ts";
import { pullLimits } from "../pull-limits.ts";
import { type Expression, expressionCompiler } from "./expression.ts";

/** Maps an item of an API or a row of a table to a post, by the source's configuration. */
export interface ItemMapper {
  id(item: object): string | undefined;
  publishedAt(item: object): Date | undefined;
  cursor(item: object): string | undefined;
  post(item: object): Record<string, unknown>;
}

/** No platform takes more; it limits the work, not the post. */
const longestText = 50_000;

type Mapping = Pick<
  ApiConfig | DbConfig,
  "fields" | "parse_mode" | "media_type" | "tags" | "link" | "link_text"
>;

/** One mapper per run: its expressions share one time budget. */
export function createMapper(
  config: Mapping,
  sourceId: string,
  budgetMs: number = pullLimits.expressionsMs,
): ItemMapper {
  const compileExpression = expressionCompiler(budgetMs);
  const { id, text, media, tags, link, published_at, cursor, ...extra } = config.fields;
  const field = (expression: string | undefined): Expression =>
    expression === undefined ? () => undefined : compileExpression(expression);
  const isHtml = config.parse_mode === "HTML";
  const read = {
    id: field(id),
    media: field(media),
    tags: field(tags),
    link: field(link),
    publishedAt: field(published_at),
    cursor: field(cursor),
    text: text === undefined ? () => undefined : compileExpression(text, config.parse_mode),
    extra: Object.entries(extra).map(([name, expression]) => [name, compileExpression(expression)] as const),
  };

  return {
    id: (item) => textOf(read.id(item)),
    publishedAt: (item) => dateOf(read.publishedAt(item)),
    cursor: (item) => textOf(read.cursor(item)),
    post(item) {
      const url = textOf(read.link(item));
      const files = mediaIn(read.media(item), config.media_type);
      const written = textOf(read.text(item)) ?? "";
      const words = isHtml ? cleanHtml(written, { base: url, longest: longestText }).html : written;
      const appended =
        url && config.link === "append" ? `${words}\n\n${isHtml ? escapeHtml(url) : url}` : words;
      return {
        payload: {
          ...Object.fromEntries(read.extra.map(([name, value]) => [name, value(item)])),
          ...(appended.trim() && { text: appended }),
          parse_mode: config.parse_mode,
          ...(files.length > 0 && { media: files }),
          ...(url && config.link === "button" && { buttons: [[{ text: config.link_text, url }]] }),
        },
        tags: [...config.tags, ...listOf(read.tags(item))],
        source: { source_id: sourceId, ...(url && { url }) },
      };
    },
  };
}

/** One address, several, or objects that contain one. */
function mediaIn(value: unknown, type: string): { url: string; type: string }[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each) => {
    const url = textOf(typeof each === "object" && each !== null && "url" in each ? each.url : each);
    return url ? [{ url, type }] : [];
  });
}

/** A list, or comma-separated words. */
function listOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : (textOf(value)?.split(",") ?? []);
  return values.map(textOf).filter((word) => word !== undefined);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** ISO and RFC 2822 texts; numbers are Unix seconds, or milliseconds if they are too large for seconds. */
function dateOf(value: unknown): Date | undefined {
  const words = textOf(value);
  if (words === undefined) return undefined;
  const number = /^\d{9,13}(\.\d+)?$/.test(words) ? Number(words) : undefined;
  const time = number === undefined ? Date.parse(words) : number < 1e11 ? number * 1000 : number;
  return Number.isNaN(time) ? undefined : new Date(time);
}
