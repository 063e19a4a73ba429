/** Shrinks a photo for the model and removes its metadata. */
import type { Answered } from "../backend/backend-error.ts";
import { failed } from "../backend/backend-error.ts";

export const photoLimits = { bytes: 8_000_000, pixels: 20_000_000, side: 1280, quality: 70 } as const;

export async function shrinkPhoto(bytes: Uint8Array): Promise<Answered<Uint8Array>> {
  const { default: sharp } = await import("sharp");
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > photoLimits.pixels) return failed("file_too_large");
    const { side, quality } = photoLimits;
    const small = await sharp(bytes)
      // Applies the EXIF rotation; EXIF data is then dropped.
      .rotate()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .jpeg({ quality })
      .toBuffer();
    return { ok: true, value: small };
  } catch {
    // Whatever the error, the person can only send another photo.
    return failed("photo_unreadable");
  }
}
