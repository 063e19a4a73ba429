import { limits } from "./limits.ts";
import type { TelegraphElement, TelegraphNode } from "./nodes.ts";
import { type Language, texts } from "./texts.ts";

export interface Fitted {
  readonly nodes: readonly TelegraphNode[];
  readonly shortened: boolean;
}

/** Content within Telegraph's limit: whole, or cut between blocks with a last paragraph that says so. */
export function shortened(nodes: readonly TelegraphNode[], language: Language): Fitted {
  if (contentBytes(nodes) <= limits.contentBytes) return { nodes, shortened: false };
  const notice: TelegraphElement = {
    tag: "p",
    children: [{ tag: "i", children: [texts[language].shortened] }],
  };
  const room = limits.contentBytes - contentBytes([notice]);
  return { nodes: [...leading(nodes, room, (before) => before === 0), notice], shortened: true };
}

export function contentBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** As many of the first nodes as fit, each with its comma. The first that does not fit is cut. */
function leading(
  nodes: readonly TelegraphNode[],
  room: number,
  cutsText: (kept: number) => boolean,
): TelegraphNode[] {
  const kept: TelegraphNode[] = [];
  let left = room;
  for (const node of nodes) {
    const bytes = contentBytes(node) + 1;
    if (bytes > left) {
      const part = partOf(node, left, cutsText(kept.length));
      return part === undefined ? kept : [...kept, part];
    }
    kept.push(node);
    left -= bytes;
  }
  return kept;
}

/** Tags that may be cut after any of their children. */
const divisible = new Set(["ul", "ol", "blockquote"]);

/** Lists and quotes are cut between their parts; anything else only where the page would otherwise be empty. */
function partOf(node: TelegraphNode, room: number, cutsText: boolean): TelegraphNode | undefined {
  if (typeof node === "string") return cutsText ? cutText(node, room) : undefined;
  const { children = [], ...rest } = node;
  const isDivisible = divisible.has(node.tag);
  if (!isDivisible && !cutsText) return undefined;
  const inside = room - contentBytes({ ...rest, children: [] }) - 1;
  const kept = leading(children, inside, (before) => cutsText && (before === 0 || !isDivisible));
  return kept.length > 0 ? { ...rest, children: kept } : undefined;
}

/** The text up to a space, with an ellipsis. */
function cutText(text: string, room: number): string | undefined {
  const sign = "…";
  // Two quotes, and the comma after them.
  const spare = room - contentBytes(sign) - 1;
  let bytes = 0;
  let end = 0;
  for (const letter of text) {
    bytes += contentBytes(letter) - 2;
    if (bytes > spare) break;
    end += letter.length;
  }
  const start = text.slice(0, end);
  const cut = start.slice(0, start.lastIndexOf(" ")).trimEnd() || start;
  return cut === "" ? undefined : `${cut}${sign}`;
}
