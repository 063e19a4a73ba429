import type { Element, ElementContent, Root, RootContent } from "hast";
import { sanitize } from "hast-util-sanitize";
import { isWebAddress } from "../../content/index.ts";
import { parsedUrl } from "../../kernel/url/index.ts";
import { allowedByDocument, deepest, linkSchemes } from "./allowed.ts";
import { htmlOf, parsedHtml } from "./html.ts";
import { safeStyle } from "./safe-style.ts";

export interface SanitiseOptions {
  /** Completes relative links; without it they lose their address. */
  readonly site?: string;
  /** Which links of the text stay links; all with an allowed scheme unless given. */
  readonly isLinkAllowed?: (url: string) => boolean;
}

/** Thrown when a text cannot be made safe; the caller shows it as plain text instead. */
export class Unreadable extends Error {}

/** Parsers repair what they read; a page is safe only if it is read again as it was written. */
const mostRounds = 5;

/**
 * Leaves only allowed tags, attributes, addresses and styles, and repeats that until a parser reads the result as it stands:
 * markup that becomes dangerous only when it is parsed a second time (mXSS) does not survive this.
 */
export function sanitised(html: string, options: SanitiseOptions = {}): Root {
  let written = html;
  for (let round = 0; round < mostRounds; round++) {
    const tree = cleaned(parsedHtml(written), options);
    const now = htmlOf(tree);
    if (now === written) return tree;
    written = now;
  }
  throw new Unreadable("the markup changes each time it is read");
}

function cleaned(parsed: Root, options: SanitiseOptions): Root {
  checkDepth(parsed);
  const tree = sanitize(parsed, allowedByDocument);
  const children = tree.type === "root" ? tree.children : [tree];
  return { type: "root", children: children.flatMap((node) => checkedTop(node, options)) };
}

function checkedTop(node: RootContent, options: SanitiseOptions): RootContent[] {
  return node.type === "doctype" ? [] : checked(node, options);
}

function checked(node: ElementContent, options: SanitiseOptions): ElementContent[] {
  if (node.type === "text") return node.value === "" ? [] : [{ type: "text", value: node.value }];
  if (node.type !== "element") return [];
  const children = node.children.flatMap((child) => checked(child, options));
  if (node.tagName === "a") return linkOf(node, children, options);
  if (node.tagName === "span") return spanOf(node, children);
  if (node.tagName === "pre") return [{ ...node, properties: {}, children: withoutFirstLineEnds(children) }];
  const properties = checkedProperties(node);
  return [{ type: "element", tagName: node.tagName, properties, children }];
}

/** Parsers drop a line end that follows `<pre>`. */
function withoutFirstLineEnds([first, ...rest]: ElementContent[]): ElementContent[] {
  if (first?.type !== "text") return first ? [first, ...rest] : [];
  const value = first.value.replace(/^[\r\n]+/, "");
  return value === "" ? rest : [{ type: "text", value }, ...rest];
}

/** A link without an allowed address is only its text. */
function linkOf(
  { properties }: Element,
  children: ElementContent[],
  { site, isLinkAllowed }: SanitiseOptions,
): ElementContent[] {
  const href = addressOf(String(properties.href ?? ""), site);
  if (href === undefined || (!href.startsWith("#") && isLinkAllowed?.(href) === false)) return children;
  const title = typeof properties.title === "string" ? { title: withoutBrackets(properties.title) } : {};
  const target = properties.target === "_blank" ? { target: "_blank" } : {};
  const rel = href.startsWith("#") ? {} : { rel: ["noopener", "noreferrer"] };
  return [{ type: "element", tagName: "a", properties: { href, ...title, ...target, ...rel }, children }];
}

function addressOf(href: string, site: string | undefined): string | undefined {
  if (href === "") return undefined;
  if (/^#[\w-]{1,200}$/.test(href)) return href;
  const url = parsedUrl(href, site);
  return url && linkSchemes.has(url.protocol) ? url.href : undefined;
}

function spanOf({ properties }: Element, children: ElementContent[]): ElementContent[] {
  const style = safeStyle(String(properties.style ?? ""));
  return style === undefined
    ? children
    : [{ type: "element", tagName: "span", properties: { style }, children }];
}

function checkedProperties({ tagName, properties }: Element): Element["properties"] {
  if (tagName === "img") {
    const { src, alt } = properties;
    return {
      // A placeholder has no address yet; `figures.ts` replaces it.
      ...(typeof src === "string" && { src: isWebAddress(src) ? src : placeholderIn(src) }),
      alt: typeof alt === "string" ? withoutBrackets(alt) : "",
      ...sizes(properties, ["width", "height"], 20_000),
      loading: "lazy",
    };
  }
  return tagName === "td" || tagName === "th" ? sizes(properties, ["colSpan", "rowSpan"], 100) : {};
}

/** Angle brackets in attributes are how a page changes its meaning when it is parsed a second time. */
const withoutBrackets = (text: string): string => text.replace(/[<>]/g, "");

function placeholderIn(src: string): string {
  const [, place] = /^(?:\{|%7B){2}IMAGE_(\d{1,3})(?:\}|%7D){2}$/i.exec(src) ?? [];
  return place === undefined ? "" : `{{IMAGE_${place}}}`;
}

function sizes(
  properties: Element["properties"],
  names: readonly string[],
  largest: number,
): Element["properties"] {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Number(properties[name]);
      return Number.isInteger(value) && value >= 1 && value <= largest ? [[name, value]] : [];
    }),
  );
}

/** Without recursion, because this protects those that recurse. */
function checkDepth(tree: Root): void {
  let level: RootContent[] = tree.children;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new Unreadable(`tags nest more than ${deepest} deep`);
    level = level.flatMap((node): RootContent[] => ("children" in node ? node.children : []));
  }
}
