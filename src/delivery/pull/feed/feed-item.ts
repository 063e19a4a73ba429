/** One item of a feed, whatever its format, before the source's configuration has a say. */
export interface FeedItem {
  /** guid, id, or else the link with the time. */
  readonly ref: string;
  readonly title: string;
  /** HTML, as the feed has it. */
  readonly summary: string;
  readonly content: string;
  readonly link?: string;
  readonly publishedAt?: Date;
  readonly categories: readonly string[];
  /** Attached to the item, not shown inside its text. */
  readonly media: readonly FeedMedia[];
}

export interface FeedMedia {
  readonly url: string;
  readonly type: FeedMediaType;
}

export type FeedMediaType = "photo" | "animation" | "video" | "audio";
