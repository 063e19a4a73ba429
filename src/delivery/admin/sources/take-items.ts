import { z } from "zod";
import { problem } from "../../../http/index.ts";
import { ingestItems, type PullDeps } from "../../pull/index.ts";
import { notFound } from "./change-sources.ts";

const count = z.int();

/** Items that somebody else has fetched: each is a body of ingest, with `cursor_to`. */
export const givenItems = z.strictObject({
  items: z
    .array(z.looseObject({}))
    .min(1)
    .max(1000)
    .describe(
      "Bodies of `POST /api/v1/ingest`, oldest first; `cursor_to` is the position of the source after one",
    ),
});

export const itemsReport = z
  .object({
    run_id: z.string(),
    cursor_to: z.string().nullish(),
    processed: count,
    accepted: count,
    dropped: count,
    seen: count,
    dedup_dropped: count.describe("Known already"),
    payload_rejected: count.describe("Could not become posts; their events say why"),
    queued: count,
    deduped: count,
    failed_permanent: count,
    skipped_inflight: count,
  })
  .meta({ id: "SourceItems" });
export type ItemsReport = z.infer<typeof itemsReport>;

/** Accepts items as if the source had listed them: the same receipts, cursor and counters. */
export async function takeItems(
  deps: Pick<PullDeps, "sql" | "clock" | "platforms">,
  workspaceId: string,
  sourceId: string,
  items: readonly unknown[],
): Promise<ItemsReport> {
  const answer = await ingestItems({ workspaceId, sourceId }, items, deps);
  if (!answer) throw notFound(sourceId);
  if (answer.skipped)
    throw problem("conflict", { detail: "The source or its endpoint is disabled: enable it first." });
  return answer;
}
