import type { RetentionContext } from "./context.ts";

interface DuePayload {
  readonly workspace_id: string;
  readonly payload_ref: string;
  readonly storage_key: string;
  readonly expires_at: string;
}

/** Deletes expired raw payloads: the object, then the row, so that no object is left without a row. */
export async function purgePayloads({ sql, storage, log, settings, now }: RetentionContext): Promise<number> {
  let removed = 0;
  let failed = 0;
  let last: DuePayload | undefined;
  do {
    const due: DuePayload[] = await sql<DuePayload[]>`
      select workspace_id, payload_ref, storage_key, expires_at::text from delivery.payload_due(
        ${last?.expires_at ?? null}, ${last?.payload_ref ?? null}, ${settings.objectsPerBatch}, ${now})`;
    for (const payload of due) {
      try {
        await storage.delete(payload.storage_key);
        await sql`
          delete from delivery.payloads
          where workspace_id = ${payload.workspace_id} and payload_ref = ${payload.payload_ref}`;
        removed += 1;
      } catch (error) {
        log.error({ err: error, payload_ref: payload.payload_ref }, "a raw payload could not be deleted");
        failed += 1;
      }
    }
    last = due.length === settings.objectsPerBatch ? due.at(-1) : undefined;
  } while (last);
  if (failed > 0) throw new Error(`raw payloads could not be deleted: ${failed}`);
  return removed;
}
