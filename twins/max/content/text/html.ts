import type { Element, Nodes } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { createTextWriter, type FormattedText, linkMark, type Mark, type TextWriter } from "./markup.ts";

/** Tags that format; `blockquote` is known only from the markup it leaves, every other tag is stripped. */
const marks: Record<string, Mark> = {
  b: { type: "strong" },
  strong: { type: "strong" },
  i: { type: "emphasized" },
  em: { type: "emphasized" },
  s: { type: "strikethrough" },
  del: { type: "strikethrough" },
  u: { type: "underline" },
  ins: { type: "underline" },
  pre: { type: "monospaced" },
  code: { type: "monospaced" },
  mark: { type: "highlighted" },
  h1: { type: "heading" },
  blockquote: { type: "quote" },
};

const parser = unified().use(rehypeParse, { fragment: true });

export function fromHtml(html: string): FormattedText {
  const writer = createTextWriter();
  write(parser.parse(html), writer);
  return writer.result();
}

function write(node: Nodes, writer: TextWriter): void {
  if (node.type === "text") writer.write(node.value);
  if (!("children" in node)) return;
  const children = () => {
    for (const child of node.children) write(child, writer);
  };
  const mark = node.type === "element" ? markOf(node) : undefined;
  if (mark) writer.marked(mark, children);
  else children();
}

function markOf(element: Element): Mark | undefined {
  if (element.tagName !== "a") return marks[element.tagName];
  const href = element.properties.href;
  return typeof href === "string" && href !== "" ? linkMark(href) : undefined;
}
