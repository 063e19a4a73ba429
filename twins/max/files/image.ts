import { readImage as readCommonImage } from "../../shared/index.ts";

export interface ImageInfo {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

/** The format and the size in pixels, or undefined if the provider does not accept such an image. */
export function readImage(bytes: Uint8Array): ImageInfo | undefined {
  const common = readCommonImage(bytes);
  if (common) return common.format === "webp" ? undefined : common;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [bmp, tiff, heic]) {
    try {
      const info = read(view);
      if (info) return info;
    } catch (error) {
      // The header promises more bytes than there are: the image is broken.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

const ascii = (view: DataView, at: number, length: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));

function bmp(view: DataView): ImageInfo | undefined {
  if (ascii(view, 0, 2) !== "BM") return undefined;
  // A negative height means that the rows run from the top.
  const height = Math.abs(view.getInt32(22, true));
  return { contentType: "image/bmp", width: view.getInt32(18, true), height };
}

function tiff(view: DataView): ImageInfo | undefined {
  const order = ascii(view, 0, 2);
  const little = order === "II";
  if ((!little && order !== "MM") || view.getUint16(2, little) !== 42) return undefined;
  const directory = view.getUint32(4, little);
  const short = 3;
  const tags = new Map<number, number>();
  for (let index = 0; index < view.getUint16(directory, little); index += 1) {
    const entry = directory + 2 + index * 12;
    const isShort = view.getUint16(entry + 2, little) === short;
    const value = isShort ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little);
    tags.set(view.getUint16(entry, little), value);
  }
  const [width, height] = [tags.get(256), tags.get(257)];
  return width && height ? { contentType: "image/tiff", width, height } : undefined;
}

/** The size is in a nested `ispe` box; the largest one is the picture, the others are tiles. */
function heic(view: DataView): ImageInfo | undefined {
  if (ascii(view, 4, 4) !== "ftyp" || !/^(heic|heix|heim|heis|hevc|mif1|msf1)$/.test(ascii(view, 8, 4))) {
    return undefined;
  }
  const found: ImageInfo[] = [];
  const ispe = 0x69737065;
  for (let at = 8; at + 16 <= Math.min(view.byteLength, 65_536); at += 1) {
    if (view.getUint32(at) !== ispe) continue;
    found.push({
      contentType: "image/heic",
      width: view.getUint32(at + 8),
      height: view.getUint32(at + 12),
    });
  }
  return found.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
}
