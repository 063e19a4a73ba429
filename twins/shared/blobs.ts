import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { BlobStore, StoredBlob } from "./contract.ts";

type BlobInfo = Parameters<BlobStore["put"]>[1];

/** Bytes as `<folder>/<id>`, with their metadata in `<id>.json`. */
export function folderBlobStore(folder: string): BlobStore {
  mkdirSync(folder, { recursive: true });

  return {
    async put(bytes, info) {
      const blob = describe(bytes, info);
      await writeWhole(join(folder, blob.id), bytes);
      await writeWhole(join(folder, `${blob.id}.json`), JSON.stringify(blob));
      return blob;
    },
    async get(id) {
      if (!blobId.test(id)) return undefined;
      try {
        const blob = storedBlob.parse(JSON.parse(await readFile(join(folder, `${id}.json`), "utf8")));
        return { ...withoutUndefined(blob), bytes: await readFile(join(folder, id)) };
      } catch {
        // A missing, incomplete or foreign file means that there is no such blob.
        return undefined;
      }
    },
    async clear() {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
    },
  };
}

export function memoryBlobStore(): BlobStore {
  const blobs = new Map<string, StoredBlob & { bytes: Uint8Array }>();
  return {
    async put(bytes, info) {
      const blob = describe(bytes, info);
      blobs.set(blob.id, { ...blob, bytes });
      return blob;
    },
    get: async (id) => blobs.get(id),
    clear: async () => blobs.clear(),
  };
}

const blobId = /^[0-9a-f]{40}$/;

const storedBlob = z.object({
  id: z.string(),
  contentType: z.string(),
  fileName: z.string().optional(),
  size: z.number(),
  path: z.string(),
});

/** The id is a hash of the content, so that the same picture in a hundred chats is stored once. */
function describe(bytes: Uint8Array, info: BlobInfo): StoredBlob {
  const id = createHash("sha256")
    .update(`${info.contentType}\n${info.fileName ?? ""}\n`)
    .update(bytes)
    .digest("hex")
    .slice(0, 40);
  return { id, ...info, size: bytes.byteLength, path: `/_blobs/${id}` };
}

async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  await writeFile(draft, content);
  await rename(draft, file);
}

function withoutUndefined({ fileName, ...blob }: z.infer<typeof storedBlob>): StoredBlob {
  return fileName === undefined ? blob : { ...blob, fileName };
}
