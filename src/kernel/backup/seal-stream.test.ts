import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newEncryption, openEncryption, scryptCost } from "./backup-key.ts";
import { chunkBytes, sealed, unsealed } from "./seal-stream.ts";

const key = randomBytes(32);
const stored = chunkBytes + 16;

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return Buffer.concat(found);
}
async function* inPieces(bytes: Buffer, size = 70_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const seal = (bytes: Buffer) => all(sealed(inPieces(bytes), key));
const open = (bytes: Buffer, other = key) => all(unsealed(inPieces(bytes, 99_999), other));

describe("an encrypted stream", () => {
  it.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 3 * chunkBytes + 5])(
    "comes back with its %d bytes",
    async (size) => {
      const bytes = randomBytes(size);
      expect((await open(await seal(bytes))).equals(bytes)).toBe(true);
    },
  );

  const plain = randomBytes(3 * chunkBytes + 100);
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ["cut after a chunk", (bytes) => bytes.subarray(0, 2 * stored)],
    ["cut within a chunk", (bytes) => bytes.subarray(0, 2 * stored + 1_000)],
    ["cut to nothing", () => Buffer.alloc(0)],
    ["without its first chunk", (bytes) => bytes.subarray(stored)],
    [
      "with two chunks exchanged",
      (bytes) =>
        Buffer.concat([
          bytes.subarray(stored, 2 * stored),
          bytes.subarray(0, stored),
          bytes.subarray(2 * stored),
        ]),
    ],
    ["with a chunk twice", (bytes) => Buffer.concat([bytes.subarray(0, stored), bytes])],
    ["with something after it", (bytes) => Buffer.concat([bytes, randomBytes(50)])],
    [
      "with one bit changed",
      (bytes) => {
        const changed = Buffer.from(bytes);
        changed[stored + 7] = (changed[stored + 7] ?? 0) ^ 1;
        return changed;
      },
    ],
  ])("does not open %s", async (_how, damage) => {
    await expect(open(damage(await seal(plain)))).rejects.toThrow(/cut off|too early/);
  });

  it("does not open with another key", async () => {
    await expect(open(await seal(plain), randomBytes(32))).rejects.toThrow("changed");
  });
});

describe("a passphrase", () => {
  it("gives the same keys again, other ones for every part and every backup, and refuses another", async () => {
    expect(scryptCost).toEqual({ N: 131_072, r: 8, p: 1 });
    const cheap = { N: 1_024, r: 8, p: 1 };
    const { encryption, keyFor } = await newEncryption("correct horse battery", cheap);
    expect(encryption).toMatchObject({ key: "passphrase", scrypt: cheap });
    const again = await openEncryption(encryption, { secret: "correct horse battery" });
    expect(again?.("part 000001")).toEqual(keyFor?.("part 000001"));
    expect(again?.("part 000002")).not.toEqual(keyFor?.("part 000001"));
    const other = await newEncryption("correct horse battery", cheap);
    expect(other.keyFor?.("part 000001")).not.toEqual(keyFor?.("part 000001"));
    await expect(openEncryption(encryption, { secret: "correct horse batterie" })).rejects.toThrow(
      "another key",
    );
    await expect(newEncryption("short")).rejects.toThrow("too short");
  });
});
