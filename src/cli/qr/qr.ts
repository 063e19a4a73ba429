/**
 * QR codes for a terminal: bytes, correction level L, versions 1 to 9, which hold 230 bytes. Written by hand because it is a
 * page of arithmetic, and a package for it would be larger than the command that needs it.
 */
import { correctionOf } from "./reed-solomon.ts";

/** Of level L, by version: bytes of data in each block, and bytes of correction after it. */
const versions = [
  { blocks: [19], correction: 7 },
  { blocks: [34], correction: 10 },
  { blocks: [55], correction: 15 },
  { blocks: [80], correction: 20 },
  { blocks: [108], correction: 26 },
  { blocks: [68, 68], correction: 18 },
  { blocks: [78, 78], correction: 20 },
  { blocks: [97, 97], correction: 24 },
  { blocks: [116, 116], correction: 30 },
] as const;

/** Rows of dark and light modules, without the margin. */
export type QrMatrix = readonly (readonly boolean[])[];

export function qrMatrix(text: string): QrMatrix {
  const data = Buffer.from(text, "utf8");
  const index = versions.findIndex(({ blocks }) => sum(blocks) >= data.length + 2);
  const layout = versions[index];
  if (!layout) throw new RangeError(`${data.length} bytes are too many for a QR code in a terminal`);
  const version = index + 1;
  const size = version * 4 + 17;
  const bits = bitsOf(interleaved(filled(data, sum(layout.blocks)), layout));
  const masked = masks.map((mask) => drawn(version, size, bits, mask));
  return masked.reduce((best, each) => (penaltyOf(each) < penaltyOf(best) ? each : best));
}

/** Mode and length, the bytes, then padding. Lengths take a byte up to version 9. */
export function filled(data: Uint8Array, capacity: number): number[] {
  const bits = [...numberBits(0b0100, 4), ...numberBits(data.length, 8)];
  for (const byte of data) bits.push(...numberBits(byte, 8));
  const end = Math.min(4, capacity * 8 - bits.length);
  bits.push(...new Array<boolean>(end).fill(false));
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    bits
      .slice(index * 8, index * 8 + 8)
      .reduce((value, bit, place) => value | (Number(bit) << (7 - place)), 0),
  );
  for (let pad = 0; bytes.length < capacity; pad += 1) bytes.push(pad % 2 === 0 ? 0xec : 0x11);
  return bytes;
}

/** A byte of each block in turn, data first, then correction. */
function interleaved(data: readonly number[], { blocks, correction }: (typeof versions)[number]): number[] {
  let from = 0;
  const parts = blocks.map((length) => {
    const part = data.slice(from, from + length);
    from += length;
    return { part, after: correctionOf(part, correction) };
  });
  const longest = Math.max(...blocks);
  const turns = (length: number, of: (index: number, block: number) => number | undefined) =>
    Array.from({ length }, (_, index) => parts.map((_part, block) => of(index, block))).flat();
  return [
    ...turns(longest, (index, block) => parts[block]?.part[index]),
    ...turns(correction, (index, block) => parts[block]?.after[index]),
  ].filter((byte) => byte !== undefined);
}

type Mask = { readonly number: number; fits(row: number, column: number): boolean };

