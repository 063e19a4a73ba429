/** Text normalised for keyword search: case, ё and whitespace are ignored. */
export function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ").trim();
}

/** The first keyword that occurs in the text; undefined for an empty text. */
export function contains(text: string, keywords: readonly string[]): string | undefined {
  return standsIn(plain(text), keywords);
}

/** The same for normalised text, for callers that check many rules. */
export function standsIn(plainText: string, keywords: readonly string[]): string | undefined {
  if (plainText === "") return undefined;
  const at = plainOf(keywords).findIndex((word) => word !== "" && plainText.includes(word));
  return at < 0 ? undefined : keywords[at];
}

const known = new WeakMap<readonly string[], readonly string[]>();

function plainOf(keywords: readonly string[]): readonly string[] {
  const words = known.get(keywords) ?? keywords.map(plain);
  known.set(keywords, words);
  return words;
}
