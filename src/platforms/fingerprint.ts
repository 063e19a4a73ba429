/**
 * The part of a message that does not change when the provider normalises its text: letters, digits and signs, and
 * kinds of files.
 */
export function fingerprint(text: string, shownFiles: readonly string[]): string {
  return JSON.stringify([normalised(text), shownFiles.toSorted()]);
}

/** Whitespace, invisible characters, emoji presentation and Unicode composition may change in transit. */
function normalised(text: string): string {
  return text.normalize("NFKC").replace(/\s|\p{Cf}|\p{Variation_Selector}/gu, "");
}
