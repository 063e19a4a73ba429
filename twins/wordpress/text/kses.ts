import {
  commonAttributes,
  entityNames,
  postTags,
  protocols,
  safeStyles,
  titleTags,
  uriAttributes,
} from "./allowed-html.ts";

/**
 * HTML as WordPress stores it for users without `unfiltered_html`. Tags of elements that are not allowed are removed,
 * but their content stays: the text of a script or a style becomes visible in the article.
 */
export function filterPost(html: string): string {
  return filter(html, postTags, commonAttributes);
}

/** The same for titles and terms' descriptions, where little is allowed. */
export function filterTitle(html: string): string {
  return filter(html, titleTags, []);
}

/** Links with a target get `rel="noopener"`, whoever wrote them; unknown protocols are removed from their address. */
export function guardTargets(html: string): string {
  return html.replace(/<a\s([^<>]*)>/gi, (whole, inside: string) => {
    const attributes = attributesOf(inside);
    if (!attributes.some(({ name }) => name === "target")) return whole;
    const rel = attributes.find(({ name }) => name === "rel");
    const words = [...new Set(`${rel?.value ?? ""} noopener`.split(/\s/).filter(Boolean))].join(" ");
    const kept = attributes.map((each) => (each === rel ? `rel="${words}"` : each.whole));
    return `<a ${[...kept, ...(rel ? [] : [`rel="${words}"`])].join(" ")}>`;
  });
}

type Tags = Readonly<Record<string, readonly string[]>>;

function filter(html: string, tags: Tags, common: readonly string[]): string {
  const text = normalizeEntities(escapeLoneBrackets(html.replaceAll("\0", "")));
  const kept: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = bracketFrom(text, at);
    kept.push(text.slice(at, start));
    const isComment = text.startsWith("<!--", start);
    at = text[start] === ">" ? start + 1 : endOf(text, isComment ? "-->" : ">", start);
    const piece = text.slice(start, at);
    if (piece === ">") kept.push("&gt;");
    else if (isComment) kept.push(filterComment(piece, tags, common));
    else if (piece !== "") kept.push(filterTag(piece, tags, common));
  }
  return kept.join("");
}

function bracketFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "<" && text[at] !== ">") at += 1;
  return at;
}

/** Just after the delimiter, or the end of a text that lacks it. */
function endOf(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found < 0 ? text.length : found + sign.length;
}

/** A `<` that no `>` closes before the next `<` is a literal character. */
function escapeLoneBrackets(html: string): string {
  return html.replace(/<[^<>]*(>|(?=<)|$)/g, (piece) => (piece.endsWith(">") ? piece : escapeHtml(piece)));
}

function filterComment(comment: string, tags: Tags, common: readonly string[]): string {
  const inner = comment.replace(/^<!--/, "").replace(/-->$/, "");
  const kept = filter(inner, tags, common).replace(/--+/g, "-").replace(/-$/, "");
  return kept === "" ? "" : `<!--${kept}-->`;
}

function filterTag(tag: string, tags: Tags, common: readonly string[]): string {
  const found = /^<\s*(\/\s*)?([a-zA-Z0-9-]+)((?![a-zA-Z0-9-])[^>]*)?>?$/.exec(tag);
  if (!found) return "";
  const [, slash, element = "", rest = ""] = found;
  const own = Object.hasOwn(tags, element.toLowerCase()) ? tags[element.toLowerCase()] : undefined;
  if (!own) return "";
  if (slash) return `</${element}>`;
  const closing = rest.trimEnd().endsWith("/") ? " /" : "";
  const allowed = new Set([...own, ...common]);
  const kept = attributesOf(rest.trimStart())
    .map((attribute) => keptAttribute(attribute, element.toLowerCase(), allowed))
    .filter((whole) => whole !== undefined)
    .map((whole) => ` ${whole.replace(/[<>]/g, "")}`);
  return `<${element}${kept.join("")}${closing}>`;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly whole: string;
}

function keptAttribute(
  attribute: Attribute,
  element: string,
  allowed: ReadonlySet<string>,
): string | undefined {
  const name = attribute.name.toLowerCase();
  const isData = allowed.has("data-*") && /^data(?:-[a-z0-9_]+)+$/.test(name);
  if (!allowed.has(name) && !isData) return undefined;
  if (name === "style") {
    const style = safeStyle(attribute.value);
    return style === "" ? undefined : attribute.whole.replace(attribute.value, style);
  }
  // An object may show only a PDF of the site's own uploads.
  if (element === "object" && name === "data") return undefined;
  return attribute.whole;
}

/** Attributes as WordPress finds them; the first of a name counts. */
function attributesOf(text: string): Attribute[] {
  const found = new Map<string, Attribute>();
  const pattern = /([_a-zA-Z][-_a-zA-Z0-9:.]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;
  for (const [, name = "", double, single, bare] of text.matchAll(pattern)) {
    if (found.has(name)) continue;
    const raw = double ?? single ?? bare?.replace(/\/$/, "");
    const value = raw === undefined ? "" : safeValue(name, raw);
    const quote = single === undefined ? '"' : "'";
    found.set(name, { name, value, whole: raw === undefined ? name : `${name}=${quote}${value}${quote}` });
  }
  return [...found.values()];
}

function safeValue(name: string, value: string): string {
  return uriAttributes.includes(name.toLowerCase()) ? withoutBadProtocol(value) : value;
}

/** `javascript:alert(1)` becomes `alert(1)`, repeated until nothing changes. */
function withoutBadProtocol(value: string): string {
  let current = value;
  for (let round = 0; round < 6; round += 1) {
    const found = /:|&#0*58;|&#x0*3a;|&colon;/i.exec(current);
    const before = found ? current.slice(0, found.index) : undefined;
    if (before === undefined || before.includes("/?")) return current;
    const scheme = before.replace(/\s/g, "").toLowerCase();
    const rest = current.slice((found?.index ?? 0) + (found?.[0].length ?? 0)).trim();
    // A colon after a slash, a question mark or a hash does not end a protocol.
    if (/[/?#]/.test(before)) return current;
    if (protocols.includes(scheme)) return `${scheme}:${rest}`;
    current = rest;
  }
  return current;
}

function safeStyle(style: string): string {
  return style
    .replace(/[\n\r\t]/g, "")
    .split(";")
    .map((item) => item.trim())
    .filter((item) => item !== "" && isSafeStyle(item))
    .join(";");
}

function isSafeStyle(item: string): boolean {
  const colon = item.indexOf(":");
  const property = item.slice(0, Math.max(0, colon)).trim();
  if (colon >= 0 && !safeStyles.has(property) && !/^--[\w-]+$/.test(property)) return false;
  const bare = item.replace(/\b(?:var|calc|min|max|minmax|clamp|repeat|url|rgba?)\([^()]*\)/g, "");
  return !/[\\(&=}]|\/\*/.test(bare);
}

function normalizeEntities(text: string): string {
  return text.replace(
    /&(?:([A-Za-z]{2,8}[0-9]{0,2});|#(0*[0-9]{1,7});|#[Xx](0*[0-9A-Fa-f]{1,6});)?/g,
    (whole, name, decimal, hex) => {
      if (name) return entityNames.has(name) ? whole : `&amp;${name};`;
      if (decimal) return `&#${String(Number(decimal)).padStart(3, "0")};`;
      if (hex) return `&#x${String(hex).replace(/^0+/, "")};`;
      return "&amp;";
    },
  );
}

export function escapeHtml(text: string): string {
  return text
    .replace(/&(?!#?\w{1,8};)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#039;");
}
