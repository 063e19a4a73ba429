/** One item of a feed in any format, before the source's configuration is applied. */
export interface FeedItem {
  /** guid or id, otherwise the link with the time. */
  readonly ref: string;
  readonly title: string;
  /** HTML, as in the feed. */
  readonly summary: string;
  readonly content: string;
  readonly link?: string;
  readonly publishedAt?: Date;
  readonly categories: readonly string[];
  /** Attached to the item, not part of its text. */
  readonly media: readonly FeedMedia[];
}

export interface FeedMedia {
  readonly url: string;
  readonly type: FeedMediaType;
}

export type FeedMediaType = "photo" | "animation" | "video" | "audio";