const masks: readonly Mask[] = [
  { number: 0, fits: (r, c) => (r + c) % 2 === 0 },
  { number: 1, fits: (r) => r % 2 === 0 },
  { number: 2, fits: (_, c) => c % 3 === 0 },
  { number: 3, fits: (r, c) => (r + c) % 3 === 0 },
  { number: 4, fits: (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0 },
  { number: 5, fits: (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0 },
  { number: 6, fits: (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0 },
  { number: 7, fits: (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0 },
];

function drawn(version: number, size: number, bits: readonly boolean[], mask: Mask): boolean[][] {
  const modules = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const set = (row: number, column: number, dark: boolean) => {
    const line = modules[row];
    const taken = fixed[row];
    if (!line || !taken || column < 0 || column >= size) return;
    line[column] = dark;
    taken[column] = true;
  };
  drawPatterns(version, size, set);
  drawFormat(size, mask.number, set);
  if (version >= 7) drawVersion(version, size, set);

  let next = 0;
  for (const [row, column] of zigzag(size)) {
    const line = modules[row];
    if (!line || fixed[row]?.[column]) continue;
    line[column] = (bits[next] ?? false) !== mask.fits(row, column);
    next += 1;
  }
  return modules;
}

type SetModule = (row: number, column: number, dark: boolean) => void;

function drawPatterns(version: number, size: number, set: SetModule): void {
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const) {
    for (let r = -4; r <= 4; r += 1) {
      for (let c = -4; c <= 4; c += 1) {
        const ring = Math.max(Math.abs(r), Math.abs(c));
        if (row + r >= 0 && row + r < size) set(row + r, column + c, ring !== 2 && ring !== 4);
      }
    }
  }
  if (version === 1) return;
  const places = version < 7 ? [6, size - 7] : [6, (version - 7) * 2 + 22, size - 7];
  for (const row of places) {
    for (const column of places) {
      const last = size - 7;
      const underFinder = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      if (underFinder) continue;
      for (let r = -2; r <= 2; r += 1)
        for (let c = -2; c <= 2; c += 1) set(row + r, column + c, Math.max(Math.abs(r), Math.abs(c)) !== 1);
    }
  }
}

/** Level and mask, twice, so that a damaged code can still be read. */
function drawFormat(size: number, mask: number, set: SetModule): void {
  const bits = formatBits(mask);
  const bit = (index: number) => ((bits >> index) & 1) === 1;
  for (let index = 0; index < 15; index += 1) {
    const beside = index < 6 ? index : index < 8 ? index + 1 : size - 15 + index;
    set(beside, 8, bit(index));
    const below = index < 8 ? size - 1 - index : index < 9 ? 7 : 14 - index;
    set(8, below, bit(index));
  }
  set(size - 8, 8, true);
}

/** Level L is 01; ten bits of correction follow, and everything is masked once more. */
export function formatBits(mask: number): number {
  const data = (0b01 << 3) | mask;
  let rest = data;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  return ((data << 10) | rest) ^ 0x5412;
}

function drawVersion(version: number, size: number, set: SetModule): void {
  let rest = version;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let index = 0; index < 18; index += 1) {
    const dark = ((bits >> index) & 1) === 1;
    const far = size - 11 + (index % 3);
    const near = Math.floor(index / 3);
    set(near, far, dark);
    set(far, near, dark);
  }
}

/** Two columns at a time from the right, up and down in turn; the column of timing is passed over. */
function* zigzag(size: number): Generator<readonly [row: number, column: number]> {
  let up = true;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step;
      yield [row, right];
      yield [row, right - 1];
    }
    up = !up;
  }
}

/** The standard's four rules; the mask with the least of it is read best. */
function penaltyOf(modules: QrMatrix): number {
  const size = modules.length;
  const columns = Array.from({ length: size }, (_, column) => modules.map((row) => row[column] ?? false));
  let penalty = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    penalty += 40 * (text.match(/(?=00001011101|10111010000)/g)?.length ?? 0);
  }
  let dark = 0;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const own = modules[row]?.[column];
      dark += Number(own);
      const square = [modules[row]?.[column + 1], modules[row + 1]?.[column], modules[row + 1]?.[column + 1]];
      if (square.every((each) => each === own)) penalty += 3;
    }
  }
  return penalty + Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size)) * 10;
}

function numberBits(value: number, length: number): boolean[] {
  return Array.from({ length }, (_, index) => ((value >> (length - 1 - index)) & 1) === 1);
}

const bitsOf = (bytes: readonly number[]) => bytes.flatMap((byte) => numberBits(byte, 8));

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
