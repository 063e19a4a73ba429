import type { Inline, Paragraph } from "./document.ts";

/** Text with line ends turned into breaks. */
export function inlinesOf(text: string): Inline[] {
  return text.split("\n").flatMap((line, index): Inline[] => {
    const written: Inline[] = line === "" ? [] : [{ type: "text", text: line }];
    return index === 0 ? written : [{ type: "break" }, ...written];
  });
}

/**
 * Splits inlines into paragraphs at empty lines. Further empty lines stay as empty paragraphs, so that the author's spacing is
 * kept.
 */
export function paragraphsOf(inlines: readonly Inline[]): Paragraph[] {
  const paragraphs: Inline[][] = [[]];
  for (let index = 0; index < inlines.length; index++) {
    const inline = inlines[index];
    if (!inline) continue;
    if (inline.type === "break" && inlines[index + 1]?.type === "break") {
      paragraphs.push([]);
      index += 1;
    } else paragraphs.at(-1)?.push(inline);
  }
  return trimmedEnds(paragraphs).map((children) => ({ type: "paragraph", children }));
}

function trimmedEnds(paragraphs: Inline[][]): Inline[][] {
  const first = paragraphs.findIndex((children) => !isBlank(children));
  const last = paragraphs.findLastIndex((children) => !isBlank(children));
  return first < 0 ? [] : paragraphs.slice(first, last + 1);
}

/** Whether it has nothing visible. */
export function isBlank(inlines: readonly Inline[]): boolean {
  return inlines.every((inline) => {
    if (inline.type === "break") return true;
    if ("text" in inline) return inline.text.trim() === "";
    return isBlank(inline.children);
  });
}

/** Trims both ends, as for a block of HTML or Markdown. */
export function trimInlines(inlines: readonly Inline[]): Inline[] {
  const first = inlines.findIndex((inline) => !isBlank([inline]));
  const last = inlines.findLastIndex((inline) => !isBlank([inline]));
  return inlines.slice(first, last + 1).map((inline, index, all) => {
    if (inline.type !== "text") return inline;
    let { text } = inline;
    if (index === 0) text = text.trimStart();
    if (index === all.length - 1) text = text.trimEnd();
    return { type: "text", text };
  });
}
