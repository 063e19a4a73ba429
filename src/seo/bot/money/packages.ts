/** The packages of tokens, as the catalogue has them now. */
import { type Offer, tokenOffers } from "../../../billing/index.ts";
import type { Language } from "../../../dialogs/index.ts";
import type { BotVisit } from "../services.ts";
import { texts } from "../texts/index.ts";

export const offersOf = ({ sql, workspaceId }: Pick<BotVisit, "sql" | "workspaceId">) =>
  tokenOffers(sql, workspaceId);

/** Undefined if it is not sold any more. */
export async function offerOf(
  visit: Pick<BotVisit, "sql" | "workspaceId">,
  code: string,
): Promise<Offer | undefined> {
  return (await offersOf(visit)).find((offer) => offer.code === code);
}

/** `pro` is Pro: names of packages are the same in all languages. */
export const nameOf = (code: string) => code.charAt(0).toUpperCase() + code.slice(1);

export function priceOf(amount: number, currency: string, language: Language): string {
  const { money } = texts[language];
  return currency === "XTR" ? money.stars(amount) : money.rub(amount);
}
