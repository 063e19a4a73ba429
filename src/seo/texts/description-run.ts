import { z } from "zod";
import { seoTasks } from "../answers/index.ts";
import { readCategory } from "../categories/categories.ts";
import { readClusters } from "../categories/keywords.ts";
import { readPrices, readReviews } from "../categories/lists.ts";
import { priceText } from "../categories/price-lines.ts";
import { countWords } from "../language/index.ts";
import { askText } from "../models/ask-text.ts";
import { withWait } from "../models/when-again.ts";
import { giveBackIfHeld } from "../orders/held-step.ts";
import { readProject } from "../projects/projects.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun, type RunScope } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { descriptionFrom } from "./description-text.ts";
import { chargeOf, notRegenerated, resultBefore, reviewedText, textBefore } from "./reviewed-text.ts";

export const descriptionOrder = z.object({ project_id: z.int(), category_id: z.int() });
export type DescriptionOrder = z.infer<typeof descriptionOrder>;

export const descriptionResult = reviewedText.extend({ text: z.string(), words: z.int() });
export type DescriptionResult = z.infer<typeof descriptionResult>;

export const descriptionKind = "description";
const operation = "description";

const failed: Said = {
  ru: "Не удалось написать описание. Токены возвращены. Попробуйте ещё раз или напишите его сами.",
  en: "The description could not be written. The tokens were returned. Try again, or write it yourself.",
};

/** How much of what is known goes into the prompt. */
const most = { phrases: 10, prices: 5, reviews: 3 };
/** A model that wrote too little is asked once more. */
const attempts = 2;

const facts = z.object({
  category_name: z.string(),
  company_name: z.string(),
  specialization: z.string(),
  city: z.string(),
  phrases: z.string(),
  prices_excerpt: z.string(),
  reviews: z.string(),
});

/** Writes 100 to 300 words about a category; the person saves them, has them written anew or cancels. */
export function descriptionRun(deps: WorkshopDeps) {
  return defineRun<DescriptionOrder, DescriptionResult>({
    kind: descriptionKind,
    title: { ru: "описание категории", en: "description of a category" },
    input: descriptionOrder,
    async work(run, order) {
      const known = await readFacts(deps, run, order);
      const result = await run.step("write", { result: descriptionResult, stage: "text" }, async (step) => {
        const before = await resultBefore(deps, run, descriptionResult);
        let said = failed;
        for (let attempt = 0; attempt < attempts; attempt += 1) {
          const data = { ...known, language: "ru" };
          const asked = await askText(deps, { run, step, operation }, seoTasks.description, data);
          if (!asked.ok) {
            said = withWait(failed, asked.error);
            break;
          }
          const text = descriptionFrom(asked.text);
          const regenerations = before ? before.regenerations + 1 : 0;
          if (text)
            return {
              ...{ category_id: order.category_id, text, words: countWords(text), regenerations },
              warning: null,
            };
          step.note("text_refused", { words: countWords(asked.text) });
        }
        if (!before) throw new RunFailure("model_failed", said);
        const charge = {
          workspaceId: run.workspaceId,
          run: run.runId,
          step: chargeOf(descriptionKind, run.round),
        };
        await giveBackIfHeld(deps, charge, "model_failed");
        return { ...before, warning: notRegenerated };
      });
      return { status: "review", result };
    },
    keepBefore: (run) => textBefore(deps, run, descriptionKind, descriptionResult),
  });
}

/** Read once: a regeneration writes from the same facts. */
function readFacts({ sql }: WorkshopDeps, run: RunScope, { project_id, category_id }: DescriptionOrder) {
  return run.step("read", { result: facts, shared: true }, async () => {
    const [project, category, clusters, prices, reviews] = await Promise.all([
      readProject(sql, run, project_id),
      readCategory(sql, run, category_id),
      readClusters(sql, run, category_id),
      readPrices(sql, run, category_id),
      readReviews(sql, run, category_id),
    ]);
    const phrases = clusters
      .flatMap((cluster) => cluster.phrases)
      .toSorted((one, other) => (other.volume ?? -1) - (one.volume ?? -1))
      .slice(0, most.phrases);
    // What a model made up proves nothing about the business.
    const told = reviews.filter(({ sample }) => !sample).slice(0, most.reviews);
    return {
      category_name: category.name,
      company_name: project.company_name,
      specialization: project.specialization,
      city: project.company_city ?? "",
      phrases: phrases.map(({ phrase }) => phrase).join("\n"),
      prices_excerpt: prices.length > 0 ? priceText(prices.slice(0, most.prices)) : "",
      reviews: told.map(({ rating, text }) => `${rating}/5: ${text}`).join("\n"),
    };
  });
}
