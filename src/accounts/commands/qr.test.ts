import { decodeQR } from "qr/decode.js";
import { expect, test } from "vitest";
import { qrText } from "./qr.ts";

const link = `tg://login?token=${"A".repeat(43)}`;

test("a login link is read back from what the terminal shows", () => {
  expect(decodeQR(photographed(qrText(link)))).toBe(link);
});

test("a login link is small enough for a terminal of 80 columns", () => {
  const lines = qrText(link).split("\n");
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(44);
});

/** The terminal as a picture: block characters are light on a dark background, each module a square of pixels. */
function photographed(text: string): { width: number; height: number; data: Uint8Array } {
  const scale = 4;
  const modules = text
    .split("\n")
    .flatMap((line) => ["█▀", "█▄"].map((light) => [...line].map((block) => light.includes(block))));
  const width = (modules[0]?.length ?? 0) * scale;
  const height = modules.length * scale;
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const row = Math.floor(pixel / width / scale);
    const column = Math.floor((pixel % width) / scale);
    data.fill(modules[row]?.[column] ? 255 : 0, pixel * 3, pixel * 3 + 3);
  }
  return { width, height, data };
}
