import type { Clock } from "../../kernel/clock/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";

export interface KeepFileDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly storage: ObjectStorage;
}

export interface OwnFile {
  /** The name under which posts ask for it; unique in the workspace. */
  readonly blobRef: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
  readonly width?: number;
  readonly height?: number;
}

/**
 * Keeps a file of a product for its posts, which name it by `blob_ref`. A repeat changes nothing. A file that no post names is
 * collected like every other.
 */
export async function keepFile(
  { sql, clock, storage }: KeepFileDeps,
  workspaceId: string,
  { blobRef, bytes, contentType, fileName, width, height }: OwnFile,
): Promise<void> {
  const sha256 = sha256Hex(bytes);
  const key = `media/${workspaceId}/${sha256Hex(blobRef).slice(0, 32)}-${sha256.slice(0, 16)}`;
  const about = {
    ...{ sha256, content_type: contentType, size_bytes: bytes.byteLength, file_name: fileName },
    ...(width !== undefined && height !== undefined && { width, height }),
  };
  // First the row, then the object, as the garbage collection of media expects.
  await sql`
    select delivery.media_announce(${workspaceId}, ${blobRef}, ${`storage:${key}`}, null, ${sql.json(about)}, ${clock.now()})`;
  await storage.put(key, bytes, { contentType });
  await sql`select delivery.media_stored(${workspaceId}, ${blobRef}, ${clock.now()})`;
}
