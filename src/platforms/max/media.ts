import type { Media } from "../../content/index.ts";
import type { CompiledMedia } from "../contract.ts";
import type { UploadType } from "./limits.ts";

/**
 * MAX's type of a file. It has no animations: a GIF is an image, any other animation a video. Before the file is
 * fetched, only its address can tell.
 */
export function uploadTypeOf(
  { kind, url }: Pick<CompiledMedia, "kind" | "url">,
  contentType?: string,
): UploadType {
  switch (kind) {
    case "photo":
      return "image";
    case "document":
      return "file";
    case "animation":
      return (contentType ? contentType === "image/gif" : isGifAddress(url)) ? "image" : "video";
    default:
      return kind;
  }
}

function isGifAddress(url: string | undefined): boolean {
  return url !== undefined && /\.gif$/i.test(new URL(url).pathname);
}

/** Audio and files must be the only media of a message. */
const exclusive = new Set<UploadType>(["audio", "file"]);

/** Groups neighbouring media that one message can hold, at most `most` of them, and keeps their order. */
export function messagesOf(media: readonly Media[], most: number): Media[][] {
  const messages: Media[][] = [];
  for (const item of media) {
    const message = messages.at(-1);
    const alone = exclusive.has(uploadTypeOf(item));
    const open =
      message && message.length < most && !message.some((other) => exclusive.has(uploadTypeOf(other)));
    if (open && !alone) message.push(item);
    else messages.push([item]);
  }
  return messages;
}
