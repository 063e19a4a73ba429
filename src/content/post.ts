import type { Article } from "./article.ts";
import type { Document } from "./document.ts";

/** The format of the author's text. Some platforms send the same format. */
export type TextFormat = "html" | "markdown" | "plain";

/**
 * Which Markdown: CommonMark with GitHub's additions, Telegram's MarkdownV2, the Markdown that Telegram had before
 * it, or MAX's.
 */
export const markdownDialects = ["commonmark", "telegram", "telegram_legacy", "max"] as const;
/** A parse mode that names a dialect; `MarkdownV2` is Telegram's own. */
export const dialectsByMode = { markdownv2: "telegram" } as const satisfies Record<string, MarkdownDialect>;
export type MarkdownDialect = (typeof markdownDialects)[number];

/** A post: its text, media, buttons and options. */
export interface Post {
  readonly document: Document;
  readonly format: TextFormat;
  /** In display order. */
  readonly media: readonly Media[];
  /** Rows of links. */
  readonly buttons: readonly (readonly Button[])[];
  readonly options: PostOptions;
  /** For platforms that publish pages. */
  readonly article?: Article;
}

export const mediaKinds = ["photo", "video", "animation", "audio", "document"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** One of `url`, `blobRef`, `fileId` is always there. */
export interface Media {
  readonly kind: MediaKind;
  readonly url?: string;
  /** A file in our own storage. */
  readonly blobRef?: string;
  /** A file that Telegram already has; valid for one bot only. */
  readonly fileId?: string;
  readonly caption?: Document;
  readonly alt?: string;
}

export interface Button {
  readonly text: string;
  readonly url: string;
}

export interface LinkPreview {
  /** The link to preview instead of the first one of the text. */
  readonly url?: string;
  readonly size?: "small" | "large";
  /** Above the text instead of below it. */
  readonly above?: boolean;
}

/** Choices of the author; the channel's settings decide the rest. */
export interface PostOptions {
  /** `false` shows none; the settings apply where a platform has them. */
  readonly linkPreview?: boolean | LinkPreview;
  readonly silent?: boolean;
  readonly protected?: boolean;
  /** The provider's id of the message that this one replies to. */
  readonly replyTo?: string;
  readonly topicId?: string;
}
