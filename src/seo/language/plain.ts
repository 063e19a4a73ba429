/** Signs that nobody sees: soft hyphens, zero-width spaces and joiners, byte order marks. */
const unseen = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

/** A text as it is counted: composed letters, single spaces, nothing unseen. */
export function plainly(text: string): string {
  return text.normalize("NFC").replace(unseen, "").replace(/\s+/g, " ").trim();
}

/** A word as it is compared: «Ещё» and «еще» are the same. */
export function folded(word: string): string {
  return word.toLowerCase().replaceAll("ё", "е");
}
