/** Files of the object storage, one after the other: the length of a header, the header, the content. */
import { Readable } from "node:stream";
import { z } from "zod";
import type { ObjectStorage } from "../storage/index.ts";
import { BackupError } from "./backup-error.ts";

const headerShape = z.object({ key: z.string(), type: z.string(), size: z.number().int().nonnegative() });
type FileHeader = z.infer<typeof headerShape>;

const lengthBytes = 4;
const longestHeader = 64 * 1024;

/** Every file below the folders. Files are written once under a new name, so those of the snapshot have not changed since. */
export async function* packFiles(
  storage: ObjectStorage,
  folders: readonly string[],
  onFile: (key: string, size: number) => void,
): AsyncGenerator<Buffer> {
  for (const folder of folders)
    for await (const { key } of storage.list(`${folder}/`)) {
      const object = await storage.get(key);
      // Deleted since it was listed.
      if (!object) continue;
      yield headerOf({ key, type: object.contentType, size: object.size });
      let bytes = 0;
      for await (const chunk of object.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        yield chunk;
      }
      if (bytes !== object.size)
        throw new BackupError(`The file ${key} could not be read whole: ${bytes} bytes of ${object.size}.`);
      onFile(key, bytes);
    }
}

/** Calls `use` for each file in turn; it may leave the content unread. */
export async function unpackFiles(
  source: AsyncIterable<Buffer>,
  use: (file: FileHeader, content: Readable) => Promise<void>,
): Promise<{ count: number; bytes: number }> {
  const reader = byteReader(source);
  let count = 0;
  let bytes = 0;
  while (true) {
    const length = await reader.exactly(lengthBytes);
    if (!length) return { count, bytes };
    const file = headerIn(await reader.exactly(Math.min(length.readUInt32BE(), longestHeader)));
    const content = reader.next(file.size);
    await use(file, Readable.from(content, { objectMode: false }));
    for await (const _rest of content);
    count += 1;
    bytes += file.size;
  }
}

function headerOf(file: FileHeader): Buffer {
  const text = Buffer.from(JSON.stringify(file));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}

function headerIn(bytes: Buffer | undefined): FileHeader {
  if (!bytes) throw endsEarly();
  return headerShape.parse(JSON.parse(bytes.toString("utf8")));
}

const endsEarly = () => new BackupError("The files in the backup end too early.");

function byteReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  /** At most `most` bytes, at least one; undefined at the end. */
  async function some(most: number): Promise<Buffer | undefined> {
    while (held.length === 0) {
      const next = await chunks.next();
      if (next.done) return undefined;
      held = next.value;
    }
    const taken = held.subarray(0, most);
    held = held.subarray(taken.length);
    return taken;
  }

  return {
    /** Undefined if nothing is left at all. */
    async exactly(size: number): Promise<Buffer | undefined> {
      const pieces: Buffer[] = [];
      for (let missing = size; missing > 0; ) {
        const piece = await some(missing);
        if (!piece && pieces.length === 0) return undefined;
        if (!piece) throw endsEarly();
        pieces.push(piece);
        missing -= piece.length;
      }
      return Buffer.concat(pieces);
    },
    async *next(size: number): AsyncGenerator<Buffer> {
      for (let missing = size; missing > 0; ) {
        const piece = await some(missing);
        if (!piece) throw endsEarly();
        missing -= piece.length;
        yield piece;
      }
    },
  };
}
