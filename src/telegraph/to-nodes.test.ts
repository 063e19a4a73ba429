import { describe, expect, it } from "vitest";
import { type Document, type Inline, parseContent } from "../content/index.ts";
import { limits } from "./limits.ts";
import type { TelegraphNode } from "./nodes.ts";
import { contentBytes, shortened } from "./shorten.ts";
import { toNodes } from "./to-nodes.ts";

function read(source: string): Document {
  const parsed = parseContent(source, "markdown");
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.document;
}
const nodesOf = (source: string) => toNodes(read(source), []).nodes;
const codesOf = (document: Document) => toNodes(document, []).losses.map(({ code }) => code);
const saying = (...children: Inline[]): Document => ({ blocks: [{ type: "paragraph", children }] });
const text = (words: string): Inline => ({ type: "text", text: words });

describe("a document as nodes", () => {
  it.each<[string, string, TelegraphNode[]]>([
    ["a heading of level 1", "# А", [{ tag: "h3", children: ["А"] }]],
    ["a heading of level 2", "## А", [{ tag: "h3", children: ["А"] }]],
    ["a heading of level 3", "### А", [{ tag: "h4", children: ["А"] }]],
    ["a heading of level 6", "###### А", [{ tag: "h4", children: ["А"] }]],
    [
      "marks",
      "**а** *б*",
      [{ tag: "p", children: [{ tag: "b", children: ["а"] }, " ", { tag: "i", children: ["б"] }] }],
    ],
    ["code", "`x < 1`", [{ tag: "p", children: [{ tag: "code", children: ["x < 1"] }] }]],
    ["a block of code", "```\nx\ny\n```", [{ tag: "pre", children: ["x\ny"] }]],
    ["a quote", "> а", [{ tag: "blockquote", children: [{ tag: "p", children: ["а"] }] }]],
    [
      "a list in a list",
      "- а\n  1. б",
      [
        {
          tag: "ul",
          children: [
            { tag: "li", children: ["а", { tag: "ol", children: [{ tag: "li", children: ["б"] }] }] },
          ],
        },
      ],
    ],
    [
      "a link",
      "[а](https://a.example/)",
      [{ tag: "p", children: [{ tag: "a", attrs: { href: "https://a.example/" }, children: ["а"] }] }],
    ],
  ])("has %s", (_name, source, nodes) => {
    expect(nodesOf(source)).toEqual(nodes);
  });

  it("has its first picture above the text, the others below, each with its caption", () => {
    const pictures = [
      { url: "https://a.example/1.jpg", caption: " Один " },
      { url: "https://a.example/2.jpg" },
    ];
    const figure = (src: string, ...more: TelegraphNode[]) => ({
      ...{ tag: "figure", children: [{ tag: "img", attrs: { src } }, ...more] },
    });
    expect(toNodes(read("Текст"), pictures).nodes).toEqual([
      figure("https://a.example/1.jpg", { tag: "figcaption", children: ["Один"] }),
      { tag: "p", children: ["Текст"] },
      figure("https://a.example/2.jpg"),
    ]);
  });

  it("tells what it cannot show", () => {
    expect(codesOf(read("# А\n\n## Б"))).toEqual(["heading_level"]);
    expect(codesOf(read("# А\n\n### Б"))).toEqual([]);
    expect(codesOf(read("3. А"))).toEqual(["list_from_one"]);
    expect(codesOf(read("> а\n> > б"))).toEqual(["quote_in_quote"]);
    expect(codesOf(read("```js\nx\n```"))).toEqual(["code_language"]);
    expect(codesOf(saying({ type: "spoiler", children: [text("а")] }))).toEqual(["spoiler_shown"]);
    expect(codesOf(saying({ type: "highlight", children: [text("а")] }))).toEqual(["highlight_as_text"]);
    expect(codesOf(saying({ type: "emoji", id: "1", text: "🦊" }))).toEqual(["emoji_as_text"]);
    expect(codesOf(saying({ type: "link", url: "max:x", children: [text("а")] }))).toEqual(["link_as_text"]);
    const { nodes, losses } = toNodes(read("а"), [
      { url: "blob:x" },
      { url: "https://a.example/", alt: "б" },
    ]);
    expect(losses.map(({ code }) => code)).toEqual(["picture_left_out", "alt_text"]);
    expect(nodes).toHaveLength(2);
  });
});

describe("content beyond 64 KB", () => {
  const paragraph = (words: string): TelegraphNode => ({ tag: "p", children: [words] });

  it("is left alone when it fits to the byte", () => {
    const room = limits.contentBytes - contentBytes([paragraph("")]);
    const exact = [paragraph("x".repeat(room))];
    expect(contentBytes(exact)).toBe(limits.contentBytes);
    expect(shortened(exact, "ru")).toEqual({ nodes: exact, shortened: false });
    expect(shortened([paragraph("x".repeat(room + 1))], "ru").shortened).toBe(true);
  });

  it.each<[string, TelegraphNode[]]>([
    ["many paragraphs", Array.from({ length: 100 }, () => paragraph("ж".repeat(500)))],
    [
      "one list",
      [
        {
          tag: "ul",
          children: Array.from({ length: 900 }, () => ({
            tag: "li" as const,
            children: ["жжж ".repeat(20)],
          })),
        },
      ],
    ],
    ["a wall of text", [paragraph("слово ".repeat(20_000))]],
    [
      "a wall of text within marks",
      [{ tag: "p", children: [{ tag: "b", children: ["слово ".repeat(20_000)] }] }],
    ],
    ["text full of signs that JSON escapes", [paragraph('"\\\n'.repeat(30_000))]],
  ])("is cut so that %s fits nearly to the end, and says so", (_name, nodes) => {
    const { nodes: kept } = shortened(nodes, "en");
    const bytes = contentBytes(kept);
    expect(bytes).toBeLessThanOrEqual(limits.contentBytes);
    expect(bytes).toBeGreaterThan(limits.contentBytes - 1_500);
    expect(JSON.stringify(kept.at(-1))).toContain("shortened");
  });
});
