import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { headBytes } from "./content-type.ts";

/** What is known of a file that is being written to disk. */
export interface FileOnDisk {
  readonly path: string;
  readonly hash: Hash;
  readonly size: number;
  /** Its first bytes, which tell its type. */
  readonly head: Buffer;
  /** Writes the file; its hash and its head are taken on the way. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** A file in a folder of its own, which is removed after `use`. */
export async function ontoDisk<T>(use: (file: FileOnDisk) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "molva-media-"));
  try {
    const path = join(folder, "file");
    const seen = { hash: createHash("sha256"), size: 0, head: Buffer.alloc(0) };
    return await use({
      path,
      hash: seen.hash,
      get size() {
        return seen.size;
      },
      get head() {
        return seen.head;
      },
      write: (chunks) =>
        pipeline(
          Readable.from(measured(chunks, seen), { objectMode: false }),
          createWriteStream(path, { mode: 0o600 }),
        ),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* measured(
  chunks: AsyncIterable<Uint8Array>,
  seen: { hash: Hash; size: number; head: Buffer },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (seen.size < headBytes)
      seen.head = Buffer.concat([seen.head, chunk.subarray(0, headBytes - seen.size)]);
    seen.hash.update(chunk);
    seen.size += chunk.length;
    yield chunk;
  }
}

const longestName = 120;

/** The end of a path, without what does not belong into a name; undefined if nothing is left. */
export function plainFileName(given: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with control characters is what must not get through
  const name = basename(given.replace(/[\x00-\x1f\\]/g, ""));
  // By whole characters: half an emoji is no text that the database takes.
  return [...name].slice(-longestName).join("") || undefined;
}
