/** What a work costs a person, as it is told before they confirm it. */
import { z } from "zod";
import { createLedger, listPrices, tokensFor } from "../../../billing/index.ts";
import type { Language } from "../../../dialogs/index.ts";
import { type BotVisit, inStep, isAdmin, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";

export const costShape = z.object({
  tokens: z.int(),
  balance: z.int(),
  /** An administrator pays nothing. */
  isFree: z.boolean(),
});
export type Cost = z.infer<typeof costShape>;
export const noCost: Cost = { tokens: 0, balance: 0, isFree: false };

export async function costOf(visit: BotVisit, operation: string, count = 1): Promise<Cost> {
  const { sql, clock } = inStep(visit);
  const { workspaceId, userId } = whoseOf(visit);
  const prices = await listPrices(sql, workspaceId);
  const balance = (await createLedger(sql, clock).balance(workspaceId, userId)) ?? 0;
  return { tokens: tokensFor(prices, operation, count), balance, isFree: isAdmin(visit) };
}

export const isShort = ({ tokens, balance, isFree }: Cost): boolean => !isFree && balance < tokens;

/** Cost and balance; what is missing, if something is. */
export function costText(cost: Cost, language: Language): string {
  const { categories, common } = texts[language];
  const say = categories.cost;
  const lines = say.line(common.tokens(cost.tokens), common.tokens(cost.balance), cost.isFree);
  return isShort(cost) ? `${lines}\n\n${say.short(cost.tokens, cost.balance)}` : lines;
}
