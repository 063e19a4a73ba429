/** A post as it is being written, and as the server takes it. */
import type { Draft, SentPost } from "./shapes.ts";

export interface Medium {
  readonly key: string;
  readonly kind: string;
  readonly url: string;
  readonly name: string;
  readonly alt: string;
  /** What the composer does not edit, such as a caption. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface LinkButton {
  readonly key: string;
  readonly text: string;
  readonly url: string;
  /** Stands in one row with the button before it. */
  readonly beside: boolean;
}

export const formats = ["Markdown", "HTML", "None"] as const;
export type Format = (typeof formats)[number];

export interface Post {
  readonly text: string;
  readonly format: Format;
  readonly media: readonly Medium[];
  readonly buttons: readonly LinkButton[];
  /** As they are typed, with commas between them. */
  readonly tags: string;
  /** null: routed by tags. */
  readonly channelIds: readonly string[] | null;
  readonly scheduledFor: string | null;
  /** Fields of the payload that the composer does not edit. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export const blankPost: Post = {
  ...{ text: "", format: "Markdown", media: [], buttons: [], tags: "" },
  ...{ channelIds: null, scheduledFor: null, rest: {} },
};

export function newKey(): string {
  return crypto.randomUUID();
}

export function tagsOf({ tags }: Post): string[] {
  const found = tags.split(/[,#\n]/).map((tag) => tag.trim());
  return [...new Set(found.filter((tag) => tag !== ""))];
}

export function isBlank(post: Post): boolean {
  return (
    post.text.trim() === "" &&
    post.media.length === 0 &&
    post.buttons.every(({ text, url }) => text === "" && url === "") &&
    tagsOf(post).length === 0 &&
    post.channelIds === null &&
    post.scheduledFor === null
  );
}

/** As `PATCH /drafts/{id}` takes it. A choice by hand without a channel cannot be kept: it is no choice yet. */
export function draftBody(post: Post) {
  return {
    payload: payloadOf(post, post.buttons),
    tags: tagsOf(post),
    channel_ids: post.channelIds && post.channelIds.length > 0 ? post.channelIds : null,
    scheduled_for: post.scheduledFor,
  };
}

/** For previews: without buttons that are still being written. */
export function previewPayload(post: Post) {
  return payloadOf(
    post,
    post.buttons.filter(({ text, url }) => text.trim() !== "" && url.trim() !== ""),
  );
}

function payloadOf({ rest, text, format, media }: Post, buttons: readonly LinkButton[]) {
  return {
    ...rest,
    text,
    parse_mode: format,
    ...(media.length > 0 && { media: media.map(mediumOf) }),
    ...(buttons.length > 0 && { buttons: rowsOf(buttons) }),
  };
}

function mediumOf({ rest, kind, url, alt, name }: Medium) {
  return { ...rest, type: kind, url, file_name: name, ...(alt.trim() !== "" && { alt: alt.trim() }) };
}

function rowsOf(buttons: readonly LinkButton[]): { text: string; url: string }[][] {
  const rows: { text: string; url: string }[][] = [];
  for (const { text, url, beside } of buttons) {
    const button = { text: text.trim(), url: url.trim() };
    const last = rows.at(-1);
    if (beside && last) last.push(button);
    else rows.push([button]);
  }
  return rows;
}

export function postOfDraft({ payload, tags, channel_ids, scheduled_for }: Draft): Post {
  const { text, parse_mode, media, buttons, ...rest } = payload;
  return {
    text: textIn(text),
    format: formatOf(parse_mode),
    media: listIn(media).map((medium) => {
      const { type, url, alt, file_name, ...own } = recordIn(medium);
      const kind = textIn(type) || "document";
      const name = textIn(file_name) || textIn(url);
      return { key: newKey(), kind, url: textIn(url), alt: textIn(alt), name, rest: own };
    }),
    buttons: buttonsIn(buttons),
    tags: tags.join(", "),
    channelIds: channel_ids,
    scheduledFor: scheduled_for,
    rest,
  };
}

/** A new post like one that was sent, as its readers know it, into the same channels. Its files are not taken over. */
export function postLike({ post, corrected, tags, items }: SentPost): Post {
  const { text, parse_mode, dialect, buttons } = corrected ?? post;
  const channels = [...new Set(items.map(({ channel }) => channel.id))];
  return {
    ...blankPost,
    text,
    format: formatOf(parse_mode),
    buttons: buttonsIn(buttons),
    rest: dialect === null ? {} : { dialect },
    tags: tags.join(", "),
    channelIds: channels.length > 0 ? channels : null,
  };
}

function formatOf(mode: unknown): Format {
  return formats.find((format) => format === mode) ?? "None";
}

function buttonsIn(rows: unknown): LinkButton[] {
  return listIn(rows).flatMap((row) =>
    listIn(row).map((button, at) => {
      const { text, url } = recordIn(button);
      return { key: newKey(), text: textIn(text), url: textIn(url), beside: at > 0 };
    }),
  );
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
