import { listPrices, tokensFor } from "../../billing/index.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { reservePhrase } from "../publications/rotation.ts";
import { siteOf } from "../publish/publish-article.ts";
import { readSettings } from "../settings/settings.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { chargesOf, imageOperation, textOperation } from "./article-deps.ts";
import type { ArticleRun } from "./article-run.ts";

export interface WantedArticle {
  /** The site it is for; without one it can be looked at, and published later. */
  readonly connectionId?: number | undefined;
  /** A schedule publishes without a review, so it names a site. */
  readonly origin?: "person" | "schedule" | undefined;
  readonly requestKey?: string | undefined;
}

/** Orders an article of a category of the person's own: the next phrase in its turn is reserved for it. */
export async function orderArticle(
  deps: OrderDeps,
  kind: ArticleRun,
  whose: Whose,
  categoryId: number,
  { connectionId, origin = "person", requestKey }: WantedArticle = {},
): Promise<Ordered> {
  const { project_id: projectId, name } = await readCategory(deps.sql, whose, categoryId);
  const input = { project_id: projectId, category_id: categoryId, connection_id: connectionId ?? null };
  if (connectionId !== undefined || origin === "schedule") await siteOf(deps.sql, whose, input);
  const [{ text, image }, prices] = await Promise.all([
    readSettings(deps.sql, whose, categoryId, "wordpress"),
    listPrices(deps.sql, whose.workspaceId),
  ]);
  const steps = chargesOf(0);
  const tokens = {
    text: tokensFor(prices, textOperation, text.words_max),
    images: tokensFor(prices, imageOperation, image.count),
  };
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, connectionId, requestKey, origin, input },
    counts: { texts: 1, images: image.count },
    charges: [
      { step: steps.text, operation: textOperation, tokens: tokens.text, note: name },
      ...(image.count > 0
        ? [{ step: steps.images, operation: imageOperation, tokens: tokens.images, note: name }]
        : []),
    ],
    async also(tx, run) {
      const wanted = { categoryId, contentType: "article", run } as const;
      const reserved = await reservePhrase(tx, whose, wanted, deps.clock.now());
      if (reserved.outcome !== "reserved") throw new SeoProblem("no_phrase", reserved.said);
    },
  });
}
