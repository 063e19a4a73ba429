/** Rows in PostgreSQL's text format for COPY: a line is a row, because a line end inside a value is written as `\n`. */
import { hash } from "node:crypto";

const lineEnd = 0x0a;
const blockBytes = 256 * 1024;

/** The same bytes in larger blocks, each of whole rows. */
export async function* inBlocks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of source) {
    held.push(chunk);
    heldBytes += chunk.length;
    // A very long row comes in many chunks: they are joined once, at its end.
    if (heldBytes < blockBytes || !chunk.includes(lineEnd)) continue;
    const all = Buffer.concat(held);
    const end = all.lastIndexOf(lineEnd) + 1;
    yield all.subarray(0, end);
    held = end < all.length ? [all.subarray(end)] : [];
    heldBytes = all.length - end;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

export interface RowsDigest {
  add(block: Buffer): void;
  rows(): number;
  /** The same for the same rows in any order: a table has none. */
  digest(): string;
}

/** The sum of the rows' SHA-256, word by word. It finds accidents; forgeries are found by the encryption. */
export function createRowsDigest(): RowsDigest {
  const sum = new Uint32Array(8);
  let rows = 0;
  return {
    add(block) {
      for (let from = 0; from < block.length; ) {
        const at = block.indexOf(lineEnd, from);
        const end = at < 0 ? block.length : at + 1;
        const row = hash("sha256", block.subarray(from, end), "buffer");
        for (let word = 0; word < 8; word++) sum[word] = (sum[word] ?? 0) + row.readUInt32LE(word * 4);
        rows += 1;
        from = end;
      }
    },
    rows: () => rows,
    digest: () => Buffer.from(sum.buffer).toString("hex"),
  };
}
