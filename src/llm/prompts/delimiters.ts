/** The signs of task prompts: values, blocks, comments. */
const pairs = new Set(["<<", ">>", "<%", "%>", "<#", "#>"]);

/** Takes the signs out of a value, also those that appear once others are gone. */
export function withoutDelimiters(text: string): string {
  // Most values have none, and pages that are quoted are long.
  if (!/<[<%#]|[>%#]>/.test(text)) return text;
  const kept: string[] = [];
  for (const sign of text)
    if (pairs.has((kept.at(-1) ?? "") + sign)) kept.pop();
    else kept.push(sign);
  return kept.join("");
}

/** A text without `<# comments #>`; undefined if one is not closed. */
export function withoutComments(text: string): string | undefined {
  const [first = "", ...rest] = text.split("<#");
  let result = first;
  for (const part of rest) {
    const end = part.indexOf("#>");
    if (end < 0) return undefined;
    result += part.slice(end + 2);
  }
  return result;
}
