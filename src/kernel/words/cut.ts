/** The first `longest` UTF-16 units of a text, never half of a character: jsonb and messengers refuse that. */
export function cut(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
}
