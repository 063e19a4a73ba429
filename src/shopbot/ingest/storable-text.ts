import { cut } from "../../kernel/words/index.ts";
/** Text without NUL and lone surrogates, cut to `longest`. */
export function storable(text: string, longest: number): string {
  return cut(clean(text), longest);
}

/** Deeper than any update; deeper nesting could exhaust the stack here or in the database. */
const deepest = 64;

/** A body that jsonb can hold, keys included; parts that are nested too deeply are dropped. */
export function storableBody(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((inner) => storableBody(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [clean(name), storableBody(inner, depth + 1)]),
  );
}

function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
