import type { Element, ElementContent, Root, RootContent } from "hast";
import { toString as textOf } from "hast-util-to-string";
import rehypeParse from "rehype-parse";
import { unified } from "unified";

/** What a page shows to readers and search engines. */
export interface HtmlPage {
  /** Texts of h1 to h6 in order, anywhere on the page. */
  readonly headings: readonly string[];
  /** The text of the article, one entry per block, without menus, code samples and what browsers do not show. */
  readonly readable: readonly string[];
  /** Addresses of the article's pictures, as the page writes them. */
  readonly pictures: readonly string[];
  /** The content of meta tags for robots, in lower case. */
  readonly robots: readonly string[];
  readonly canonical?: string;
  /** The base of relative addresses, if it is not the page's own address. */
  readonly base?: string;
}

const parser = unified().use(rehypeParse);

/** Parsing this many takes a second at worst; real pages have a few thousand. */
const mostTags = 30_000;

/** The page, or why it is not parsed: a hostile page may be built to keep a parser busy or to exhaust its stack. */
export function readPage(html: string): HtmlPage | { readonly fault: string } {
  let tags = 0;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) tags++;
  if (tags > mostTags) return { fault: `it has more than ${mostTags} tags` };
  try {
    return readHtml(html);
  } catch (error) {
    if (error instanceof RangeError) return { fault: "its tags lie too deep in each other" };
    throw error;
  }
}

export function readHtml(html: string): HtmlPage {
  const root = parser.parse(html);
  const all = elementsOf(root);
  const headings = all.filter(isHeading).map(wordsOf);
  const article = articleOf(root, all);
  const shown = elementsOf(article, isShown);
  const canonical = all.find(
    ({ tagName, properties }) => tagName === "link" && listed(properties.rel).includes("canonical"),
  )?.properties.href;
  const base = all.find(({ tagName }) => tagName === "base")?.properties.href;
  return {
    headings,
    readable: blocksOf(article),
    pictures: [...new Set(shown.filter(({ tagName }) => tagName === "img").flatMap(pictureOf))],
    robots: all.filter(isForRobots).map(({ properties }) => String(properties.content ?? "").toLowerCase()),
    ...(typeof canonical === "string" && { canonical }),
    ...(typeof base === "string" && { base }),
  };
}

const isHeading = ({ tagName }: Element) => /^h[1-6]$/.test(tagName);

/** Google and Yandex read a tag of their own name besides the common one. */
const robotNames = new Set(["robots", "googlebot", "yandex"]);
const isForRobots = ({ tagName, properties }: Element) =>
  tagName === "meta" && robotNames.has(String(properties.name ?? "").toLowerCase());

/** The text of an element, with line ends and repeated blanks of the source collapsed. */
const wordsOf = (element: Element) => textOf(element).replace(/\s+/g, " ").trim();

/**
 * Finds the element that holds the article; most themes have one. Otherwise the whole page is used without menus and the like.
 */
function articleOf(root: Root, all: readonly Element[]): Root | Element {
  const articles = all.filter(({ tagName }) => tagName === "article");
  const withTitle = articles.find((each) => elementsOf(each).some(({ tagName }) => tagName === "h1"));
  const [first] = articles;
  // Several articles without a title are a list of other posts.
  if (withTitle || articles.length === 1) return withTitle ?? first ?? root;
  const isMain = ({ tagName, properties }: Element) => tagName === "main" || properties.role === "main";
  return all.find(isMain) ?? all.find(({ tagName }) => tagName === "body") ?? root;
}

/** What browsers do not show, what shows code on purpose, and what is not part of the article. */
const passedOver = new Set(
  "head script style template noscript svg math iframe object textarea select pre code kbd samp nav footer aside".split(
    " ",
  ),
);
const isShown = ({ tagName, properties }: Element) =>
  !passedOver.has(tagName) && properties.hidden === undefined && properties.ariaHidden !== "true";

function elementsOf(node: Root | Element, goesInto: (element: Element) => boolean = () => true): Element[] {
  const found: Element[] = [];
  const waiting: (Root | RootContent | ElementContent)[] = [...node.children].reverse();
  // An explicit stack instead of recursion: pages may be nested deeper than the call stack allows.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.type !== "element" || !goesInto(next)) continue;
    found.push(next);
    waiting.push(...[...next.children].reverse());
  }
  return found;
}

const inlineElements = new Set(
  "a abbr b bdi bdo cite data dfn em font i ins label mark q s small span strong sub sup time u var wbr".split(
    " ",
  ),
);

/** The text, split where a block begins or ends. */
function blocksOf(node: Root | Element): string[] {
  const blocks: string[] = [];
  let running = "";
  const end = () => {
    const words = running.replace(/\s+/g, " ").trim();
    if (words) blocks.push(words);
    running = "";
  };
  const waiting: (RootContent | ElementContent | "end")[] = [...node.children].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next === "end") end();
    else if (next.type === "text") running += next.value;
    else if (next.type === "element" && isShown(next)) {
      if (next.tagName === "br") running += " ";
      else if (!inlineElements.has(next.tagName)) {
        end();
        waiting.push("end");
      }
      waiting.push(...[...next.children].reverse());
    }
  }
  end();
  return blocks;
}

/** The address of a picture. Themes with lazy loading keep it in another attribute and put a placeholder in `src`. */
function pictureOf({ properties }: Element): string[] {
  const { src, dataSrc, dataLazySrc, dataOriginal } = properties;
  const found = [dataSrc, dataLazySrc, dataOriginal, src].find(
    (address) => typeof address === "string" && address.trim() !== "" && !address.startsWith("data:"),
  );
  return typeof found === "string" ? [found.trim()] : [];
}

const listed = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : String(value ?? "").split(" ");
