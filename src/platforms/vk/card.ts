import type { Post, PostOptions } from "../../content/index.ts";
import { firstAddress } from "../first-address.ts";

interface CardRules {
  /** The text as it will be posted, with every address spelt out. */
  readonly text: string;
  /** The address of an article's original. */
  readonly original: string | undefined;
  readonly options: PostOptions;
  /** No picture is uploaded, so a card can be shown. */
  readonly withoutPictures: boolean;
}

/**
 * The link whose card VK shows under the text. A post whose pictures cannot be uploaded gets one whenever it has a link
 * or a picture with an address; others get the link they name, or the original of an article.
 */
export function cardFor(
  { media }: Post,
  { text, original, options, withoutPictures }: CardRules,
): string | undefined {
  const { linkPreview } = options;
  if (!withoutPictures) return undefined;
  const named = typeof linkPreview === "object" ? linkPreview.url : undefined;
  const wanted = linkPreview === false ? undefined : (named ?? original);
  const standIn = () => original ?? firstAddress(text) ?? media.find(({ url }) => url)?.url;
  const url = wanted ?? (media.length > 0 ? standIn() : undefined);
  // Attachments are separated by commas.
  return url?.replaceAll(",", "%2C");
}
