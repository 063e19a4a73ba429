import type { Readable } from "node:stream";
import type { Clock } from "../../kernel/clock/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";

export interface KeepFileDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly storage: ObjectStorage;
}

interface AboutFile {
  /** The name under which posts ask for it; unique in the workspace. */
  readonly blobRef: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly width?: number;
  readonly height?: number;
}

export interface OwnFile extends AboutFile {
  readonly bytes: Uint8Array;
}

/** A file whose content is read only once it is stored. */
export interface LargeFile extends AboutFile {
  readonly sha256: string;
  readonly size: number;
  open(): Readable;
}

/**
 * Keeps a file of a product for its posts, which name it by `blob_ref`. A repeat changes nothing. A file that no post names is
 * collected like every other.
 */
export async function keepFile(deps: KeepFileDeps, workspaceId: string, file: OwnFile): Promise<void> {
  const { bytes, ...about } = file;
  await keep(deps, workspaceId, { ...about, sha256: sha256Hex(bytes), size: bytes.byteLength }, () => bytes);
}

/** The same for a file that does not have to fit into memory. */
export async function keepLargeFile(deps: KeepFileDeps, workspaceId: string, file: LargeFile): Promise<void> {
  await keep(deps, workspaceId, file, () => file.open());
}

async function keep(
  { sql, clock, storage }: KeepFileDeps,
  workspaceId: string,
  file: AboutFile & Pick<LargeFile, "sha256" | "size">,
  content: () => Uint8Array | Readable,
): Promise<void> {
  const { blobRef, sha256, size, contentType, fileName, width, height } = file;
  const key = `media/${workspaceId}/${sha256Hex(blobRef).slice(0, 32)}-${sha256.slice(0, 16)}`;
  const about = {
    ...{ sha256, content_type: contentType, size_bytes: size, file_name: fileName },
    ...(width !== undefined && height !== undefined && { width, height }),
  };
  // First the row, then the object, as the garbage collection of media expects.
  await sql`
    select delivery.media_announce(${workspaceId}, ${blobRef}, ${`storage:${key}`}, null, ${sql.json(about)}, ${clock.now()})`;
  await storage.put(key, content(), { contentType });
  await sql`select delivery.media_stored(${workspaceId}, ${blobRef}, ${clock.now()})`;
}
