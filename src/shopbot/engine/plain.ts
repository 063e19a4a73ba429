/** Text as keywords are looked for in it: case, ё and the width of blanks do not matter, every other sign is itself. */
export function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ").trim();
}

/** The first of the keywords that stands anywhere in the text. Nothing stands in an empty text. */
export function contains(text: string, keywords: readonly string[]): string | undefined {
  return standsIn(plain(text), keywords);
}

/** The same for a text that is plain already, as whoever asks many rules makes it once. */
export function standsIn(plainText: string, keywords: readonly string[]): string | undefined {
  if (plainText === "") return undefined;
  const at = plainOf(keywords).findIndex((word) => word !== "" && plainText.includes(word));
  return at < 0 ? undefined : keywords[at];
}

/** Keywords are read once and looked for in every message. */
const known = new WeakMap<readonly string[], readonly string[]>();

function plainOf(keywords: readonly string[]): readonly string[] {
  const words = known.get(keywords) ?? keywords.map(plain);
  known.set(keywords, words);
  return words;
}
