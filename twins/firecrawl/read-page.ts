import { isIP } from "node:net";
import type { Element, ElementContent, Nodes, Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { download } from "../shared/index.ts";
import { pageAt, type WebPage } from "../web/pages.ts";
import type { World } from "./model.ts";

/** A failure to read a page, with the code that Firecrawl has for it. */
export class ScrapeError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A site of the WordPress twin, as Molva names it. */
const wordpressHost = /^([a-z0-9-]+)\.wordpress\.test$/;

/** A page of this machine is fetched; every other one is of the imaginary web. */
export async function readPage(address: string, baseUrl: string, world: World): Promise<WebPage> {
  const url = new URL(address);
  if (url.hostname.endsWith(".invalid"))
    throw new ScrapeError(
      "SCRAPE_DNS_RESOLUTION_ERROR",
      `DNS resolution failed for hostname "${url.hostname}".`,
    );
  const here = addressHere(url, baseUrl);
  if (here) return fetchedPage(here);
  // No other program of this machine or its network is reached from outside.
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) || !url.hostname.includes("."))
    throw new ScrapeError("SCRAPE_SITE_ERROR", "The URL failed to load in the browser.");
  const page = pageAt(address, { hostile: world.hostile });
  const own = world.sites[url.hostname]?.markdown?.[url.pathname];
  return own === undefined ? page : { ...page, markdown: own };
}

/** Where a page is fetched on this machine, if it is here. */
export function addressHere(url: URL, baseUrl: string): string | undefined {
  const site = wordpressHost.exec(url.hostname)?.[1];
  if (site) return `${baseUrl}/wordpress/${site}${url.pathname}${url.search}`;
  return url.host === new URL(baseUrl).host ? url.href : undefined;
}

const maxBytes = 5 * 1024 * 1024;

async function fetchedPage(address: string): Promise<WebPage> {
  const fetched = await download(address, { maxBytes });
  if (!fetched.ok) throw new ScrapeError("SCRAPE_SITE_ERROR", "The URL failed to load in the browser.");
  const tree = unified().use(rehypeParse).parse(new TextDecoder().decode(fetched.file.bytes));
  const body = find(tree, "main") ?? find(tree, "article") ?? find(tree, "body");
  const lines = body ? markdownOf(body) : [];
  const description = all(tree, "meta").find(({ properties }) => properties.name === "description");
  return {
    status: 200,
    title: textOf(find(tree, "title") ?? tree).trim(),
    description: String(description?.properties.content ?? ""),
    markdown: lines.join("\n\n"),
    summary: lines.find((line) => !line.startsWith("#"))?.slice(0, 300) ?? "",
    links: all(tree, "a").flatMap(({ properties }) =>
      typeof properties.href === "string" ? [new URL(properties.href, address).href] : [],
    ),
  };
}

function markdownOf(node: Element): string[] {
  return node.children.flatMap((child: ElementContent): string[] => {
    if (child.type === "text") return child.value.trim() ? [clean(child.value)] : [];
    if (child.type !== "element" || ["script", "style", "nav", "footer"].includes(child.tagName)) return [];
    const level = /^h([1-6])$/.exec(child.tagName)?.[1];
    if (level) return [`${"#".repeat(Number(level))} ${clean(textOf(child))}`];
    if (child.tagName === "li") return [`- ${clean(textOf(child))}`];
    if (child.tagName === "p") return clean(textOf(child)) ? [clean(textOf(child))] : [];
    return markdownOf(child);
  });
}

const clean = (text: string) => text.replace(/\s+/g, " ").trim();

function all(node: Nodes | Root, tag: string): Element[] {
  if (node.type === "element" && node.tagName === tag) return [node];
  return "children" in node ? node.children.flatMap((child) => all(child, tag)) : [];
}

const find = (node: Root, tag: string) => all(node, tag)[0];
