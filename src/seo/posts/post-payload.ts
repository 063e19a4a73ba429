import { escapeHtml } from "../render/html.ts";
import type { PictureFile } from "../render/index.ts";
import { joined } from "./fit-post.ts";
import { asText } from "./markup.ts";
import type { PostResult } from "./shape.ts";

type Shown = Pick<
  PostResult,
  "platform" | "text" | "format" | "hashtags" | "pin_title" | "disclaimer" | "link" | "phrase"
>;

/** The post as the delivery engine takes it. */
export function payloadOf(post: Shown, files: readonly (PictureFile | undefined)[]) {
  const { platform, link, phrase } = post;
  const isPin = platform === "pinterest";
  return {
    ...textOf(post),
    media: files
      .filter((file) => file !== undefined)
      .map((file) => ({ type: "photo" as const, ...file, ...(isPin && { alt: phrase }) })),
    ...(isPin && link !== null && { link_preview: { url: link } }),
  };
}

/** The whole text as readers see it, without markup. */
export const readersText = ({ text, disclaimer, hashtags }: Shown): string =>
  joined(asText(text), disclaimer, hashtags);

/** A Pin's title is the bold line above its text. */
function textOf(post: Shown) {
  const { text, format, disclaimer, hashtags, pin_title } = post;
  if (pin_title !== null)
    return {
      text: `<b>${escapeHtml(pin_title)}</b>\n\n${escapeHtml(readersText(post))}`,
      parse_mode: "HTML" as const,
    };
  if (format === "plain") return { text: readersText(post), parse_mode: "None" as const };
  return {
    text: joined(text, disclaimer === null ? null : escapeHtml(disclaimer), hashtags),
    parse_mode: "HTML" as const,
  };
}
