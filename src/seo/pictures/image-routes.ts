import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { idOf } from "../../workspaces/index.ts";
import { orderedSchema } from "../keywords/order-keywords.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { runColumn } from "../runs/read-runs.ts";
import { imagesAtMost } from "../settings/options.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import type { imagesRun } from "./images-run.ts";
import { drawnImagesSchema, orderImages, readImages } from "./order-images.ts";

export interface ImageRouteDeps extends OrderDeps {
  readonly kinds: { readonly images: ReturnType<typeof imagesRun> };
  readonly storage: ObjectStorage;
}

/** Pictures of a category without a text. */
export function imageRoutes(app: App, deps: ImageRouteDeps): void {
  const routes = personRoutes(app, deps);
  routes.post(
    "/categories/:category_id/images",
    {
      scope: "write",
      summary: "Draw pictures of a category, for tokens; what is not drawn costs nothing",
      params: z.object({ ...person, category_id: idText }),
      body: z.strictObject({
        count: z.int().min(1).max(imagesAtMost).default(1),
        request_key: requestKey,
      }),
      ...{ answer: orderedSchema, status: 202 },
    },
    (asked) =>
      orderImages(deps, deps.kinds.images, whoseOf(asked), asked.params.category_id, {
        ...{ count: asked.body.count, requestKey: asked.body.request_key },
      }),
  );
  routes.get(
    "/images/:run_id",
    {
      scope: "people",
      summary: "The pictures of a run; each reading is recorded",
      params: z.object({ ...person, run_id: idOf(runColumn) }),
      answer: drawnImagesSchema,
    },
    async (asked) => readImages(deps, await readFor(deps, asked, "images"), asked.params.run_id),
  );
}
