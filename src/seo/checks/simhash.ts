import { wordsOf } from "../language/index.ts";

/**
 * A fingerprint of a text: near-identical texts differ in few of its 64 bits. Made of the words as they stand, without a
 * dictionary, because stored fingerprints must stay comparable. Signed, as PostgreSQL's bigint is.
 */
export function simHash(text: string): bigint {
  const words = wordsOf(text).map((word) => word.folded);
  const votes = new Int32Array(64);
  const vote = ([high, low]: readonly [number, number]) => {
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] ?? 0) + ((low >>> bit) & 1 ? 1 : -1);
      votes[bit + 32] = (votes[bit + 32] ?? 0) + ((high >>> bit) & 1 ? 1 : -1);
    }
  };
  const size = Math.min(wordsInFeature, words.length);
  for (let at = 0; size > 0 && at + size <= words.length; at++)
    vote(hash64(words.slice(at, at + size).join(" ")));
  let bits = 0n;
  for (let bit = 63; bit >= 0; bit--) bits = (bits << 1n) | ((votes[bit] ?? 0) > 0 ? 1n : 0n);
  return BigInt.asIntN(64, bits);
}

/** A pair of words keeps some order without making every edit count thrice. */
const wordsInFeature = 2;

/** At most this many different bits: near-duplicates (E46). */
export const nearDuplicate = 3;

/** In how many bits two fingerprints differ. */
export function hammingDistance(one: bigint, other: bigint): number {
  let different = BigInt.asUintN(64, one ^ other);
  let count = 0;
  for (; different > 0n; different &= different - 1n) count++;
  return count;
}

export function isNearDuplicate(one: bigint, other: bigint): boolean {
  return hammingDistance(one, other) <= nearDuplicate;
}

/** Two independent halves of 32 bits: FNV-1a, finished as MurmurHash3 finishes. */
export function hash64(text: string): readonly [number, number] {
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x5bd1e995) ^ (other >>> 15);
  }
  return [finished(one), finished(other ^ text.length)];
}

function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
