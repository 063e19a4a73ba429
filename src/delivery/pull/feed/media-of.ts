import { webAddress } from "../html/web-address.ts";
import type { FeedMedia, FeedMediaType } from "./feed-item.ts";

/** What a feed says about an attached file; any of it may be missing or wrong. */
export interface Attachment {
  readonly url?: string | undefined;
  readonly type?: string | undefined;
  /** Media RSS: image, video, audio. */
  readonly medium?: string | undefined;
}

const byExtension: ReadonlyMap<string, FeedMediaType> = new Map([
  ...(["jpg", "jpeg", "png", "webp"] as const).map((name) => [name, "photo"] as const),
  ["gif", "animation"],
  ...(["mp4", "mov", "webm"] as const).map((name) => [name, "video"] as const),
  ...(["mp3", "m4a", "ogg"] as const).map((name) => [name, "audio"] as const),
]);
const byMedium: ReadonlyMap<string, FeedMediaType> = new Map([
  ["image", "photo"],
  ["video", "video"],
  ["audio", "audio"],
]);

/** Usable attachments in order, without repeated addresses. */
export function mediaOf(attachments: readonly Attachment[], base: string | undefined): FeedMedia[] {
  const media = new Map<string, FeedMedia>();
  for (const attachment of attachments) {
    const url = webAddress(attachment.url, base);
    const type = url && typeOf(attachment, url);
    if (url && type && !media.has(url)) media.set(url, { url, type });
  }
  return [...media.values()];
}

function typeOf({ type, medium }: Attachment, url: string): FeedMediaType | undefined {
  const mime = type?.toLowerCase() ?? "";
  const extension = /\.(\w+)$/.exec(new URL(url).pathname.toLowerCase())?.[1] ?? "";
  if (mime.startsWith("image/svg") || extension === "svg") return undefined;
  if (mime === "image/gif") return "animation";
  return byMedium.get(mime.split("/")[0] ?? "") ?? byExtension.get(extension) ?? byMedium.get(medium ?? "");
}
