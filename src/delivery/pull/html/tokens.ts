import { decodeEntities } from "./decode-entities.ts";

/** A piece of HTML: text with its entities decoded, or a tag. */
export type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open" | "close"; readonly tag: string; readonly attributes: string };

/** Elements whose content is not text for readers; they are removed with their content. */
const neverText = new Set([
  ...["script", "style", "iframe", "object", "embed", "template", "svg", "math", "noscript", "head", "title"],
  ...["audio", "video", "canvas", "map", "select", "textarea", "button"],
]);

/**
 * Comments, tags, and the text between them. A quoted value may contain `>`; no tag extends beyond the next `<`, so that the
 * time is linear and not quadratic.
 */
const pieces =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^<>]*>|<(\/?)([a-zA-Z][\w:-]*)(?![\w:-])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*|[^<>]*)>|[^<]+|</g;

/**
 * Reads HTML in one pass. A browser-like parser repairs as it reads, and a hostile text can make it produce gigabytes; a post
 * needs so little of HTML that no such parser is necessary.
 */
export function tokensOf(source: string): Token[] {
  const lowerCase = source.toLowerCase();
  const tokens: Token[] = [];
  const texts: string[] = [];
  let skipUntil = 0;
  for (const piece of source.matchAll(pieces)) {
    if (piece.index < skipUntil) continue;
    const [whole, slash, name, attributes = ""] = piece;
    if (name === undefined) {
      if (/^<[!?]/.test(whole)) continue;
      tokens.push({ kind: "text", text: "" });
      texts.push(whole);
      continue;
    }
    const tag = name.toLowerCase();
    if (neverText.has(tag)) {
      if (!slash && !attributes.endsWith("/")) skipUntil = endOf(tag, lowerCase, piece.index + whole.length);
      continue;
    }
    tokens.push({ kind: slash ? "close" : "open", tag, attributes });
  }
  const decoded = decodeEntities(texts).values();
  return tokens.map((token) =>
    token.kind === "text" ? { ...token, text: decoded.next().value ?? "" } : token,
  );
}

/** The value of an attribute, with entities decoded. */
export function attribute(name: string, attributes: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes,
  );
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value?.includes("&") ? decodeEntities([value])[0] : value;
}

function endOf(tag: string, lowerCase: string, from: number): number {
  const close = lowerCase.indexOf(`</${tag}`, from);
  return close < 0 ? lowerCase.length : close;
}
