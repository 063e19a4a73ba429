/** The address in full, when it leads to the web at all. */
export function webAddress(text: string | undefined, base: string | undefined): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || !URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
}
