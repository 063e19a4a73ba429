/** A value as Liquid prints it: nil as an empty string, an array as its elements joined. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(textOf).join("") : String(value);
}
