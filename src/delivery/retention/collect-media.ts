import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { RetentionContext } from "./context.ts";

interface Origin {
  readonly workspace_id: string;
  readonly blob_ref: string;
}

/** Deletes media that no message uses and that were not used for long: the object, then its row. */
export async function collectMedia(context: RetentionContext): Promise<number> {
  await recount(context);
  const { sql, log, settings, now } = context;
  let removed = 0;
  let failed = 0;
  let last: Origin | undefined;
  do {
    const candidates: Origin[] = await sql<Origin[]>`
      select workspace_id, blob_ref from delivery.media_gc_candidates(
        ${last?.workspace_id ?? null}, ${last?.blob_ref ?? null}, ${settings.objectsPerBatch}, ${now})`;
    for (const origin of candidates) {
      try {
        if (await collect(origin, context)) removed += 1;
      } catch (error) {
        log.error({ err: error, ...origin }, "a medium could not be deleted");
        failed += 1;
      }
    }
    last = candidates.length === settings.objectsPerBatch ? candidates.at(-1) : undefined;
  } while (last);
  if (failed > 0) throw new Error(`${failed} media could not be deleted`);
  return removed;
}

/** Recalculates `ref_count` from the existing messages. */
async function recount({ sql, settings }: RetentionContext): Promise<void> {
  let last: Origin | undefined;
  do {
    const [row] = await sql<[{ next_workspace: string | null; next_blob: string | null }]>`
      select next_workspace, next_blob from delivery.media_gc_recount(
        ${last?.workspace_id ?? null}, ${last?.blob_ref ?? null}, ${settings.rowsPerBatch})`;
    const { next_workspace, next_blob } = row;
    last =
      next_workspace && next_blob !== null
        ? { workspace_id: next_workspace, blob_ref: next_blob }
        : undefined;
  } while (last);
}

/** Holds the row's lock from the last check until the row is gone, so that nobody starts to use the medium in between. */
function collect(
  { workspace_id, blob_ref }: Origin,
  { sql, storage, now }: RetentionContext,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const [taken] = await tx<[{ origin_url: string | null }]>`
      select delivery.media_gc_take(${workspace_id}, ${blob_ref}, ${now}) as origin_url`;
    if (taken.origin_url === null) return false;
    await deleteOrigin(workspace_id, taken.origin_url, storage);
    await tx`select delivery.media_gc_forget(${workspace_id}, ${blob_ref})`;
    return true;
  });
}

/**
 * `storage:<key>` names an object of ours, below `media/<workspace>/`. Any other address is a foreign file: only our row is
 * deleted.
 */
async function deleteOrigin(workspaceId: string, originUrl: string, storage: ObjectStorage): Promise<void> {
  const key = /^storage:(.+)$/.exec(originUrl)?.[1];
  if (key === undefined) return;
  if (!key.startsWith(`media/${workspaceId}/`))
    throw new Error(`the object ${key} is none of this workspace's media`);
  await storage.delete(key);
}
