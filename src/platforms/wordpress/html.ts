import type {
  Block,
  BrandColours,
  Contents,
  Decoration,
  Document,
  Inline,
  List,
  LossLog,
  Table,
  TableRow,
} from "../../content/index.ts";
import { articleClass, brandCss, schemeOf } from "../../content/index.ts";

/** Stands for a picture of the post until it is uploaded and has an address. */
export const picturePlace = (media: number): string => `<!--picture:${media}-->`;
export const picturePlaces = /<!--picture:(\d+)-->/g;

/** A document as blocks of WordPress' editor. An author's text never becomes markup, a comment or a shortcode. */
export function blocksHtml({ blocks }: Document, losses: LossLog): string {
  return blocks.flatMap((block) => blockHtml(block, losses) ?? []).join("\n\n");
}

/** Formatted text for captions. Paragraphs become lines. */
export function lineHtml({ blocks }: Document, losses: LossLog): string {
  return blocks.flatMap((block) => (block.type === "image" ? [] : [innerHtml(block, losses)])).join("<br>");
}

/** Links under the text, which themes show as buttons. */
export function buttonsHtml(rows: readonly (readonly { text: string; url: string }[])[]): string {
  const buttons = rows.flat().map(({ text, url }) => {
    const link = `<a class="wp-block-button__link wp-element-button" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
    return commented("button", `<div class="wp-block-button">${link}</div>`);
  });
  return commented("buttons", `<div class="wp-block-buttons">${buttons.join("")}</div>`);
}

export function figureHtml(picture: {
  readonly id: string;
  readonly url: string;
  readonly alt?: string | undefined;
  readonly captionHtml?: string | undefined;
}): string {
  const { id, url, alt = "", captionHtml } = picture;
  const image = `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" class="wp-image-${escapeHtml(id)}"/>`;
  const caption = captionHtml ? `<figcaption class="wp-element-caption">${captionHtml}</figcaption>` : "";
  const attributes = /^\d+$/.test(id) ? { id: Number(id) } : {};
  return commented("image", `<figure class="wp-block-image">${image}${caption}</figure>`, attributes);
}

/** A page in the colours of a brand: one style block, and a group that its rules are for. */
export function brandedHtml(html: string, brand: BrandColours): string {
  const css = brandCss(brand);
  if (css === "") return html;
  const group = `<div class="wp-block-group ${articleClass}">${html}</div>`;
  return [
    commented("html", `<style>${css}</style>`),
    commented("group", group, { className: articleClass }),
  ].join("\n\n");
}

/** schema.org objects as a script element; neither their text nor a shortcode in it can end or change it. */
export function jsonLdHtml(objects: readonly Readonly<Record<string, unknown>>[]): string {
  const scripts = objects.map((object) => `<script type="application/ld+json">${safeJson(object)}</script>`);
  return commented("html", scripts.join("\n"));
}

function safeJson(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value)
      .replaceAll("<", "\\u003c")
      .replaceAll("&", "\\u0026")
      .replaceAll("[", "\\u005b");
  if (Array.isArray(value)) return `[${value.map(safeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return `{${Object.entries(value)
    .map(([name, inner]) => `${safeJson(name)}:${safeJson(inner)}`)
    .join(",")}}`;
}

export function escapeHtml(text: string): string {
  return (
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      // WordPress would read text in brackets as shortcodes.
      .replaceAll("[", "&#091;")
  );
}

function commented(name: string, html: string, attributes: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.keys(attributes).length > 0 ? ` ${JSON.stringify(attributes)}` : "";
  return `<!-- wp:${name}${given} -->\n${html}\n<!-- /wp:${name} -->`;
}

function blockHtml(block: Block, losses: LossLog): string | undefined {
  switch (block.type) {
    case "paragraph": {
      const inner = inlinesHtml(block.children, losses);
      // An empty paragraph is spacing in a message; a page has its own spacing.
      return inner === "" ? undefined : commented("paragraph", `<p>${inner}</p>`);
    }
    case "heading": {
      // The first level is the page's title.
      const level = Math.max(2, block.level);
      const html = `<h${level} class="wp-block-heading"${idOf(block)}>${inlinesHtml(block.children, losses)}</h${level}>`;
      return commented("heading", html, level === 2 ? {} : { level });
    }
    case "list": {
      const start = block.start === 1 ? {} : { start: block.start };
      return commented("list", listHtml(block, losses), block.ordered ? { ordered: true, ...start } : {});
    }
    case "quote":
      if (block.expandable) losses.add("quote_not_expandable");
      return commented(
        "quote",
        `<blockquote class="wp-block-quote">${blocksHtml(block, losses)}</blockquote>`,
      );
    case "pre":
      return commented("code", preHtml(block));
    case "table":
      return commented("table", `<figure class="wp-block-table">${tableHtml(block, losses)}</figure>`);
    case "contents":
      return commented("html", contentsHtml(block, losses));
    case "image":
      return picturePlace(block.media);
  }
}

const idOf = ({ id }: Extract<Block, { type: "heading" }>): string =>
  id === undefined ? "" : ` id="${escapeHtml(id)}"`;

function tableHtml({ head, rows }: Table, losses: LossLog): string {
  const part = (tag: string, given: readonly TableRow[]) =>
    given.length === 0 ? "" : `<${tag}>${given.map((row) => rowHtml(row, losses)).join("")}</${tag}>`;
  return `<table>${part("thead", head)}${part("tbody", rows)}</table>`;
}

function rowHtml(row: TableRow, losses: LossLog): string {
  const cells = row.map(({ isHeader, columns, rows, children }) => {
    const tag = isHeader ? "th" : "td";
    const spans = `${columns ? ` colspan="${columns}"` : ""}${rows ? ` rowspan="${rows}"` : ""}`;
    return `<${tag}${spans}>${inlinesHtml(children, losses)}</${tag}>`;
  });
  return `<tr>${cells.join("")}</tr>`;
}

/** Inside HTML of our own the editor's comments would show as a block that it cannot read. */
function contentsHtml({ blocks }: Contents, losses: LossLog): string {
  const inside = blocks.flatMap((block) => {
    if (block.type === "image") return [];
    const inner = innerHtml(block, losses);
    return block.type === "paragraph" ? [`<p>${inner}</p>`] : [inner];
  });
  return `<nav class="article-contents">${inside.join("")}</nav>`;
}

function preHtml({ text, language }: Extract<Block, { type: "pre" }>): string {
  const named = language === undefined ? "" : ` class="language-${escapeHtml(language)}"`;
  return `<pre class="wp-block-code"><code${named}>${escapeHtml(text)}</code></pre>`;
}

function listHtml({ ordered, start, items }: List, losses: LossLog): string {
  const inside = items
    .map(({ blocks }) => `<li>${blocks.map((block, index) => itemHtml(block, index, losses)).join("")}</li>`)
    .join("");
  if (!ordered) return `<ul>${inside}</ul>`;
  return `<ol${start === 1 ? "" : ` start="${start}"`}>${inside}</ol>`;
}

/** Paragraphs of an item become lines. */
function itemHtml(block: Block, index: number, losses: LossLog): string {
  if (block.type === "image") return picturePlace(block.media);
  const isLine = block.type === "paragraph";
  return `${isLine && index > 0 ? "<br>" : ""}${innerHtml(block, losses)}`;
}

/** A block inside another one, where the editor's comments are not allowed. */
function innerHtml(block: Exclude<Block, { type: "image" }>, losses: LossLog): string {
  switch (block.type) {
    case "paragraph":
      return inlinesHtml(block.children, losses);
    case "heading":
      return `<h${Math.max(2, block.level)}${idOf(block)}>${inlinesHtml(block.children, losses)}</h${Math.max(2, block.level)}>`;
    case "list":
      return listHtml(block, losses);
    case "quote": {
      if (block.expandable) losses.add("quote_not_expandable");
      const inside = block.blocks.map((each) =>
        each.type === "paragraph"
          ? `<p>${inlinesHtml(each.children, losses)}</p>`
          : each.type === "image"
            ? picturePlace(each.media)
            : innerHtml(each, losses),
      );
      return `<blockquote>${inside.join("")}</blockquote>`;
    }
    case "pre":
      return preHtml(block);
    case "table":
      return tableHtml(block, losses);
    case "contents":
      return contentsHtml(block, losses);
  }
}

const tags: Readonly<Partial<Record<Decoration, string>>> = {
  ...{ bold: "strong", italic: "em", underline: "u", strike: "s", highlight: "mark" },
};

const linkSchemes = new Set(["http:", "https:", "mailto:", "tel:"]);

function inlinesHtml(inlines: readonly Inline[], losses: LossLog): string {
  return inlines.map((inline) => inlineHtml(inline, losses)).join("");
}

function inlineHtml(inline: Inline, losses: LossLog): string {
  switch (inline.type) {
    case "text":
      return escapeHtml(inline.text);
    case "break":
      return "<br>";
    case "code":
      return `<code>${escapeHtml(inline.text)}</code>`;
    case "emoji":
      losses.add("emoji_as_text");
      return escapeHtml(inline.text);
    case "mention":
      losses.add("mention_as_text");
      return inlinesHtml(inline.children, losses);
    case "jump":
      return `<a href="#${escapeHtml(inline.id)}">${inlinesHtml(inline.children, losses)}</a>`;
    case "link":
      return linkHtml(inline, losses);
    default: {
      const inside = inlinesHtml(inline.children, losses);
      const tag = tags[inline.type];
      if (tag !== undefined) return `<${tag}>${inside}</${tag}>`;
      losses.add("spoiler_shown");
      return inside;
    }
  }
}

/** Sites drop unknown URL schemes, so such an address is written as text. */
function linkHtml({ url, children }: Extract<Inline, { type: "link" }>, losses: LossLog): string {
  const inside = inlinesHtml(children, losses);
  if (linkSchemes.has(schemeOf(url))) return `<a href="${escapeHtml(url)}">${inside}</a>`;
  losses.add("link_as_text");
  return `${inside} (${escapeHtml(url)})`;
}
