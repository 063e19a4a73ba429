import type { Lemmas } from "../language/index.ts";
import { faultOf, type QuantityFault } from "./agreement.ts";
import type { Checkable } from "./checkable.ts";
import { missingNames } from "./names.ts";
import { contradiction } from "./polarity.ts";
import { quantitiesIn } from "./quantities.ts";
import { type FoundQuote, findQuote, normalised } from "./quote.ts";

/** A stored text that claims may rest on. */
export interface Source {
  readonly id: string;
  readonly text: string;
  /** Whose it is; a sentence may name it. */
  readonly title?: string;
}

/** What the model says a sentence rests on. It never writes addresses, only the id of a source. */
export interface Claim {
  readonly sentence: string;
  readonly sourceId: string;
  readonly quote: string;
}

/** The source of the business's own facts. */
export const companyId = "company";

export const failReasons = {
  no_claim: "предложение с проверяемым фактом не опирается ни на один источник",
  no_research: "нет ни одного источника, а предложение ссылается на исследования или данные",
  source_unknown: "такого источника нет",
  quote_not_found: "цитаты нет в источнике слово в слово",
  number: "число расходится с цитатой",
  unit: "единица измерения расходится с цитатой",
  date: "дата расходится с цитатой",
  bound: "«не менее» и «не более» перепутаны",
  contact: "телефон расходится с данными компании",
  negation: "отрицание или смысл противоположны цитате",
  name: "названия из предложения нет в цитате",
  judge: "цитата не подтверждает предложение",
} as const;
export type FailReason = keyof typeof failReasons;

export interface Failure {
  readonly reason: FailReason;
  readonly detail: string;
}

/** A source made ready for looking up quotes. */
export interface ReadSource {
  readonly text: string;
  readonly title: string;
}

export function readSources(sources: readonly Source[]): ReadonlyMap<string, ReadSource> {
  return new Map(sources.map(({ id, text, title = "" }) => [id, { text: normalised(text), title }]));
}

/** Checks a sentence against the quotes it rests on; undefined if nothing speaks against it. */
export function checkClaim(
  sentence: string,
  checkable: Checkable,
  claims: readonly Claim[],
  { sources, lemmas }: { readonly sources: ReadonlyMap<string, ReadSource>; readonly lemmas: Lemmas },
): Failure | undefined {
  const isOwnOnly = claims.every(({ sourceId }) => sourceId === companyId);
  const hasResearch = [...sources.keys()].some((id) => id !== companyId);
  if (checkable.isResearch && (isOwnOnly || !hasResearch))
    return { reason: "no_research", detail: "исследование не может опираться на слова самой компании" };
  if (claims.length === 0) return { reason: "no_claim", detail: checkable.kinds.join(", ") };

  const found: (FoundQuote & { readonly title: string })[] = [];
  for (const { sourceId, quote } of claims) {
    const source = sources.get(sourceId);
    if (!source) return { reason: "source_unknown", detail: sourceId };
    const place = findQuote(quote, source.text);
    if (!place) return { reason: "quote_not_found", detail: quote.slice(0, 200) };
    found.push({ ...place, title: source.title });
  }
  const quotes = found.map(({ text }) => text).join(". ");
  const quoted = quantitiesIn(quotes);
  for (const quantity of checkable.quantities) {
    const fault = faultOf(quantity, quoted, quotes, lemmas);
    if (fault) return { reason: fault satisfies QuantityFault, detail: quantity.text };
  }
  const denied = contradiction(sentence, quotes, lemmas);
  if (denied !== undefined) return { reason: "negation", detail: denied };
  const evidence = found.map(({ text, context, title }) => `${text} ${context} ${title}`).join(" ");
  const [missing] = missingNames(checkable.names, evidence, lemmas);
  return missing === undefined ? undefined : { reason: "name", detail: missing };
}
