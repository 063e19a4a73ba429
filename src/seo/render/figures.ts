import type { Element, ElementContent, Root, RootContent } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { element, isElement } from "./html.ts";
import type { DescribedImage } from "./images.ts";

const placeholders = /\{\{ ?IMAGE_(\d{1,3}) ?\}\}/gi;

/**
 * Replaces `{{IMAGE_1}}` by the first picture, and so on. A placeholder without a picture, repeated, or in a place where no picture
 * can stand disappears; a picture without a placeholder is put into a section that has none. Pictures from addresses that the
 * model wrote are dropped.
 */
export function placeFigures(tree: Root, images: readonly DescribedImage[]): Root {
  const taken = new Set<number>();
  const take = (index: number | undefined, caption = ""): Element[] => {
    const image = index === undefined ? undefined : images[index];
    if (index === undefined || !image || taken.has(index)) return [];
    taken.add(index);
    return [figureOf(image, caption)];
  };
  const indexOf = (src: unknown): number | undefined => placeIn(src) ?? addressIn(src, images);
  const body = tree.children.flatMap((node) => blockWithFigures(node, take, indexOf));
  for (const [index] of images.entries()) {
    const [figure] = take(index);
    if (figure) putIntoSection(body, figure);
  }
  return { type: "root", children: body };
}

/** The text without placeholders. */
export function withoutPlaceholders(text: string): string {
  return text.replace(placeholders, "");
}

/** Which of the article's pictures a block shows. */
export function pictureIn(node: RootContent, images: readonly DescribedImage[]): number | undefined {
  if (!isElement(node, "figure")) return undefined;
  const image = node.children.find((child) => isElement(child, "img"));
  return image && isElement(image) ? addressIn(image.properties.src, images) : undefined;
}

type Take = (index: number | undefined, caption?: string) => Element[];
type IndexOf = (src: unknown) => number | undefined;

function blockWithFigures(node: RootContent, take: Take, indexOf: IndexOf): RootContent[] {
  if (node.type === "text")
    return splitText(node.value, take, (value) => paragraphOf([{ type: "text", value }]));
  if (!isElement(node)) return [];
  if (node.tagName === "img") return take(indexOf(node.properties.src));
  if (node.tagName === "p") return splitParagraph(node, take, indexOf);
  const hoisted: Element[] = [];
  const caption = node.tagName === "figure" ? captionOf(node) : "";
  const kept = stripped(node, (index) => hoisted.push(...take(index, caption)), indexOf);
  // What remains of a figure is its caption, which went with the picture, or is nothing without it.
  const isGone = node.tagName === "figure" || (isEmpty(kept) && node.children.length > 0);
  return isGone ? hoisted : [kept, ...hoisted];
}

/** A paragraph is divided where a picture stands; pictures inside its markup follow it. */
function splitParagraph(paragraph: Element, take: Take, indexOf: IndexOf): RootContent[] {
  const blocks: RootContent[] = [];
  let run: ElementContent[] = [];
  const flush = () => {
    blocks.push(...paragraphOf(run));
    run = [];
  };
  const show = (index: number | undefined) => {
    const figures = take(index);
    if (figures.length === 0) return;
    flush();
    blocks.push(...figures);
  };
  for (const child of paragraph.children) {
    if (child.type === "text") {
      let from = 0;
      for (const { index, 0: found, 1: number } of child.value.matchAll(placeholders)) {
        run.push({ type: "text", value: child.value.slice(from, index) });
        show(Number(number) - 1);
        from = index + found.length;
      }
      run.push({ type: "text", value: child.value.slice(from) });
    } else if (isElement(child, "img")) show(indexOf(child.properties.src));
    else if (isElement(child)) {
      const inside: (number | undefined)[] = [];
      const kept = stripped(child, (index) => inside.push(index), indexOf);
      if (!isEmpty(kept) || kept.tagName === "br") run.push(kept);
      for (const index of inside) show(index);
    }
  }
  flush();
  return blocks;
}

