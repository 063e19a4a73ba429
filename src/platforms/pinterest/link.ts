import { createLossLog, markedTextOf, type Post, type PostOptions } from "../../content/index.ts";
import { parsedUrl } from "../../kernel/url/index.ts";
import { firstAddress } from "../first-address.ts";

const webSchemes: ReadonlySet<string> = new Set(["http:", "https:"]);
const isWeb = (url: string) => /^https?:\/\//i.test(url);

/**
 * The link of the Pin: the original of an article, the link that the post names, its first button, or its first link.
 */
export function linkFor(
  { article, buttons, document }: Post,
  { linkPreview }: PostOptions,
): string | undefined {
  const named = typeof linkPreview === "object" ? linkPreview.url : undefined;
  const button = buttons.flat().find(({ url }) => isWeb(url))?.url;
  const said = article?.canonicalUrl ?? named ?? button;
  if (said !== undefined || linkPreview === false) return said;
  const { text, marks } = markedTextOf(document, { losses: createLossLog(), linkSchemes: webSchemes });
  const [first] = marks.flatMap(({ kind }) => (kind.type === "link" && isWeb(kind.url) ? [kind.url] : []));
  return first ?? firstAddress(text);
}

/** The address in ASCII, as browsers send it: some of Pinterest's checks refuse non-Latin letters. */
export const asSent = (url: string): string => parsedUrl(url)?.href ?? url;
