import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import type { uploadRun } from "./upload-run.ts";

/** Orders volumes and clusters for a person's own phrases, which are then added to the category. Costs nothing. */
export async function orderUpload(
  deps: OrderDeps,
  kind: ReturnType<typeof uploadRun>,
  whose: Whose,
  categoryId: number,
  phrases: readonly string[],
  requestKey?: string,
): Promise<Ordered> {
  const { project_id: projectId } = await readCategory(deps.sql, whose, categoryId);
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, requestKey },
    input: { project_id: projectId, category_id: categoryId, phrases: [...phrases] },
    counts: { keywords: 1 },
    charges: [],
  });
}
