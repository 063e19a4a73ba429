import { badRequest } from "../api-error.ts";
import { limits } from "../limits.ts";
import { cleaned, trimmed, untangled } from "./clean.ts";
import { withDetected } from "./detect.ts";
import type { FormattedText } from "./entity.ts";
import { givenEntities } from "./given.ts";
import { parseHtml } from "./html.ts";
import { parseMarkdown } from "./markdown.ts";
import { parseMarkdownV2 } from "./markdown-v2.ts";

export type { Entity, EntityType, FormattedText } from "./entity.ts";
export { checkedLink } from "./link.ts";

/** A text of a request. */
export interface RawText {
  readonly text: string;
  readonly parseMode?: string | undefined;
  /** The parsed JSON of `entities` or `caption_entities`; ignored if there is a parse mode. */
  readonly entities?: unknown;
}

const parsers: Readonly<Record<string, (source: string) => FormattedText>> = {
  html: parseHtml,
  markdown: parseMarkdown,
  markdownv2: parseMarkdownV2,
};

/** Converts a request's text to the plain text and entities of a message. */
export function formatText(raw: RawText): FormattedText {
  if (/\p{Surrogate}/u.test(raw.text)) throw badRequest("strings must be encoded in UTF-8");
  if (Buffer.byteLength(raw.text) > limits.rawTextBytes) throw badRequest("text is too long");
  const { text, entities } = trimmed(parsed(raw));
  return { text, entities: withDetected(text, untangled(entities)) };
}

function parsed({ text, parseMode, entities }: RawText): FormattedText {
  const mode = parseMode?.toLowerCase() ?? "";
  if (mode !== "" && mode !== "none") {
    const parse = parsers[mode];
    if (!parse) throw badRequest("unsupported parse_mode");
    return parse(cleaned({ text, entities: [] }).text);
  }
  return cleaned({ text, entities: entities === undefined ? [] : givenEntities(entities, text) });
}

/** Length as the Bot API server counts it: an emoji outside the basic plane is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
