/** A value as Liquid writes it: nothing for nothing, an array as its elements one after another. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(textOf).join("") : String(value);
}
