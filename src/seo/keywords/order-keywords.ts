import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { readProject } from "../projects/projects.ts";
import type { Said } from "../said.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { keywordsCharge, keywordsOrder, type keywordsRun } from "./keywords-run.ts";

/** What a person says when ordering phrases for a category. */
export const wantedKeywords = keywordsOrder.omit({ project_id: true, category_id: true }).extend({
  products: keywordsOrder.shape.products
    .optional()
    .describe("What is sold: goods and services; the category's name unless given"),
  geography: keywordsOrder.shape.geography
    .optional()
    .describe("Where it is sold; the project's city unless given"),
});

export const orderedSchema = z
  .object({
    run_id: z.string().describe("`GET /api/v1/seo/runs/{run_id}` shows how it goes"),
    repeated: z.boolean(),
    tokens: z.int().describe("Held for it; what is not used goes back"),
  })
  .meta({ id: "SeoOrdered" });

/** Orders phrases for a category of the person's own. */
export async function orderKeywords(
  deps: OrderDeps,
  kind: ReturnType<typeof keywordsRun>,
  whose: Whose,
  categoryId: number,
  wanted: z.infer<typeof wantedKeywords>,
  requestKey?: string,
): Promise<Ordered> {
  const { project_id: projectId, name } = await readCategory(deps.sql, whose, categoryId);
  const [project, prices] = await Promise.all([
    readProject(deps.sql, whose, projectId),
    listPrices(deps.sql, whose.workspaceId),
  ]);
  // The project's specialization is searched for as well, and says less about this category.
  const subject = name.length < shortestProducts ? project.specialization : name;
  const { quantity, products = subject, geography = project.company_city } = wanted;
  if (!geography) throw new SeoProblem("value_refused", noPlace);
  const operation = "keyword_generation";
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, requestKey },
    input: { project_id: projectId, category_id: categoryId, quantity, products, geography },
    counts: { keywords: 1 },
    charges: [
      { step: keywordsCharge, operation, tokens: tokensFor(prices, operation, quantity), note: name },
    ],
  });
}

const shortestProducts = 3;

const noPlace: Said = {
  ru: "Непонятно, где вы продаёте: у проекта нет города. Укажите город или регион.",
  en: "It is not known where you sell, because the project has no city. Give geography: a city, a region, Россия.",
};
