import { crc32, deflateSync } from "node:zlib";

/** Five columns by seven rows for each digit; each row is a number. */
const shapes: Readonly<Record<string, readonly number[]>> = {
  "0": [14, 17, 19, 21, 25, 17, 14],
  "1": [4, 12, 4, 4, 4, 4, 14],
  "2": [14, 17, 1, 2, 4, 8, 31],
  "3": [31, 2, 4, 2, 1, 17, 14],
  "4": [2, 6, 10, 18, 31, 2, 2],
  "5": [31, 16, 30, 1, 1, 17, 14],
  "6": [6, 8, 16, 30, 17, 17, 14],
  "7": [31, 1, 2, 4, 8, 8, 8],
  "8": [14, 17, 17, 14, 17, 17, 14],
  "9": [14, 17, 17, 15, 1, 2, 12],
};

const width = 130;
const height = 50;
const dot = 4;

/** The digits as a PNG: 130 by 50, grey on white, on a wave. */
export function captchaPicture(digits: string): Buffer {
  const pixels = Buffer.alloc(width * height, 0xff);
  for (let x = 0; x < width; x += 1) paint(pixels, x, 25 + Math.round(9 * Math.sin(x / 11)), 2, 0xb8);
  [...digits].forEach((digit, place) => {
    shapes[digit]?.forEach((row, y) => {
      for (let x = 0; x < 5; x += 1) {
        const left = 8 + place * 24 + x * dot;
        const top = 11 + y * dot + Math.round(4 * Math.sin((left + place * 9) / 18));
        if (row & (16 >> x)) paint(pixels, left, top, dot, 0x40);
      }
    });
  });
  return png(pixels);
}

function paint(pixels: Buffer, left: number, top: number, size: number, shade: number): void {
  for (let y = top; y < top + size; y += 1) {
    for (let x = left; x < left + size; x += 1) {
      if (x >= 0 && x < width && y >= 0 && y < height) pixels[y * width + x] = shade;
    }
  }
}

function png(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight-bit greyscale.
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * width, (y + 1) * width)]),
  );
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
