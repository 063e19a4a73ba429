import fc from "fast-check";
import { expect, test } from "vitest";
import { filled, formatBits, type QrMatrix, qrMatrix } from "./qr.ts";
import { correctionOf } from "./reed-solomon.ts";
import { qrText } from "./terminal.ts";

test("the correction is the standard's", () => {
  // The worked example of ISO/IEC 18004 that every tutorial uses: HELLO WORLD in version 1-M.
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect(correctionOf(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

test("level and mask are written as the standard's table has them", () => {
  const table = [
    ...["111011111000100", "111001011110011", "111110110101010", "111100010011101"],
    ...["110011000101111", "110001100011000", "110110001000001", "110100101110110"],
  ];
  expect(table.map((_, mask) => formatBits(mask).toString(2))).toEqual(table);
});

test("data begins with its mode and length and is padded with the two bytes in turn", () => {
  expect(filled(Buffer.from("A"), 6)).toEqual([0x40, 0x14, 0x10, 0xec, 0x11, 0xec]);
});

test("what is written can be read back, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      fc.pre(Buffer.byteLength(text) <= 230);
      expect(readBack(qrMatrix(text))).toBe(text);
    }),
    { numRuns: 30 },
  );
});

test("a login link is small enough for a terminal of 80 columns", () => {
  const lines = qrText(`tg://login?token=${"A".repeat(43)}`).split("\n");
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(44);
});

test("more than it can hold is refused", () => {
  expect(() => qrMatrix("x".repeat(231))).toThrow(RangeError);
});

/** A reader of its own: finds the mask in the format, walks the modules, takes the blocks apart. */
function readBack(matrix: QrMatrix): string {
  const size = matrix.length;
  const version = (size - 17) / 4;
  const at = (row: number, column: number) => Number(matrix[row]?.[column] ?? false);
  const format = [0, 1, 2, 3, 4, 5, 7, 8].reduce((bits, row, index) => bits | (at(row, 8) << index), 0);
  const written =
    format | [7, 5, 4, 3, 2, 1, 0].reduce((bits, column, index) => bits | (at(8, column) << (8 + index)), 0);
  const mask = [0, 1, 2, 3, 4, 5, 6, 7].find((each) => formatBits(each) === written);
  if (mask === undefined) throw new Error("the format cannot be read");
  const rules = [
    (r: number, c: number) => (r + c) % 2,
    (r: number) => r % 2,
    (_: number, c: number) => c % 3,
    (r: number, c: number) => (r + c) % 3,
    (r: number, c: number) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2,
    (r: number, c: number) => ((r * c) % 2) + ((r * c) % 3),
    (r: number, c: number) => (((r * c) % 2) + ((r * c) % 3)) % 2,
    (r: number, c: number) => (((r + c) % 2) + ((r * c) % 3)) % 2,
  ];
  const centres = version === 1 ? [] : version < 7 ? [6, size - 7] : [6, (version - 7) * 2 + 22, size - 7];
  const isFixed = (r: number, c: number) =>
    r === 6 ||
    c === 6 ||
    (r < 9 && (c < 9 || c >= size - 8)) ||
    (r >= size - 8 && c < 9) ||
    (version >= 7 && ((r < 6 && c >= size - 11) || (c < 6 && r >= size - 11))) ||
    centres.some((row) =>
      centres.some(
        (column) =>
          Math.abs(r - row) <= 2 &&
          Math.abs(c - column) <= 2 &&
          !(
            (row === 6 && column !== (centres[1] ?? 0) && (column === 6 || column === size - 7)) ||
            (row === size - 7 && column === 6)
          ) &&
          !(row === 6 && column === size - 7),
      ),
    );
  const bits: number[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!isFixed(row, column)) bits.push(at(row, column) ^ Number(rules[mask]?.(row, column) === 0));
      }
    }
  }
  const bytes = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2),
  );
  const split = version >= 6;
  const capacity = [19, 34, 55, 80, 108, 136, 156, 194, 232][version - 1] ?? 0;
  const data = bytes.slice(0, capacity);
  const whole = split
    ? [...data.filter((_, index) => index % 2 === 0), ...data.filter((_, index) => index % 2 === 1)]
    : data;
  const stream = whole.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const length = Number.parseInt(stream.slice(4, 12), 2);
  const text = Array.from({ length }, (_, index) =>
    Number.parseInt(stream.slice(12 + index * 8, 20 + index * 8), 2),
  );
  return Buffer.from(text).toString("utf8");
}
