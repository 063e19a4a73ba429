/** What stays the same of a message when the provider tidies its text: letters, digits and signs, and kinds of files. */
export function fingerprint(text: string, attachmentTypes: readonly string[]): string {
  const media = attachmentTypes.filter((type) => mediaTypes.has(type)).toSorted();
  return JSON.stringify([normalised(text), media]);
}

/** Previews and keyboards come and go; files do not. */
const mediaTypes = new Set(["image", "video", "audio", "file"]);

/** Blanks, invisible characters, emoji presentation and composition may change on the way. */
function normalised(text: string): string {
  return text.normalize("NFKC").replace(/\s|\p{Cf}|\p{Variation_Selector}/gu, "");
}
