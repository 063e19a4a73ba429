import { expect, test } from "vitest";
import { pngOf } from "../testing.ts";
import { readImage } from "./image.ts";

const bmp = () => {
  const bytes = Buffer.alloc(54);
  bytes.write("BM", "latin1");
  bytes.writeInt32LE(320, 18);
  bytes.writeInt32LE(-200, 22);
  return bytes;
};

const tiff = (little: boolean) => {
  const bytes = Buffer.alloc(64);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  bytes.write(little ? "II" : "MM", "latin1");
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  view.setUint16(8, 2, little);
  const entry = (at: number, tag: number, type: number, value: number) => {
    view.setUint16(at, tag, little);
    view.setUint16(at + 2, type, little);
    if (type === 3) view.setUint16(at + 8, value, little);
    else view.setUint32(at + 8, value, little);
  };
  entry(10, 256, 3, 320);
  entry(22, 257, 4, 200);
  return bytes;
};

const heic = () => {
  const bytes = Buffer.alloc(80);
  bytes.write("ftypheic", 4, "latin1");
  for (const [at, width, height] of [
    [24, 64, 64],
    [50, 320, 200],
  ] as const) {
    bytes.write("ispe", at, "latin1");
    bytes.writeUInt32BE(width, at + 8);
    bytes.writeUInt32BE(height, at + 12);
  }
  return bytes;
};

test.each([
  ["png", "image/png", pngOf(320, 200)],
  ["bmp", "image/bmp", bmp()],
  ["little-endian tiff", "image/tiff", tiff(true)],
  ["big-endian tiff", "image/tiff", tiff(false)],
  ["heic", "image/heic", heic()],
])("a %s tells its format and size", (_name, contentType, bytes) => {
  expect(readImage(bytes)).toMatchObject({ contentType, width: 320, height: 200 });
});

test.each([[""], ["B"], ["BM"], ["II*\0"], ["\0\0\0\x18ftypheic"], ["GIF89a"]])("%j is no image", (text) => {
  expect(readImage(Buffer.from(text, "latin1"))).toBeUndefined();
});
