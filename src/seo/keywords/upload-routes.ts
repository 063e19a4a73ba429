import { z } from "zod";
import type { App } from "../../http/index.ts";
import { readKeywordFile } from "../categories/keyword-file.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { orderedSchema } from "./order-keywords.ts";
import { orderUpload } from "./order-upload.ts";
import type { uploadRun } from "./upload-run.ts";

export function uploadRoutes(
  app: App,
  deps: OrderDeps & { readonly kinds: { readonly upload: ReturnType<typeof uploadRun> } },
): void {
  personRoutes(app, deps).post(
    "/categories/:category_id/keywords/upload",
    {
      scope: "write",
      summary: "Add the phrases of a text file with volumes and in clusters, for nothing",
      params: z.object({ ...person, category_id: idText }),
      body: z.strictObject({
        text: z.string().describe("The file: one phrase on each line, at most 500 phrases and 1 MB"),
        request_key: requestKey,
      }),
      ...{ answer: orderedSchema, status: 202 },
    },
    (asked) =>
      orderUpload(
        deps,
        deps.kinds.upload,
        whoseOf(asked),
        asked.params.category_id,
        readKeywordFile(Buffer.from(asked.body.text)),
        asked.body.request_key,
      ),
  );
}
