import { expect, test } from "vitest";
import { readImage } from "./image.ts";

const bytes = (hex: string, length = 40) => {
  const head = Buffer.from(hex.replace(/\s/g, ""), "hex");
  return Buffer.concat([head, Buffer.alloc(Math.max(0, length - head.length))]);
};

test.each([
  ["png", "89504e470d0a1a0a 0000000d 49484452 00000320 00000258"],
  ["gif", "474946383961 2003 5802"],
  ["webp", "52494646 00000000 57454250 56503820 00000000 000000 9d012a 2003 5802"],
  ["webp", "52494646 00000000 57454250 5650384c 00000000 2f 1fc39500"],
  ["webp", "52494646 00000000 57454250 56503858 00000000 00000000 1f0300 570200"],
  ["jpeg", "ffd8 ffe0 0004 0000 ffc4 0004 0000 ffc2 000b 08 0258 0320 01"],
])("the size of a %s file is read from its head", (format, hex) => {
  expect(readImage(bytes(hex))).toMatchObject({
    format,
    contentType: `image/${format}`,
    width: 800,
    height: 600,
  });
});

test.each([
  "",
  "ffd8",
  "3c68746d6c3e",
  "89504e470d0a1a0a",
  "ffd8 ffe0 ffff",
  "52494646000000005745425056503858",
])("%s is no image", (hex) => {
  expect(readImage(bytes(hex, 0))).toBeUndefined();
});
