/** Texts that differ in at most this many of 64 bits are near-identical; unrelated texts differ in about half. */
export const nearBits = 10;

const shingle = 4;

/**
 * A 64-bit simhash over shingles of four letters: texts that differ by a price or a word differ in few bits. Case, markup,
 * punctuation, emoji and the values of numbers are ignored. Signed, like PostgreSQL's bigint.
 */
export function fingerprintOf(text: string): bigint {
  const letters = normalised(text);
  const votes = new Int32Array(64);
  for (let start = 0; start === 0 || start + shingle <= letters.length; start++) {
    const [high, low] = hash64(letters.slice(start, start + shingle));
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] ?? 0) + ((low >>> bit) & 1 ? 1 : -1);
      votes[bit + 32] = (votes[bit + 32] ?? 0) + ((high >>> bit) & 1 ? 1 : -1);
    }
  }
  let bits = 0n;
  for (const [bit, vote] of votes.entries()) if (vote > 0) bits |= 1n << BigInt(bit);
  return BigInt.asIntN(64, bits);
}

/** Undefined for a text without words: such posts are not copies of each other. */
export function fingerprintFor(text: string): bigint | undefined {
  return /[\p{L}\p{N}]/u.test(text) ? fingerprintOf(text) : undefined;
}

export function distanceBetween(one: bigint, other: bigint): number {
  let differing = 0;
  for (let bits = BigInt.asUintN(64, one ^ other); bits > 0n; bits &= bits - 1n) differing++;
  return differing;
}

/** Keeps letters and spaces; replaces every number by 0. */
function normalised(text: string): string {
  return text
    .replace(/<[^<>]*>/g, " ")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/\p{N}+/gu, "0")
    .replace(/[^\p{L}0]+/gu, " ")
    .trim();
}

/** Two rounds of FNV-1a with different seeds, mixed so that the upper bits depend on every letter. */
function hash64(letters: string): readonly [number, number] {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let index = 0; index < letters.length; index++) {
    const code = letters.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return [mixed(high), mixed(low)];
}

function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
