import type { Picture } from "../ask.ts";
import type { Said } from "../providers/model-call.ts";
import type { Judged } from "./judge-answer.ts";

/** What is taken for a picture: above any model's output, and small enough to be opened. */
export const pictureLimits = { bytes: 40 * 1024 * 1024, pixels: 5_000 * 5_000, side: 16 } as const;

const mediaTypes = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" } as const;

/** The first picture of an answer, decoded to its last pixel: a file that only begins like one is no picture. */
export async function judgePicture({ pictures, refusal }: Said): Promise<Judged<Picture>> {
  const [first] = pictures;
  if (!first)
    return refusal.trim() === ""
      ? { ok: false, failure: { class: "empty", message: "the model drew nothing" } }
      : { ok: false, failure: { class: "refused", message: "the model declined" } };
  if (!("base64" in first)) return notOne("it is an address, not a file");
  if (first.base64.length > (pictureLimits.bytes * 4) / 3)
    return notOne(`it is larger than ${pictureLimits.bytes} bytes`);
  return opened(Buffer.from(first.base64, "base64"));
}

async function opened(bytes: Buffer): Promise<Judged<Picture>> {
  const { default: sharp } = await import("sharp");
  try {
    const image = sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn: "truncated" });
    const { format, width, height } = await image.metadata();
    const mediaType = Object.entries(mediaTypes).find(([name]) => name === format)?.[1];
    if (!mediaType) return notOne(`its format is ${format}`);
    if (Math.min(width, height) < pictureLimits.side) return notOne(`it is ${width}×${height}`);
    await image.resize(pictureLimits.side).raw().toBuffer();
    return { ok: true, answer: { bytes: new Uint8Array(bytes), mediaType, width, height } };
  } catch {
    return notOne("it cannot be opened");
  }
}

function notOne(why: string): Judged<never> {
  return {
    ok: false,
    failure: { class: "invalid_answer", message: `not a picture that can be used: ${why}` },
  };
}
