import type { Document } from "./document.ts";

/** How the author wrote the text. Some platforms answer in kind. */
export type TextFormat = "html" | "markdown" | "plain";

/**
 * Which Markdown: CommonMark with GitHub's additions, Telegram's MarkdownV2, the Markdown that Telegram had before
 * it, or MAX's.
 */
export const markdownDialects = ["commonmark", "telegram", "telegram_legacy", "max"] as const;
export type MarkdownDialect = (typeof markdownDialects)[number];

/** Everything one post is: what it says, what it shows, what it offers to press, how it is to be posted. */
export interface Post {
  readonly document: Document;
  readonly format: TextFormat;
  /** In the order in which readers see them. */
  readonly media: readonly Media[];
  /** Rows of links. */
  readonly buttons: readonly (readonly Button[])[];
  readonly options: PostOptions;
}

export const mediaKinds = ["photo", "video", "animation", "audio", "document"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** One of `url`, `blobRef`, `fileId` is always there. */
export interface Media {
  readonly kind: MediaKind;
  readonly url?: string;
  /** A file in our own storage. */
  readonly blobRef?: string;
  /** A file that Telegram already has, known to one bot only. */
  readonly fileId?: string;
  readonly caption?: Document;
  readonly alt?: string;
}

export interface Button {
  readonly text: string;
  readonly url: string;
}

export interface LinkPreview {
  /** The link to preview, instead of the text's first. */
  readonly url?: string;
  readonly size?: "small" | "large";
  /** Above the text instead of below it. */
  readonly above?: boolean;
}

/** What the author decided; what is absent is left to the channel. */
export interface PostOptions {
  /** `false` shows none; the settings are for platforms that have them. */
  readonly linkPreview?: boolean | LinkPreview;
  readonly silent?: boolean;
  readonly protected?: boolean;
  /** The provider's id of the message this one answers. */
  readonly replyTo?: string;
  readonly topicId?: string;
}
