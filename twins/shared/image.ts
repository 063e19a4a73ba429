/** What an image file's header contains. */
export interface ImageInfo {
  readonly format: "png" | "jpeg" | "gif" | "webp";
  readonly contentType: `image/${ImageInfo["format"]}`;
  readonly width: number;
  readonly height: number;
}

/** Reads format and dimensions from the header; nothing is decoded. Undefined if it is not such an image. */
export function readImage(bytes: Uint8Array): ImageInfo | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [format, read] of readers) {
    const size = read(view);
    if (size && size.width > 0 && size.height > 0) return { format, contentType: `image/${format}`, ...size };
  }
  return undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const readers: readonly (readonly [ImageInfo["format"], (bytes: Buffer) => Size | undefined])[] = [
  ["png", readPng],
  ["gif", readGif],
  ["webp", readWebp],
  ["jpeg", readJpeg],
];

function readPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): Size | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function readWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF") return undefined;
  switch (bytes.toString("latin1", 8, 16)) {
    case "WEBPVP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "WEBPVP8L": {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "WEBPVP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** Walks the segments up to the first start-of-frame, which has the size. */
function readJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isStartOfFrame(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    at += standsAlone ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** 0xC0–0xCF start a frame, except the tables DHT (C4), JPG (C8) and DAC (CC). */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
