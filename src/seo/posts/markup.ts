import { escapeHtml } from "../render/html.ts";

/** The little markup that posts have: bold and italic for Telegram, none elsewhere. All of it is pure. */

const kept = /(<\/?(?:b|strong|i|em)>)/i;
const anyTag = /<\/?[a-z][^<>]{0,200}>/gi;
const names: Readonly<Record<string, string>> = { strong: "b", em: "i" };

/** A paragraph with its bold and italic parts, everything else as text; what a model left open is closed. */
export function telegramHtml(paragraph: string): string {
  const bold = paragraph.replace(/\*\*([^*\n]{1,300})\*\*/g, "<b>$1</b>");
  const open: string[] = [];
  const parts = bold.split(kept).map((part) => {
    if (!kept.test(part)) return escapeHtml(asText(part));
    const typed = part.replace(/[<>/]/g, "").toLowerCase();
    const name = names[typed] ?? typed;
    if (!part.startsWith("</")) {
      if (open.includes(name)) return "";
      open.push(name);
      return `<${name}>`;
    }
    return closing(open, name);
  });
  return parts.join("") + [...open].reverse().map(close).join("");
}

/** Closes the element and those inside it. */
function closing(open: string[], name: string): string {
  const at = open.lastIndexOf(name);
  return at < 0 ? "" : open.splice(at).reverse().map(close).join("");
}

const close = (name: string) => `</${name}>`;

/** A text without any markup. */
export const asText = (text: string): string =>
  entities.reduce(
    (plain, [entity, sign]) => plain.replaceAll(entity, sign),
    text.replace(anyTag, "").replaceAll("**", "").replaceAll("__", ""),
  );

/** The ampersand last: `&amp;lt;` is `&lt;` for people. */
const entities = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&nbsp;", " "],
  ["&amp;", "&"],
] as const;
