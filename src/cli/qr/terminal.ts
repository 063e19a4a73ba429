import { type QrMatrix, qrMatrix } from "./qr.ts";

const margin = 2;
/** Two modules stand above each other in one character; a terminal's ground is taken for dark, so light is drawn. */
const blocks = { both: "█", upper: "▀", lower: "▄", none: " " } as const;

/** A QR code of block characters, which a phone reads from a terminal with a dark ground. */
export function qrText(text: string): string {
  const framed = withMargin(qrMatrix(text));
  const lines: string[] = [];
  for (let row = 0; row < framed.length; row += 2) {
    const upper = framed[row] ?? [];
    const lower = framed[row + 1];
    lines.push(upper.map((dark, column) => character(!dark, lower ? !lower[column] : false)).join(""));
  }
  return lines.join("\n");
}

function character(upper: boolean, lower: boolean): string {
  if (upper && lower) return blocks.both;
  if (upper) return blocks.upper;
  return lower ? blocks.lower : blocks.none;
}

function withMargin(matrix: QrMatrix): QrMatrix {
  const width = matrix.length + 2 * margin;
  const blank = () => new Array<boolean>(width).fill(false);
  const side = new Array<boolean>(margin).fill(false);
  const above = Array.from({ length: margin }, blank);
  return [...above, ...matrix.map((row) => [...side, ...row, ...side]), ...above];
}
