import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import { seoTasks } from "../answers/index.ts";
import { readCategory } from "../categories/categories.ts";
import { readPrices } from "../categories/lists.ts";
import { priceText } from "../categories/price-lines.ts";
import { reviewSchema } from "../categories/shape.ts";
import { askModel } from "../models/ask-model.ts";
import { withWait } from "../models/when-again.ts";
import { giveBackIfHeld, lowerIfHeld } from "../orders/held-step.ts";
import { readProject } from "../projects/projects.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { chargeOf, notRegenerated, resultBefore, reviewedText, textBefore } from "./reviewed-text.ts";
import { reviewQuantities, sampleReviews } from "./sample-reviews.ts";

export const reviewsOrder = z.object({
  project_id: z.int(),
  category_id: z.int(),
  quantity: z.literal(reviewQuantities).describe("How many reviews"),
});
export type ReviewsOrder = z.infer<typeof reviewsOrder>;

export const reviewsResult = reviewedText.extend({ reviews: z.array(reviewSchema) });
export type ReviewsResult = z.infer<typeof reviewsResult>;

export const reviewsKind = "reviews";
const operation = "review";

const failed: Said = {
  ru: "Не удалось написать отзывы. Токены возвращены. Попробуйте ещё раз.",
  en: "The reviews could not be written. The tokens were returned. Try again.",
};
export const samplesOnly: Said = {
  ru: "Это образцы для вида страницы, а не слова покупателей: как отзывы они не размечаются.",
  en: "These are samples for the look of a page, not customers' words: they are never marked up as reviews.",
};

const most = { prices: 5 };

/** Writes sample reviews; the person saves them, has them written anew or cancels. Costs what was delivered. */
export function reviewsRun(deps: WorkshopDeps) {
  const { sql } = deps;
  return defineRun<ReviewsOrder, ReviewsResult>({
    kind: reviewsKind,
    title: { ru: "образцы отзывов", en: "sample reviews" },
    input: reviewsOrder,
    async work(run, { project_id, category_id, quantity }) {
      const charge = {
        workspaceId: run.workspaceId,
        run: run.runId,
        step: chargeOf(reviewsKind, run.round),
      };
      const result = await run.step("write", { result: reviewsResult, stage: "text" }, async (step) => {
        const [project, category, prices, before] = await Promise.all([
          readProject(sql, run, project_id),
          readCategory(sql, run, category_id),
          readPrices(sql, run, category_id),
          resultBefore(deps, run, reviewsResult),
        ]);
        const now = deps.clock.now();
        const asked = await askModel(deps, { run, step, operation }, seoTasks.reviews, {
          ...{ quantity, category_name: category.name, language: "ru" },
          ...{ company_name: project.company_name, specialization: project.specialization },
          prices_excerpt: prices.length > 0 ? priceText(prices.slice(0, most.prices)) : "",
          current_date: now.toISOString().slice(0, 10),
        });
        const reviews = asked.ok ? sampleReviews(asked.answer, quantity, now) : [];
        if (reviews.length > 0) {
          const tokens = tokensFor(await listPrices(sql, run.workspaceId), operation, reviews.length);
          if (reviews.length < quantity) await lowerIfHeld(deps, charge, tokens);
          const regenerations = before ? before.regenerations + 1 : 0;
          return { category_id, reviews, regenerations, warning: samplesOnly };
        }
        if (!before)
          throw new RunFailure("model_failed", withWait(failed, asked.ok ? undefined : asked.error));
        await giveBackIfHeld(deps, charge, "model_failed");
        return { ...before, warning: notRegenerated };
      });
      return { status: "review", result };
    },
    keepBefore: (run) => textBefore(deps, run, reviewsKind, reviewsResult),
  });
}
