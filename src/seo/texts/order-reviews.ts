import { createLedger, listPrices, tokensFor } from "../../billing/index.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { chargeOf } from "./reviewed-text.ts";
import { type ReviewsOrder, reviewsKind, type reviewsRun } from "./reviews-run.ts";

export interface ReviewsDeps extends OrderDeps {
  /** Whether SEO_REVIEWS is on. */
  readonly sampleReviews: boolean;
}

/** Orders sample reviews for a category, if the operator allows that. They change nothing until they are saved. */
export async function orderReviews(
  deps: ReviewsDeps,
  kind: ReturnType<typeof reviewsRun>,
  whose: Whose,
  categoryId: number,
  quantity: ReviewsOrder["quantity"],
  requestKey?: string,
): Promise<Ordered> {
  const { sql, clock } = deps;
  const { project_id: projectId, name } = await readCategory(sql, whose, categoryId);
  if (!deps.sampleReviews) throw new SeoProblem("part_off", off);
  const operation = "review";
  const tokens = tokensFor(await listPrices(sql, whose.workspaceId), operation, quantity);
  const balance = (await createLedger(sql, clock).balance(whose.workspaceId, whose.userId)) ?? 0;
  // In a debt the usual sentence says why.
  if (!deps.admins.includes(whose.userId) && balance >= 0 && balance < tokens)
    throw new SeoProblem("too_few_tokens", {
      ru: `Недостаточно токенов. Нужно ${tokens}, у вас ${balance}. Пополните баланс или закажите меньше отзывов.`,
      en: `There are not enough tokens: ${tokens} are needed, there are ${balance}. Top up, or order fewer reviews.`,
    });
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, requestKey },
    input: { project_id: projectId, category_id: categoryId, quantity },
    counts: { texts: 1 },
    charges: [{ step: chargeOf(reviewsKind, 0), operation, tokens, note: name }],
  });
}

const off = {
  ru: "Образцы отзывов выключены. Администратор включает их настройкой SEO_REVIEWS=on.",
  en: "Sample reviews are switched off. The operator switches them on with SEO_REVIEWS=on.",
};
