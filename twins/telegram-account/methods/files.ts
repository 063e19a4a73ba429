import { z } from "zod";
import { readImage } from "../../shared/index.ts";
import type { AuthorisedCall, Deps, Reply } from "../call.ts";
import { limits } from "../limits.ts";
import { read } from "../read.ts";
import { bad } from "../rpc-error.ts";
import { demandThawed } from "../session.ts";

const uploadParams = z.strictObject({ fileName: z.string().min(1).max(200), data: z.base64() });

/** Stores a picture; its reference works for this account only. */
export async function uploadPhoto({ account, params }: AuthorisedCall, deps: Deps): Promise<Reply> {
  demandThawed(account);
  const { fileName, data } = read(uploadParams, params);
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > limits.photo.bytes) throw bad("PHOTO_SAVE_FILE_INVALID");
  const image = readImage(bytes);
  if (!image) throw bad("IMAGE_PROCESS_FAILED");
  const { width, height } = image;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (width + height > limits.photo.sidesSum || ratio > limits.photo.ratio)
    throw bad("PHOTO_INVALID_DIMENSIONS");
  const blob = await deps.context.blobs.put(bytes, { contentType: image.contentType, fileName });
  const id = String(deps.store.newId());
  deps.store.world.files.push({
    id,
    userId: account.userId,
    blobPath: blob.path,
    size: bytes.length,
    width,
    height,
  });
  deps.store.changed();
  return { body: { fileId: id } };
}
