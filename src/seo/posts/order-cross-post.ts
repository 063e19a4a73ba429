import { listPrices, tokensFor } from "../../billing/index.ts";
import { chargesOf } from "../articles/article-deps.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import type { CrossPostRun } from "./cross-post-run.ts";
import { adaptedWords, sourceOf } from "./cross-post-source.ts";
import type { WantedPost } from "./order-post.ts";
import { postPlace } from "./read-brief.ts";
import { sources } from "./words.ts";
import { crossOperation } from "./write-post.ts";

/** Orders the adaptation of a published post to another connection of its project. The picture is used again and costs nothing. */
export async function orderCrossPost(
  deps: OrderDeps,
  kind: CrossPostRun,
  whose: Whose,
  sourceRunId: string,
  { connectionId, origin = "person", inHand, requestKey }: WantedPost,
): Promise<Ordered> {
  const { order, result: source } = await sourceOf(deps.sql, whose, sourceRunId);
  const { project_id: projectId, category_id: categoryId } = order;
  const { name } = await readCategory(deps.sql, whose, categoryId);
  const input = { ...order, connection_id: connectionId, source_run_id: sourceRunId };
  const { platform } = await postPlace(deps.sql, whose, input);
  if (connectionId === order.connection_id) throw new SeoProblem("not_publishable", sources.same_place);
  if (platform === "pinterest" && source.pictures.length === 0)
    throw new SeoProblem("not_publishable", sources.no_picture);
  const prices = await listPrices(deps.sql, whose.workspaceId);
  const tokens = tokensFor(prices, crossOperation, adaptedWords(platform, source.words).max);
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, connectionId, requestKey, origin, inHand, input },
    // A schedule is its own limit.
    counts: origin === "schedule" ? {} : { texts: 1 },
    charges: [{ step: chargesOf(0).text, operation: crossOperation, tokens, note: name }],
  });
}
