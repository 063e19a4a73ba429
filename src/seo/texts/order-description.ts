import { listPrices, tokensFor } from "../../billing/index.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { descriptionKind, type descriptionRun } from "./description-run.ts";
import { chargeOf } from "./reviewed-text.ts";

/** Orders a description of a category. It changes nothing until it is saved. */
export async function orderDescription(
  deps: OrderDeps,
  kind: ReturnType<typeof descriptionRun>,
  whose: Whose,
  categoryId: number,
  requestKey?: string,
): Promise<Ordered> {
  const { project_id: projectId, name } = await readCategory(deps.sql, whose, categoryId);
  const prices = await listPrices(deps.sql, whose.workspaceId);
  const operation = "description";
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, requestKey },
    input: { project_id: projectId, category_id: categoryId },
    counts: { texts: 1 },
    charges: [
      {
        step: chargeOf(descriptionKind, 0),
        operation,
        tokens: tokensFor(prices, operation, 1),
        note: name,
      },
    ],
  });
}
