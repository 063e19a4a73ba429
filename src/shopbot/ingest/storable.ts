import { cut } from "../../kernel/words/index.ts";
/** Text as it can be stored and matched: no NUL, no half characters, no more than a messenger would send. */
export function storable(text: string, longest: number): string {
  return cut(clean(text), longest);
}

/** Far deeper than any update; what nests further would exhaust the stack of whoever walks it, the database's too. */
const deepest = 64;

/** A body as jsonb holds it: a customer's client may send what it does not, in names as well. Too deep a part is left out. */
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
