import { listPrices, tokensFor } from "../../billing/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { chargesOf, imageOperation, textOperation } from "../articles/article-deps.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { reservePhrase } from "../publications/rotation.ts";
import { readSettings } from "../settings/settings.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { imagesFor, wordsFor } from "./limits.ts";
import type { PostRun } from "./post-run.ts";
import { postPlace } from "./read-brief.ts";

export interface WantedPost {
  /** The channel, the community or the board it is for. */
  readonly connectionId: number;
  /** A schedule publishes without a review. */
  readonly origin?: "person" | "schedule" | undefined;
  /** Whoever orders it works on it, too: no job is enqueued. */
  readonly inHand?: boolean | undefined;
  readonly requestKey?: string | undefined;
  /** Writes that belong to the order. */
  readonly also?: ((tx: Transaction, run: string) => Promise<void>) | undefined;
}

/** Orders a post of a category of the person's own: the next phrase in its turn is reserved for it. */
export async function orderPost(
  deps: OrderDeps,
  kind: PostRun,
  whose: Whose,
  categoryId: number,
  { connectionId, origin = "person", inHand, requestKey, also }: WantedPost,
): Promise<Ordered> {
  const { project_id: projectId, name } = await readCategory(deps.sql, whose, categoryId);
  const input = { project_id: projectId, category_id: categoryId, connection_id: connectionId };
  const { platform } = await postPlace(deps.sql, whose, input);
  const [settings, prices] = await Promise.all([
    readSettings(deps.sql, whose, categoryId, platform),
    listPrices(deps.sql, whose.workspaceId),
  ]);
  const { count } = imagesFor(platform, settings.image);
  const steps = chargesOf(0);
  const words = wordsFor(platform, settings.text);
  const text = {
    tokens: tokensFor(prices, textOperation, words.max),
    least: tokensFor(prices, textOperation, words.min),
  };
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, connectionId, requestKey, origin, inHand, input },
    // A schedule is its own limit.
    counts: origin === "schedule" ? {} : { texts: 1, images: count },
    charges: [
      { step: steps.text, operation: textOperation, ...text, note: name },
      ...(count > 0
        ? [
            {
              ...{ step: steps.images, operation: imageOperation, note: name },
              tokens: tokensFor(prices, imageOperation, count),
            },
          ]
        : []),
    ],
    async also(tx, run) {
      const wanted = { categoryId, contentType: "social_post", run } as const;
      const reserved = await reservePhrase(tx, whose, wanted, deps.clock.now());
      if (reserved.outcome !== "reserved") throw new SeoProblem("no_phrase", reserved.said);
      await also?.(tx, run);
    },
  });
}
