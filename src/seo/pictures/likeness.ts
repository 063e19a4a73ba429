import type { Sharp } from "sharp";

/** Steps of grey that compression makes in an even surface. */
const noise = 3;

/** A print of what a picture shows: 64 bits that differ little between pictures that look alike (dHash). */
export async function printOf(picture: Sharp): Promise<bigint> {
  // Grey only at the end: of all pixels it would take four times as long.
  const grey = await picture.resize(9, 8, { fit: "fill" }).toColourspace("b-w").raw().toBuffer();
  let print = 0n;
  for (let row = 0; row < 8; row++)
    for (let column = 0; column < 8; column++) {
      const place = row * 9 + column;
      const rise = (grey[place + 1] ?? 0) - (grey[place] ?? 0);
      print = (print << 1n) | (rise > noise ? 1n : 0n);
    }
  return print;
}

/** How many bits may differ between pictures that people take for the same. */
const nearlyEqual = 6;

/** Whether it looks like one of the others. */
export function looksLike(print: bigint, others: readonly bigint[]): boolean {
  return others.some((other) => bitsOf(print ^ other) <= nearlyEqual);
}

function bitsOf(value: bigint): number {
  let bits = 0;
  for (let rest = value; rest > 0n; rest &= rest - 1n) bits++;
  return bits;
}
