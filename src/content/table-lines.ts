import type { Inline, Table, TableRow } from "./document.ts";
import { isBlank } from "./inlines.ts";

/** A table as lines, for places without tables: its cells stand beside each other. */
export function tableLines({ head, rows }: Table): Inline[] {
  const lines = [...head, ...rows].map(lineOf).filter((line) => !isBlank(line));
  return joined(lines, { type: "break" });
}

function lineOf(row: TableRow): Inline[] {
  return joined(
    row.map(({ children }) => children),
    { type: "text", text: " | " },
  );
}

function joined(parts: readonly (readonly Inline[])[], separator: Inline): Inline[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]));
}
