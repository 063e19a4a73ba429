/** A photo as small as a model needs it: less to carry, and nothing but the picture is left in it. */
import type { Answered } from "../backend/fault.ts";
import { failed } from "../backend/fault.ts";

export const photoLimits = { bytes: 8_000_000, pixels: 20_000_000, side: 1280, quality: 70 } as const;

export async function shrinkPhoto(bytes: Uint8Array): Promise<Answered<Uint8Array>> {
  const { default: sharp } = await import("sharp");
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > photoLimits.pixels) return failed("file_too_large");
    const { side, quality } = photoLimits;
    const small = await sharp(bytes)
      // By the camera's own mark, which is then dropped with the place and time it was taken.
      .rotate()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .jpeg({ quality })
      .toBuffer();
    return { ok: true, value: small };
  } catch {
    // Whatever sharp says of these bytes, the person can only send another photo.
    return failed("photo_unreadable");
  }
}
