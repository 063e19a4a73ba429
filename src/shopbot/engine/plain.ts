/** Text as keywords are looked for in it: case, ё and the width of blanks do not matter, every other sign is itself. */
export function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ").trim();
}

/** Whether one of the keywords stands anywhere in the text. Nothing stands in an empty text. */
export function contains(text: string, keywords: readonly string[]): string | undefined {
  const said = plain(text);
  if (said === "") return undefined;
  return keywords.find((keyword) => plain(keyword) !== "" && said.includes(plain(keyword)));
}
