import sharp, { type Sharp } from "sharp";

export interface Finished {
  readonly bytes: Buffer;
  readonly mediaType: "image/webp" | "image/png";
  readonly width: number;
  readonly height: number;
  /** WebP could not be made of it. */
  readonly asPng: boolean;
}

/** The digital source type of IPTC that says that a model made the picture. */
const madeByModel = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/></rdf:RDF></x:xmpmeta>`;

/** Larger ones are made smaller: no page shows more. */
const longestSide = 2_048;

/**
 * Sharpens a little, adds contrast and colour, and makes WebP of it, or PNG if that fails. The metadata say that a model made it.
 * Throws if the bytes are no picture.
 */
export async function finishPicture(bytes: Uint8Array): Promise<Finished> {
  const drawn = sharp(bytes, { limitInputPixels: 64_000_000 })
    .rotate()
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .sharpen({ sigma: 1.5, m1: 0.8, m2: 0.8 })
    // Contrast around the middle grey, then colour.
    .linear(1.05, -(0.05 * 128))
    .modulate({ saturation: 1.08 })
    .withXmp(madeByModel);
  try {
    return await made(drawn.clone().webp({ quality: 85 }), "image/webp");
  } catch {
    return made(drawn.png(), "image/png");
  }
}

async function made(picture: Sharp, mediaType: Finished["mediaType"]): Promise<Finished> {
  const { data: bytes, info } = await picture.toBuffer({ resolveWithObject: true });
  return { bytes, mediaType, width: info.width, height: info.height, asPng: mediaType === "image/png" };
}
