import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { z } from "zod";
import { problem } from "../../http/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { type Dimensions, dimensionsOf } from "../media/dimensions.ts";
import { type KeepFileDeps, keepLargeFile } from "../media/keep-file.ts";
import { ontoDisk, plainFileName } from "../media/onto-disk.ts";
import { recognise } from "./kind-of-file.ts";

export interface UploadDeps extends KeepFileDeps {
  readonly maxBytes: number;
  readonly publicUrl: string;
}

export const uploadSchema = z
  .object({
    id: z.uuid(),
    url: z.string().describe("For `payload.media[].url` of a post of this workspace"),
    kind: z.enum(["photo", "video", "animation", "audio", "document"]).describe("For `payload.media[].type`"),
    size: z.int(),
    content_type: z.string(),
    file_name: z.string(),
    width: z.int().nullable(),
    height: z.int().nullable(),
  })
  .meta({ id: "Upload" });
export type Upload = z.infer<typeof uploadSchema>;

export interface GivenFile {
  readonly body: Readable;
  /** `Content-Length`, if it was sent. */
  readonly announcedSize: number | undefined;
  readonly announcedType: string | undefined;
  readonly fileName: string | undefined;
}

/** Stores a file of an operator for posts; one that no post and no draft names is collected like every other. */
export async function takeUpload(
  deps: UploadDeps,
  workspaceId: string,
  { body, announcedSize, announcedType, fileName: given }: GivenFile,
): Promise<Upload> {
  const { clock, maxBytes, publicUrl } = deps;
  if (announcedSize !== undefined && announcedSize > maxBytes) throw tooLarge(maxBytes);
  const fileName = plainFileName(given ?? "") ?? "file";
  return ontoDisk(async (file) => {
    await file.write(upTo(maxBytes, body));
    if (file.size === 0)
      throw problem("unprocessable", { detail: "The file is empty: send its bytes as the body." });
    const found = recognise(file.head, { fileName, announced: announcedType });
    if ("refusal" in found) throw problem("unprocessable", { detail: found.refusal });
    const { contentType, kind } = found;
    const dimensions = await dimensionsOf({ path: file.path, contentType });
    if (!dimensions && readable.has(contentType))
      throw problem("unprocessable", {
        detail: `${fileName} cannot be read as a picture: it is damaged. Save it again and upload it.`,
      });
    const id = uuidv7(clock);
    await keepLargeFile(deps, workspaceId, {
      blobRef: blobRefOf(id),
      ...{ contentType, fileName, size: file.size, sha256: file.hash.digest("hex") },
      ...dimensions,
      open: () => createReadStream(file.path),
    });
    const { width, height }: Partial<Dimensions> = dimensions ?? {};
    return {
      ...{ id, url: `${publicUrl}/api/v1/media/${id}`, kind, size: file.size, content_type: contentType },
      ...{ file_name: fileName, width: width ?? null, height: height ?? null },
    };
  });
}

/** The name that `delivery.blob_ref_of` gives to the address of an upload. */
export function blobRefOf(id: string): string {
  return `upload-${id}`;
}

/** Pictures that are read here, so that one which cannot be read is damaged. */
const readable: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** The request stays open when the file is too large, so that its sender gets the answer. */
async function* upTo(maxBytes: number, body: Readable): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number) {
  return problem("payload_too_large", {
    detail: `The file is larger than the ${Math.floor(maxBytes / 1024 / 1024)} MB that are taken at most (MOLVA_MEDIA_MAX_MB).`,
  });
}
