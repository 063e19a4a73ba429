import { type Finding, finding } from "./finding.ts";

const mostNamed = 5;

/**
 * Words in Latin letters that readers of Russian should get translated (168-FZ on the state language). Not meant: names that
 * the business uses itself, abbreviations, models with digits, addresses, hashtags. Never blocks.
 */
export function foreignWords(text: string, own: readonly string[]): Finding[] {
  const plain = text
    .split(/\s/)
    .filter((chunk) => !isAddress(chunk))
    .join(" ");
  if (!/\p{Script=Cyrillic}/u.test(plain)) return [];
  const known = new Set(
    own
      .join(" ")
      .toLowerCase()
      .match(/[a-z]+/g) ?? [],
  );
  const words = plain
    .split(/[^\p{L}\p{N}'’-]/u)
    .filter(
      (word) =>
        word.length >= 3 &&
        /^[A-Za-z][A-Za-z'’-]*$/.test(word) &&
        !/^[A-Z]{2,5}$/.test(word) &&
        !known.has(word.toLowerCase()),
    );
  const found = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()].slice(0, mostNamed);
  if (found.length === 0) return [];
  const list = found.join(", ");
  return [
    finding(
      "foreign_words",
      `Слова латиницей: ${list}. Для потребителей их нужно писать по-русски или с переводом (168-ФЗ), если это не товарный знак.`,
      `Words in Latin letters: ${list}. Russian law (168-FZ) wants them in Russian or translated, unless they are trademarks.`,
    ),
  ];
}

/** Addresses, e-mail, mentions and hashtags. */
const isAddress = (chunk: string) =>
  /^[«"(]?(?:[@#]|https?:|www\.)/i.test(chunk) ||
  chunk.includes("@") ||
  /\.(?:ru|com|рф|net|org)(?!\p{L})/iu.test(chunk);
