/** The settings of a source as a form has them, and back. What the form has no field for stays as JSON. */
import type { Kind, Source } from "./shapes.ts";

export const mapped = ["id", "text", "media", "link", "published_at"] as const;
export type Mapped = (typeof mapped)[number];

export interface Draft {
  readonly id: string;
  readonly kind: Kind;
  readonly url: string;
  readonly query: string;
  readonly timeColumn: string;
  readonly idColumn: string;
  readonly items: string;
  readonly fields: Readonly<Record<Mapped, string>>;
  readonly mode: string;
  readonly tags: string;
  readonly first: string;
  readonly everyMinutes: string;
  readonly secret: string;
  /** JSON of the other settings. */
  readonly more: string;
}

type Config = Readonly<Record<string, unknown>>;

const noFields = { id: "", text: "", media: "", link: "", published_at: "" };

export const emptyDraft: Draft = {
  ...{ id: "", kind: "rss", url: "", query: "", timeColumn: "", idColumn: "", items: "" },
  ...{ fields: noFields, mode: "None", tags: "", first: "3", everyMinutes: "30", secret: "", more: "" },
};

const shown = ["url", "query", "time_column", "id_column", "items_path", "parse_mode", "tags", "fields"];

export function draftOf({ source_id, kind, config, every_seconds }: Source): Draft {
  const { fields, max_items_first_run, ...others } = config;
  const known: Config = kind !== "rss" && isObject(fields) ? fields : {};
  const more = Object.fromEntries(
    Object.entries({
      ...others,
      // A feed's fields are a list, which is rarely changed.
      ...(kind === "rss" && fields !== undefined && { fields }),
    }).filter(([name]) => !shown.includes(name) || (kind === "rss" && name === "fields")),
  );
  const otherFields = Object.fromEntries(
    Object.entries(known).filter(([name]) => !mapped.some((each) => each === name)),
  );
  const rest = { ...more, ...(Object.keys(otherFields).length > 0 && { fields: otherFields }) };
  return {
    ...{ id: source_id, kind },
    url: textOf(config.url),
    query: textOf(config.query),
    timeColumn: textOf(config.time_column),
    idColumn: textOf(config.id_column),
    items: textOf(config.items_path),
    fields: {
      id: textOf(known.id),
      text: textOf(known.text),
      media: textOf(known.media),
      link: textOf(known.link),
      published_at: textOf(known.published_at),
    },
    mode: textOf(config.parse_mode) || "None",
    tags: Array.isArray(config.tags) ? config.tags.join(", ") : "",
    first: max_items_first_run === undefined ? "3" : String(max_items_first_run),
    everyMinutes: String(every_seconds / 60),
    secret: "",
    more: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : "",
  };
}

/** Undefined if the other settings are no JSON object. */
export function configOf(draft: Draft): Config | undefined {
  const more = moreOf(draft.more);
  if (!more) return undefined;
  const tags = draft.tags
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  const common = {
    ...more,
    ...(tags.length > 0 && { tags }),
    ...(draft.first.trim() !== "" && { max_items_first_run: Number(draft.first) }),
  };
  if (draft.kind === "rss") return { ...common, url: draft.url.trim() };
  const fields = {
    ...(isObject(more.fields) ? more.fields : {}),
    ...Object.fromEntries(
      mapped.map((name) => [name, draft.fields[name]]).filter(([, value]) => value?.trim() !== ""),
    ),
  };
  const post = { ...common, fields, ...(draft.mode !== "None" && { parse_mode: draft.mode }) };
  if (draft.kind === "api")
    return {
      ...post,
      url: draft.url.trim(),
      ...(draft.items.trim() !== "" && { items_path: draft.items.trim() }),
    };
  return {
    ...post,
    query: draft.query,
    time_column: draft.timeColumn.trim(),
    id_column: draft.idColumn.trim(),
  };
}

/** Where a source reads: its address, or the beginning of its query. */
export function addressOf({ config }: Pick<Source, "config">): string {
  return textOf(config.url) || textOf(config.query).trim().replaceAll("\n", " ").slice(0, 120);
}

function moreOf(text: string): Config | undefined {
  if (text.trim() === "") return {};
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Config {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
