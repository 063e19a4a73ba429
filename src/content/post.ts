import type { Document } from "./document.ts";

/** How the author wrote the text. Some platforms answer in kind. */
export type TextFormat = "html" | "markdown" | "plain";

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

/** What the author decided; what is absent is left to the channel. */
export interface PostOptions {
  readonly linkPreview?: boolean;
  readonly silent?: boolean;
  readonly protected?: boolean;
  /** The provider's id of the message this one answers. */
  readonly replyTo?: string;
  readonly topicId?: string;
}
