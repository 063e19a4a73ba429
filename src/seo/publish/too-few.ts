import { tokensInRussian, tooFewWords } from "../orders/token-words.ts";
import { SeoProblem } from "../problems.ts";

/** A paid regeneration that the balance does not allow (E10). */
export const tooFewForAnother = ({ needed, balance }: { needed: number; balance: number }) =>
  new SeoProblem("too_few_tokens", {
    ru: `Перегенерация стоит ~${tokensInRussian(needed)}, у вас ${balance}.`,
    en: `Another text costs about ${needed} tokens, there are ${balance}. Top up, or publish this one.`,
  });

/** Another try to publish that the balance does not allow. */
export const tooFewFor = ({ needed, balance }: { needed: number; balance: number }) =>
  new SeoProblem("too_few_tokens", tooFewWords(needed, balance));
