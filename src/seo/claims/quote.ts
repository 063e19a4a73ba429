/** Text in which only letters, digits and signs count: spaces, quotation marks, dashes and ё are alike. */
export function normalised(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[«»“”„‟"'’‘`]/g, '"')
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[\u00AD\u200B-\u200D\uFEFF]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

export interface FoundQuote {
  /** The quote with a word before or after it that changes its meaning: a negation, a bound, a unit. */
  readonly text: string;
  /** The whole sentences of the source that hold it. */
  readonly context: string;
}

const fewestLetters = 8;
const turningWord = /^(?:не|ни|без|нет|нельзя|от|до|более|менее|свыше|больше|меньше|около|почти)$/;

/**
 * Finds a quote word for word in a normalised source. Parts that the model left out between them as `…` are looked for in their
 * order. A quote never begins or ends inside a word or a number.
 */
export function findQuote(quote: string, source: string): FoundQuote | undefined {
  const parts = normalised(quote)
    .replace(/^"|"$/g, "")
    .split(/ ?(?:\[?…\]?|\.{3}) ?/)
    .filter((part) => part !== "");
  if (parts.join("").replace(/[^\p{L}\p{N}]/gu, "").length < fewestLetters) return undefined;
  let from = 0;
  const texts: string[] = [];
  const contexts: string[] = [];
  for (const part of parts) {
    const at = placeOf(part.replace(/[.,;:]$/, ""), source, from);
    if (at === undefined) return undefined;
    from = at + part.replace(/[.,;:]$/, "").length;
    texts.push(widened(source, at, from));
    contexts.push(around(source, at, from));
  }
  return { text: texts.join(" "), context: contexts.join(" ") };
}

function placeOf(part: string, source: string, from: number): number | undefined {
  for (let at = source.indexOf(part, from); at >= 0; at = source.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (isBorder(source, at) && isBorder(source, end)) return at;
  }
  return undefined;
}

/** Whether a word or number ends here; `15 000` and `2,5` are one number. */
function isBorder(source: string, at: number): boolean {
  const before = source.slice(Math.max(0, at - 2), at);
  const after = source.slice(at, at + 4);
  if (/[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)) return false;
  if (/\d[.,]$/.test(before) && /^\d/.test(after)) return false;
  if (/\d$/.test(before) && /^[.,]\d/.test(after)) return false;
  return !(/\d ?$/.test(before) && /^ ?\d{3}/.test(after));
}

function widened(source: string, start: number, end: number): string {
  const [word = ""] = /[\p{L}-]{0,20}$/u.exec(source.slice(Math.max(0, start - 21), start).trimEnd()) ?? [];
  const before = turningWord.test(word) ? `${word} ` : "";
  const quote = source.slice(start, end);
  const [after = ""] = /\d$/.test(quote)
    ? (/^ ?[\p{L}%₽$€°²³/]{1,20}/u.exec(source.slice(end, end + 22)) ?? [])
    : [];
  return `${before}${quote}${after}`;
}

function around(source: string, start: number, end: number): string {
  const from = Math.max(0, start - 600);
  const nearby = source.slice(from, end + 600);
  // Small letters hide where sentences begin, so full stops alone divide them here.
  const left = nearby.slice(0, start - from).lastIndexOf(". ") + 1;
  const right = nearby.indexOf(". ", end - from);
  return nearby.slice(left, right < 0 ? undefined : right);
}
