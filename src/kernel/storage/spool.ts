/** Content with its length and hash, which S3 requires before the first byte; a stream is written to disk to learn them. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha256Hex } from "../crypto/index.ts";
import { StorageError } from "./object-storage.ts";

export interface MeasuredContent {
  readonly size: number;
  readonly sha256: string;
  /** The bytes from the beginning; called again for each retry. */
  open(): Uint8Array | Readable;
}

export async function measured<T>(
  content: Uint8Array | Readable,
  maxBytes: number,
  use: (content: MeasuredContent) => Promise<T>,
): Promise<T> {
  if (content instanceof Uint8Array) {
    refuseAbove(maxBytes, content.length);
    return use({ size: content.length, sha256: sha256Hex(content), open: () => content });
  }
  const folder = await mkdtemp(join(tmpdir(), "molva-upload-"));
  try {
    const path = join(folder, "content");
    const hash = createHash("sha256");
    let size = 0;
    await pipeline(
      content,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          refuseAbove(maxBytes, size);
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    );
    return await use({ size, sha256: hash.digest("hex"), open: () => createReadStream(path) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseAbove(maxBytes: number, size: number): void {
  if (size > maxBytes) throw new StorageError("EntityTooLarge", `an object holds at most ${maxBytes} bytes`);
}
