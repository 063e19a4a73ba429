import { escapeHtml } from "../../shared/index.ts";
import { textOf } from "../content.ts";
import type { Node, NodeElement } from "../model.ts";
import { safeLink, safeSource } from "./safe-address.ts";

/** Blocks of a page; a bare text becomes a paragraph. */
export function blocksHtml(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (typeof node === "string" ? `<p>${textHtml(node)}</p>` : elementHtml(node)))
    .join("\n");
}

function nodesHtml(nodes: readonly Node[] = []): string {
  return nodes.map((node) => (typeof node === "string" ? textHtml(node) : elementHtml(node))).join("");
}

function textHtml(text: string): string {
  return escapeHtml(text).replaceAll("\n", "<br>");
}

function elementHtml({ tag, attrs = {}, children }: NodeElement): string {
  switch (tag) {
    case "br":
    case "hr":
      return `<${tag}>`;
    case "img": {
      const source = safeSource(attrs.src);
      return source === undefined ? "" : `<img src="${escapeHtml(source)}" alt="">`;
    }
    case "video": {
      const source = safeSource(attrs.src);
      return source === undefined
        ? ""
        : `<video src="${escapeHtml(source)}" controls preload="metadata"></video>`;
    }
    case "iframe":
      return embedHtml(attrs.src ?? "");
    case "a":
      return anchorHtml(attrs.href, nodesHtml(children));
    case "h3":
    case "h4":
      return `<${tag} id="${escapeHtml(anchorOf(children ?? []))}">${nodesHtml(children)}</${tag}>`;
    case "pre":
      return `<pre>${preformattedHtml(children ?? [])}</pre>`;
    default:
      return `<${tag}>${nodesHtml(children)}</${tag}>`;
  }
}

/** Line breaks are kept inside it. */
function preformattedHtml(nodes: readonly Node[]): string {
  return nodes.map((node) => (typeof node === "string" ? escapeHtml(node) : elementHtml(node))).join("");
}

function anchorHtml(href: string | undefined, inner: string): string {
  if (href?.startsWith("#")) return `<a href="${escapeHtml(href)}">${inner}</a>`;
  const link = safeLink(href);
  if (link === undefined) return inner;
  return `<a href="${escapeHtml(link)}" target="_blank" rel="noopener">${inner}</a>`;
}

/** `#Kak-vybrat` leads to the heading “Kak vybrat”. */
function anchorOf(heading: readonly Node[]): string {
  return textOf(heading).trim().replace(/\s+/g, "-");
}

/** The twins reach no other site, so the address of an embed is shown instead. */
function embedHtml(src: string): string {
  const address = new URLSearchParams(src.split("?")[1] ?? "").get("url") ?? src;
  return `<div class="embed">${anchorHtml(address, escapeHtml(address))}</div>`;
}
