import { badRequest } from "../api-error.ts";
import { type Entity, type FormattedText, inOrder } from "./entity.ts";
import { checkedLink, mentionedUser } from "./link.ts";
import { preLanguage } from "./markdown-v2.ts";

/** The old Markdown: four delimiters, no nesting, a backslash escapes a delimiter. */
export function parseMarkdown(source: string): FormattedText {
  const entities: Entity[] = [];
  let text = "";
  let at = 0;

  while (at < source.length) {
    const sign = source.charAt(at);
    if (sign === "\\" && /[_*`[]/.test(source.charAt(at + 1))) {
      text += source.charAt(at + 1);
      at += 2;
    } else if (!/[_*`[]/.test(sign)) {
      text += sign;
      at += 1;
    } else {
      at = readEntity(sign);
    }
  }
  return { text, entities: inOrder(entities) };

  function readEntity(sign: string): number {
    const fence = source.startsWith("```", at) ? "```" : sign;
    const language = fence === "```" ? preLanguage(source.slice(at + 3)) : undefined;
    const skipped = language === undefined ? 0 : language.length + 1;
    const from = at + fence.length + skipped;
    const to = source.indexOf(sign === "[" ? "]" : fence, from);
    if (to < 0) {
      const offset = Buffer.byteLength(source.slice(0, at));
      throw badRequest(
        `can't parse entities: Can't find end of the entity starting at byte offset ${offset}`,
      );
    }
    const offset = text.length;
    text += source.slice(from, to);
    const place = { offset, length: to - from };
    if (sign === "[") return readLink(place, to + 1);
    if (place.length > 0) {
      if (fence === "```") entities.push({ type: "pre", ...place, ...(language && { language }) });
      else entities.push({ type: sign === "*" ? "bold" : sign === "_" ? "italic" : "code", ...place });
    }
    return to + fence.length;
  }

  function readLink(place: { offset: number; length: number }, from: number): number {
    const closed = source[from] === "(" ? source.indexOf(")", from) : -1;
    const address = closed < 0 ? text.slice(place.offset) : source.slice(from + 1, closed);
    const user = mentionedUser(address);
    const url = checkedLink(address);
    if (place.length > 0 && user !== undefined)
      entities.push({ type: "text_mention", ...place, user: { id: user } });
    else if (place.length > 0 && url !== undefined) entities.push({ type: "text_link", ...place, url });
    return closed < 0 ? from : closed + 1;
  }
}
