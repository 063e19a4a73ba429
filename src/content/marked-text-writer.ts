import type { Mark, MarkedText, MarkKind } from "./marked-text.ts";

/** Collects a running text and the marks over it. */
export interface MarkedTextWriter {
  write(text: string): void;
  /** Marks what `body` writes; a mark is not nested in one of its own type. */
  marked(kind: MarkKind, body: () => void): void;
  isOpen(type: MarkKind["type"]): boolean;
  length(): number;
  since(offset: number): string;
  finish(): MarkedText;
}

export function createMarkedTextWriter(): MarkedTextWriter {
  let text = "";
  const marks: Mark[] = [];
  const open = new Set<MarkKind["type"]>();
  return {
    write(piece) {
      text += piece;
    },
    marked(kind, body) {
      if (open.has(kind.type)) {
        body();
        return;
      }
      const offset = text.length;
      open.add(kind.type);
      body();
      open.delete(kind.type);
      marks.push({ kind, offset, length: text.length - offset });
    },
    isOpen: (type) => open.has(type),
    length: () => text.length,
    since: (offset) => text.slice(offset),
    finish: () => tidied(text, marks),
  };
}

/**
 * Trims the text, because providers do so and offsets would be wrong; and marks, because markup languages cannot mark white
 * space at the ends.
 */
export function tidied(written: string, marks: readonly Mark[]): MarkedText {
  const text = written.trim();
  const cut = written.length - written.trimStart().length;
  const tidy: Mark[] = [];
  for (const mark of marks) {
    const start = Math.max(mark.offset - cut, 0);
    const covered = text.slice(start, Math.max(mark.offset - cut + mark.length, 0));
    const { length } = covered.trim();
    const offset = start + covered.length - covered.trimStart().length;
    if (length > 0) tidy.push({ kind: mark.kind, offset, length });
  }
  return { text, marks: tidy.sort(compareMarks) };
}

/** Of marks over the same text, the outer comes first in this list. */
const outerFirst: readonly MarkKind["type"][] = [
  ...(["quote", "heading", "link", "mention"] as const),
  ...(["bold", "italic", "underline", "strike", "spoiler", "highlight", "emoji", "code", "pre"] as const),
];

/** The order of marks: by their beginning, the longer before the shorter. */
export function compareMarks(a: Mark, b: Mark): number {
  return (
    a.offset - b.offset ||
    b.length - a.length ||
    outerFirst.indexOf(a.kind.type) - outerFirst.indexOf(b.kind.type)
  );
}
