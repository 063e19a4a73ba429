/**
 * A stream encrypted in chunks with AES-256-GCM. The nonce is the number of the chunk and whether it is the last one (the STREAM
 * construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015), so a chunk that is missing, moved or cut off does not open. A key
 * encrypts one stream only.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { BackupError } from "./backup-error.ts";

/** Of plain bytes; the last chunk may be shorter. */
export const chunkBytes = 256 * 1024;
const tagBytes = 16;

export async function* sealed(source: AsyncIterable<Uint8Array>, key: Buffer): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { bytes, last } of chunksOf(source, chunkBytes)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number++, last));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Throws at the first chunk that is not the one that was written here. */
export async function* unsealed(source: AsyncIterable<Uint8Array>, key: Buffer): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { bytes, last } of chunksOf(source, chunkBytes + tagBytes)) {
    if (bytes.length < tagBytes) throw new BackupError("it ends too early");
    const cipher = createDecipheriv("aes-256-gcm", key, nonceOf(number++, last));
    cipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
    const plain = cipher.update(bytes.subarray(0, bytes.length - tagBytes));
    try {
      cipher.final();
    } catch (error) {
      throw new BackupError("it was changed or cut off", { cause: error });
    }
    yield plain;
  }
}

/** Eleven bytes of the number, one of whether it is the last. */
function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

/** Only the last chunk is shorter, and empty only if there is no byte at all. */
async function* chunksOf(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly last: boolean }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of source) {
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes <= size) continue;
    let all = Buffer.concat(held);
    for (; all.length > size; all = all.subarray(size)) yield { bytes: all.subarray(0, size), last: false };
    held = [all];
    heldBytes = all.length;
  }
  yield { bytes: Buffer.concat(held), last: true };
}
