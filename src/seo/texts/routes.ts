import { z } from "zod";
import type { App } from "../../http/index.ts";
import { idOf } from "../../workspaces/index.ts";
import { orderedSchema } from "../keywords/order-keywords.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { runColumn } from "../runs/read-runs.ts";
import { regenerateText, savedSchema, saveText } from "./decide-on-text.ts";
import type { descriptionRun } from "./description-run.ts";
import { orderDescription } from "./order-description.ts";
import { orderReviews, type ReviewsDeps } from "./order-reviews.ts";
import { reviewsOrder, type reviewsRun } from "./reviews-run.ts";

export interface TextDeps extends ReviewsDeps {
  readonly kinds: {
    readonly description: ReturnType<typeof descriptionRun>;
    readonly reviews: ReturnType<typeof reviewsRun>;
  };
}

const ofCategory = z.object({ ...person, category_id: idText });
const ofRun = z.object({ ...person, run_id: idOf(runColumn) });

/** Descriptions and sample reviews of a category: ordered, then saved or written anew. */
export function textRoutes(app: App, deps: TextDeps): void {
  const routes = personRoutes(app, deps);
  routes.post(
    "/categories/:category_id/description/generate",
    {
      scope: "write",
      summary: "Have a description of the category written, for tokens; it waits until it is saved",
      params: ofCategory,
      body: z.strictObject({ request_key: requestKey }),
      ...{ answer: orderedSchema, status: 202 },
    },
    (asked) =>
      orderDescription(
        deps,
        deps.kinds.description,
        whoseOf(asked),
        asked.params.category_id,
        asked.body.request_key,
      ),
  );
  routes.post(
    "/categories/:category_id/reviews/generate",
    {
      scope: "write",
      summary:
        "Have sample reviews written, for tokens, if SEO_REVIEWS is on; they wait until they are saved",
      params: ofCategory,
      body: z.strictObject({ quantity: reviewsOrder.shape.quantity, request_key: requestKey }),
      ...{ answer: orderedSchema, status: 202 },
    },
    (asked) =>
      orderReviews(
        deps,
        deps.kinds.reviews,
        whoseOf(asked),
        asked.params.category_id,
        asked.body.quantity,
        asked.body.request_key,
      ),
  );
  routes.post(
    "/texts/:run_id/save",
    {
      scope: "write",
      summary: "Write a description or reviews into their category; their tokens are settled",
      params: ofRun,
      answer: savedSchema,
    },
    (asked) => saveText(deps, whoseOf(asked), asked.params.run_id),
  );
  routes.post(
    "/texts/:run_id/regenerate",
    {
      scope: "write",
      summary: "Have a description or reviews written anew: twice for nothing, then for tokens",
      params: ofRun,
      answer: z.object({ run_id: z.string(), tokens: z.int() }),
      status: 202,
    },
    (asked) => regenerateText(deps, whoseOf(asked), asked.params.run_id),
  );
}
