/** The first `longest` units of a text, never ending in half of a character: neither jsonb nor a messenger takes that. */
export function cut(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
}
