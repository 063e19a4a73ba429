import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { imageOperation } from "../articles/article-deps.ts";
import { readCategory } from "../categories/categories.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import { readRun } from "../runs/read-runs.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { imagesCharge, imagesResult, type imagesRun } from "./images-run.ts";
import { pictureUrl } from "./stored-files.ts";

/** Orders pictures of a category, for tokens; the limit of an hour counts each of them. */
export async function orderImages(
  deps: OrderDeps,
  kind: ReturnType<typeof imagesRun>,
  whose: Whose,
  categoryId: number,
  { count, requestKey }: { readonly count: number; readonly requestKey?: string | undefined },
): Promise<Ordered> {
  const { project_id: projectId, name } = await readCategory(deps.sql, whose, categoryId);
  const tokens = tokensFor(await listPrices(deps.sql, whose.workspaceId), imageOperation, count);
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, requestKey },
    input: { project_id: projectId, category_id: categoryId, count },
    counts: { images: count },
    charges: [{ step: imagesCharge, operation: imageOperation, tokens, note: name }],
  });
}

export const drawnImagesSchema = z
  .object({
    run_id: z.uuid(),
    status: z.string(),
    tokens: z.int(),
    wanted: z.int().nullable(),
    pictures: z.array(z.object({ url: z.string(), width: z.int(), height: z.int() })),
    message: z.string().nullable().describe("What went wrong, or what is missing"),
  })
  .meta({ id: "SeoImages" });
export type DrawnImages = z.infer<typeof drawnImagesSchema>;

/** The pictures of a run, at addresses that live for a week. */
export async function readImages(
  { sql, storage }: { readonly sql: Sql; readonly storage: ObjectStorage },
  { workspaceId, userId }: Whose,
  runId: string,
): Promise<DrawnImages> {
  const run = await readRun(sql, workspaceId, runId, userId);
  if (run.kind !== "images") throw notFound("run of pictures", runId);
  const result = run.result === null ? undefined : imagesResult.parse(run.result);
  return {
    ...{ run_id: run.run_id, status: run.status, tokens: run.tokens, wanted: result?.wanted ?? null },
    pictures: await Promise.all(
      (result?.pictures ?? []).map(async ({ storage_path, width, height }) => ({
        ...{ url: await pictureUrl(storage, workspaceId, storage_path), width, height },
      })),
    ),
    message: run.error?.message.en ?? result?.warning?.en ?? null,
  };
}
