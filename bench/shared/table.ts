/** Rows of text and numbers as columns for a terminal; the first row is the head. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) =>
    row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell)),
  );
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  const lines = texts.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const [head = "", ...body] = lines;
  return [head, "-".repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...body].join("\n");
}
