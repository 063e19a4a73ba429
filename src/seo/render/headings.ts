import type { Element, ElementContent, Root, RootContent } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { latinWords } from "../../content/index.ts";
import { element, elementsIn, isElement, unwrapped } from "./html.ts";

export interface ArticleHeading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A list of contents is worth its place from this many headings. */
const fewestForContents = 3;
const longestId = 60;
const contentsTitle = "Содержание";
const contentsTitles: ReadonlySet<string> = new Set(["содержание", "оглавление"]);

/**
 * The body begins at the second level, because the title is the first one: a title written at the top of the text is removed,
 * and other headings are moved so that sections are `h2`.
 */
export function levelled(tree: Root): Root {
  const body: Root = { type: "root", children: withoutTitle(tree.children) };
  const levels = headingsIn(body).map(levelOf);
  const [first] = levels;
  if (first === undefined) return body;
  // A text whose first heading is h1 has its sections there; any other h1 is a slip.
  const shift = first === 1 ? 1 : 2 - Math.min(...levels.filter((level) => level > 1));
  for (const heading of headingsIn(body)) {
    const level = Math.min(6, Math.max(2, levelOf(heading) + shift));
    heading.tagName = `h${level}`;
  }
  return body;
}

/** Gives every heading an id in Latin letters that no other one has, and drops links to places that do not exist. */
export function withIds(tree: Root): { readonly tree: Root; readonly headings: readonly ArticleHeading[] } {
  const taken = new Set<string>();
  const headings = headingsIn(tree).map((heading) => {
    const text = textOf(heading).replace(/\s+/g, " ").trim();
    const id = freeId(latinWords(text, longestId) || "razdel", taken);
    taken.add(id);
    heading.properties = { id };
    return { level: levelOf(heading), id, text };
  });
  const leadsNowhere = ({ tagName, properties: { href } }: Element) =>
    tagName === "a" && typeof href === "string" && href.startsWith("#") && !taken.has(href.slice(1));
  const children = tree.children.map((node) =>
    isElement(node) ? { ...node, children: unwrapped(node.children, leadsNowhere) } : node,
  );
  return { tree: { type: "root", children }, headings };
}

/** The list of contents, or undefined if there are too few headings. */
export function contentsOf(headings: readonly ArticleHeading[]): Element | undefined {
  const listed = headings.filter(({ level, text }) => level <= 3 && text !== "");
  if (listed.length < fewestForContents) return undefined;
  const items: Element[] = [];
  for (const { level, id, text } of listed) {
    const item = element("li", {}, element("a", { href: `#${id}` }, text));
    const section = items.at(-1);
    if (level === 2 || !section) {
      items.push(item);
      continue;
    }
    const inner = section.children.find((child) => isElement(child, "ul"));
    if (inner && isElement(inner)) inner.children.push(item);
    else section.children.push(element("ul", {}, item));
  }
  const title = element("p", {}, element("strong", {}, contentsTitle));
  return element(
    "nav",
    { className: ["article-contents"], ariaLabel: contentsTitle },
    title,
    element("ul", {}, ...items),
  );
}

/** Contents stand after the introduction, before the first section. */
export function withContents(tree: Root, contents: Element | undefined): Root {
  if (!contents) return tree;
  const first = tree.children.findIndex((node) => isElement(node, "h2"));
  return { type: "root", children: tree.children.toSpliced(Math.max(0, first), 0, contents) };
}

/** Models like to write contents themselves; ours replace them. */
export function withoutOwnContents(tree: Root): Root {
  const start = tree.children.findIndex(isContentsTitle);
  if (start < 0) return tree;
  const list = tree.children.findIndex((node, index) => index > start && isElement(node));
  const found = tree.children[list];
  if (!found || !isElement(found, "ul", "ol")) return tree;
  return { type: "root", children: tree.children.toSpliced(start, list - start + 1) };
}

export function levelOf({ tagName }: Element): number {
  return Number(tagName.slice(1));
}

export function isHeading(node: RootContent | ElementContent): node is Element {
  return isElement(node, "h1", "h2", "h3", "h4", "h5", "h6");
}

function headingsIn(tree: Root): Element[] {
  return [...elementsIn(tree)].filter(isHeading);
}

function withoutTitle(children: readonly RootContent[]): RootContent[] {
  const first = children.findIndex((node) => isElement(node));
  const top = children[first];
  return top && isElement(top, "h1") ? children.toSpliced(first, 1) : [...children];
}

function isContentsTitle(node: RootContent): boolean {
  if (!isElement(node, "p", "h2", "h3", "h4")) return false;
  return contentsTitles.has(textOf(node).trim().toLowerCase().replace(/:$/, ""));
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}
