import { plainly, quantitiesOf, sentencesOf } from "../language/index.ts";
import { type Finding, finding } from "./finding.ts";

/** What is known to be true about the business. */
export interface VerifiedFacts {
  /** Prices of the price list in roubles; empty: prices are not checked. */
  readonly prices: readonly number[];
  /** Any text with the company's phones: the fields of its project. */
  readonly companyData: string;
  /** Names and addresses of sources that research found. */
  readonly sources?: readonly string[];
  /** Sentences with evidence; they are not looked at. */
  readonly supported?: readonly string[];
}

/** A price may differ from the list by this share: sets, discounts, rounding. */
const priceTolerance = 0.2;
const mostFindings = 20;

/** Warnings about what the text may have made up (E48). Never blocks. */
export function checkFabricated(text: string, facts: VerifiedFacts): Finding[] {
  const unproved = withoutSentences(text, facts.supported ?? []);
  return [
    ...fabricatedPrices(unproved, facts.prices),
    ...foreignPhones(text, facts.companyData),
    ...unsourcedClaims(unproved, facts.sources ?? []),
  ];
}

function withoutSentences(text: string, sentences: readonly string[]): string {
  if (sentences.length === 0) return text;
  const left = new Set(sentences.map((sentence) => plainly(sentence)));
  return text
    .split("\n")
    .map((paragraph) =>
      sentencesOf(plainly(paragraph))
        .filter((sentence) => !left.has(sentence.text))
        .map((sentence) => sentence.text)
        .join(" "),
    )
    .join("\n");
}

export function fabricatedPrices(text: string, prices: readonly number[]): Finding[] {
  if (prices.length === 0) return [];
  const known = [...new Set(prices)].sort((one, other) => one - other);
  const found = new Set(
    quantitiesOf(text)
      .filter(({ kind, unit }) => kind === "money" && unit === "руб.")
      .map(({ value }) => value)
      .filter((value) => !isNear(value, known)),
  );
  return [...found].slice(0, mostFindings).map((value) => {
    const shown = value.toLocaleString("ru-RU");
    return finding(
      "fabricated_price",
      `Возможно выдуманная цена: ${shown} руб.`,
      `Possibly an invented price: ${shown} roubles.`,
    );
  });
}

/** The nearest prices on both sides decide, so the list is searched by halves. */
function isNear(value: number, known: readonly number[]): boolean {
  let low = 0;
  let high = known.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return [known[low - 1], known[low]].some(
    (price) => price !== undefined && Math.abs(value - price) <= priceTolerance * price,
  );
}

/** Russian numbers with a code, and those of a city as «22-33-44» or «222-33-44». */
const phone =
  /(?=[+\p{Nd}])(?<![\p{Nd}-])(?:(?:\+7|8|\+375|\+77)[\s\u00A0(-]{0,3}\p{Nd}{3,4}[\s\u00A0)-]{0,3}\p{Nd}{2,3}[\s\u00A0-]{0,2}\p{Nd}{2}[\s\u00A0-]{0,2}\p{Nd}{2}|\p{Nd}{2,3}-\p{Nd}{2}-\p{Nd}{2})(?![\p{Nd}-])/gu;

export function foreignPhones(text: string, companyData: string): Finding[] {
  const own = new Set(Array.from(companyData.matchAll(phone), ([found]) => lastDigits(found)));
  const ownShort = new Set([...own].flatMap((digits) => [digits.slice(-7), digits.slice(-6)]));
  const foreign = new Map<string, string>();
  for (const [found] of text.matchAll(phone)) {
    const digits = lastDigits(found);
    if (!own.has(digits) && !(digits.length < 10 && ownShort.has(digits))) foreign.set(digits, found.trim());
  }
  return [...foreign.values()]
    .slice(0, mostFindings)
    .map((shown) =>
      finding(
        "unknown_phone",
        `Телефона нет в данных компании: ${shown}.`,
        `This phone is not in the company's data: ${shown}.`,
      ),
    );
}

/** Without the code of the country: +7 and 8 are the same. */
function lastDigits(found: string): string {
  return found.replace(/\P{Nd}/gu, "").slice(-10);
}

const claim =
  /(?<!\p{L})(?:по данным|согласно|исследовани|опрос(?:[аеуы]|ом|ов|ами|ах)?(?!\p{L})|статистик)/iu;
/** What follows «согласно» without being a claim about the world. */
const ownPapers =
  /согласно\s(?:договор|инструкци|график|прайс|смет|заявк|закон|статье|пункт|правил|плану|ваш|наш)/iu;
/** A name that answers "whose data": a capital letter after «данным», a quotation, an abbreviation. */
const namedSource =
  /(?:данным|согласно|исследовани\p{L}{0,3}|опрос\p{L}{0,3}|статистик\p{L}{0,3})\s(?:\p{L}{1,20}\s){0,2}[«"\p{Lu}]/iu;

export function unsourcedClaims(text: string, sources: readonly string[]): Finding[] {
  const known = sources.map((source) => source.toLowerCase()).filter((source) => source.length > 2);
  const found: string[] = [];
  for (const paragraph of text.split("\n"))
    for (const { text: sentence } of sentencesOf(plainly(paragraph))) {
      if (found.length >= mostFindings) break;
      if (!claim.test(sentence) || ownPapers.test(sentence)) continue;
      const low = sentence.toLowerCase();
      const named = /https?:\/\//.test(low) || (sources.length === 0 && hasName(sentence));
      if (!named && !known.some((source) => low.includes(source))) found.push(sentence);
    }
  return found.map((sentence) => {
    const shown = sentence.length > 120 ? `${sentence.slice(0, 119)}…` : sentence;
    return finding(
      "unsourced_claim",
      `Утверждение без источника: «${shown}»`,
      `A claim without a source: “${shown}”`,
    );
  });
}

/** The pattern ignores case for its words, so the name itself is looked at again. */
function hasName(sentence: string): boolean {
  const found = namedSource.exec(sentence)?.[0];
  return found !== undefined && /[«"\p{Lu}]$/u.test(found);
}
