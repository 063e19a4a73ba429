/** Parts of a backup: compressed, encrypted, and written as one object each. Nothing but a few chunks is in memory. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { messageOf } from "../errors/index.ts";
import { BackupError } from "./backup-error.ts";
import type { KeyFor } from "./backup-key.ts";
import type { Part } from "./manifest.ts";
import { type OpenBackup, type Place, partKey } from "./place.ts";
import { sealed, unsealed } from "./seal-stream.ts";

export interface PartWriter {
  /** Writes parts until the source ends. A part is cut after the first block that makes it full. */
  write(source: AsyncIterable<Buffer>): Promise<Part[]>;
  /** Stored bytes so far. */
  bytes(): number;
}

/** Of plain bytes: small enough for one request to S3, large enough for few of them. */
const fullPart = 64 * 1024 * 1024;

export function createPartWriter(
  place: Place,
  id: string,
  keyFor: KeyFor,
  partBytes: number = fullPart,
): PartWriter {
  let number = 0;
  let total = 0;

  async function writeOne(source: AsyncIterable<Buffer>): Promise<Part> {
    const name = String(++number).padStart(6, "0");
    const hash = createHash("sha256");
    let bytes = 0;
    const gzip = createGzip({ level: 4 });
    const packing = pipeline(Readable.from(source), gzip);
    // Its failure is also that of reading from it, which is awaited below.
    packing.catch(() => {});
    const stored = keyFor ? sealed(gzip, keyFor(`part ${name}`)) : gzip;
    const counted = async function* () {
      for await (const chunk of stored) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    await place.storage.put(partKey(place, id, name), Readable.from(counted()), {
      contentType: "application/octet-stream",
    });
    total += bytes;
    return { name, bytes, sha256: hash.digest("hex") };
  }

  return {
    async write(source) {
      const blocks = source[Symbol.asyncIterator]();
      const parts: Part[] = [];
      let next = await blocks.next();
      const onePart = async function* () {
        for (let bytes = 0; !next.done && bytes < partBytes; next = await blocks.next()) {
          bytes += next.value.length;
          yield next.value;
        }
      };
      while (!next.done) parts.push(await writeOne(onePart()));
      return parts;
    },
    bytes: () => total,
  };
}

/** The plain bytes of parts, in their order. Throws a sentence if one is missing, damaged or not the one that was written. */
export async function* readParts(backup: OpenBackup, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* readPart(backup, part);
}

async function* readPart({ place, header, keyFor }: OpenBackup, part: Part): AsyncGenerator<Buffer> {
  const { name } = part;
  const object = await place.storage.get(partKey(place, header.id, name));
  if (!object) throw new BackupError(`Part ${name} is missing.`);
  if (object.size !== part.bytes) {
    object.body.destroy();
    throw new BackupError(`Part ${name} is damaged: it has ${object.size} bytes instead of ${part.bytes}.`);
  }
  const hash = createHash("sha256");
  const stored = async function* () {
    for await (const chunk of object.body as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const gunzip = createGunzip();
  const source = keyFor ? unsealed(stored(), keyFor(`part ${name}`)) : stored();
  const unpacking = pipeline(Readable.from(source), gunzip);
  unpacking.catch(() => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    await unpacking;
  } catch (error) {
    throw new BackupError(`Part ${name} is damaged or is another one: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  if (hash.digest("hex") !== part.sha256) throw new BackupError(`Part ${name} is damaged or is another one.`);
}
