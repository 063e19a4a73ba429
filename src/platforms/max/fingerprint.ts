/** What stays the same of a message when the provider tidies its text: letters, digits and signs, and kinds of files. */
export function fingerprint(text: string, attachmentTypes: readonly string[]): string {
  const media = attachmentTypes.flatMap((type) => shownAs.get(type) ?? []).toSorted();
  return JSON.stringify([normalised(text), media]);
}

/** Previews and keyboards come and go; files do not. Whether an animation is an image or a video shows only when it is fetched. */
const shownAs: ReadonlyMap<string, string> = new Map([
  ["image", "picture"],
  ["video", "picture"],
  ["audio", "audio"],
  ["file", "file"],
]);

/** Blanks, invisible characters, emoji presentation and composition may change on the way. */
function normalised(text: string): string {
  return text.normalize("NFKC").replace(/\s|\p{Cf}|\p{Variation_Selector}/gu, "");
}
