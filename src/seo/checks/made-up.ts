import { checkFabricated } from "./facts.ts";
import type { Finding } from "./finding.ts";

export interface OwnData {
  /** The price list, as its owner writes it: «от 12 000 ₽». */
  readonly prices: readonly { readonly price: string }[];
  /** Everything the business says about itself, a line each. */
  readonly company: readonly string[];
  /** Titles of the sources that were read. */
  readonly sources?: readonly string[];
  /** Sentences with evidence. */
  readonly supported?: readonly string[];
}

/** What a text may have made up about a business, for its owner to look at (E48). */
export function madeUpIn(
  text: string,
  { prices, company, sources = [], supported = [] }: OwnData,
): Finding[] {
  return checkFabricated(text, {
    prices: prices.flatMap(({ price }) => {
      const digits = /\d[\d\s]{0,14}/.exec(price)?.[0].replace(/\s/g, "");
      return digits ? [Number(digits)] : [];
    }),
    ...{ companyData: company.join("\n"), sources, supported },
  });
}