function splitText(value: string, take: Take, wrap: (text: string) => Element[]): RootContent[] {
  if (value.search(placeholders) < 0) return [{ type: "text", value }];
  return value
    .split(/(\{\{ ?IMAGE_\d{1,3} ?\}\})/i)
    .flatMap((part): RootContent[] => (placeIn(part) === undefined ? wrap(part) : take(placeIn(part))));
}

/** The element without placeholders and pictures; each of them is told. */
function stripped(node: Element, tell: (index: number | undefined) => void, indexOf: IndexOf): Element {
  const children = node.children.flatMap((child): ElementContent[] => {
    if (child.type === "text") {
      for (const [, number] of child.value.matchAll(placeholders)) tell(Number(number) - 1);
      return [{ type: "text", value: child.value.replace(placeholders, "") }];
    }
    if (!isElement(child)) return [];
    if (child.tagName === "img") {
      tell(indexOf(child.properties.src));
      return [];
    }
    const kept = stripped(child, tell, indexOf);
    const isLeft =
      child.children.length > 0 && isEmpty(kept) && kept.tagName !== "td" && kept.tagName !== "th";
    return isLeft ? [] : [kept];
  });
  return { ...node, children };
}

function isEmpty(node: Element): boolean {
  return textOf(node).trim() === "" && !["hr", "br", "table"].includes(node.tagName);
}

function paragraphOf(children: readonly ElementContent[]): Element[] {
  const isBlank = (node: ElementContent | undefined) =>
    node !== undefined && (isElement(node, "br") || (node.type === "text" && node.value.trim() === ""));
  let from = 0;
  let to = children.length;
  while (from < to && isBlank(children[from])) from += 1;
  while (to > from && isBlank(children[to - 1])) to -= 1;
  if (from === to) return [];
  const kept = children.slice(from, to).map((node, index, all): ElementContent => {
    if (node.type !== "text") return node;
    const begun = index === 0 ? node.value.trimStart() : node.value;
    return { type: "text", value: index === all.length - 1 ? begun.trimEnd() : begun };
  });
  return [element("p", {}, ...kept)];
}

function figureOf({ url, alt, width, height, caption }: DescribedImage, fallback: string): Element {
  const size = { ...(width && { width }), ...(height && { height }) };
  const image = element("img", { src: url, alt, ...size, loading: "lazy" });
  const words = caption ?? (fallback || alt);
  return element("figure", {}, image, element("figcaption", {}, words));
}

function captionOf(figure: Element): string {
  const caption = figure.children.find((child) => isElement(child, "figcaption"));
  return caption ? textOf(caption).replace(placeholders, "").replace(/\s+/g, " ").trim() : "";
}

/** After the first paragraph of the first section without a picture; else at the end. */
function putIntoSection(body: RootContent[], figure: Element): void {
  const starts = body.flatMap((node, index) => (isElement(node, "h2") ? [index] : []));
  for (const [order, start] of starts.entries()) {
    const end = starts[order + 1] ?? body.length;
    const section = body.slice(start, end);
    if (section.some((node) => isElement(node, "figure"))) continue;
    const paragraph = section.findIndex((node) => isElement(node, "p"));
    body.splice(start + (paragraph < 0 ? 1 : paragraph + 1), 0, figure);
    return;
  }
  body.push(figure);
}

function placeIn(text: unknown): number | undefined {
  const [, number] = /^\{\{ ?IMAGE_(\d{1,3}) ?\}\}$/i.exec(typeof text === "string" ? text.trim() : "") ?? [];
  return number === undefined ? undefined : Number(number) - 1;
}

function addressIn(src: unknown, images: readonly DescribedImage[]): number | undefined {
  const index = images.findIndex(({ url }) => url === src);
  return index < 0 ? undefined : index;
}
