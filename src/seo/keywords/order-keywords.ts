import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { type KeywordsOrder, keywordsCharge, keywordsOrder, type keywordsRun } from "./keywords-run.ts";

/** What a person says when ordering phrases for a category. */
export const wantedKeywords = keywordsOrder.omit({ project_id: true, category_id: true });

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
  wanted: Omit<KeywordsOrder, "project_id" | "category_id">,
  requestKey?: string,
): Promise<Ordered> {
  const { project_id: projectId, name } = await readCategory(deps.sql, whose, categoryId);
  const prices = await listPrices(deps.sql, whose.workspaceId);
  const operation = "keyword_generation";
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, requestKey },
    input: { ...wanted, project_id: projectId, category_id: categoryId },
    counts: { keywords: 1 },
    charges: [
      { step: keywordsCharge, operation, tokens: tokensFor(prices, operation, wanted.quantity), note: name },
    ],
  });
}
