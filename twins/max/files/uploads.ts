import { z } from "zod";
import { download } from "../../shared/index.ts";
import type { ApiCall, Reply } from "../calls/routes.ts";
import { refuse } from "../errors.ts";
import { uploadLimits } from "../limits.ts";
import type { Media, MediaType, Upload } from "../model.ts";
import { read } from "../read.ts";
import type { Max } from "../twin.ts";
import { readImage } from "./image.ts";
import { secondsOf } from "./sound.ts";
import { isVideo } from "./video.ts";

export interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

/** `POST /uploads`: an address for one file. Video and audio get their token here, the others with the bytes. */
export function createUpload({ store, context }: Max, { query }: ApiCall): Reply {
  const { type } = read(z.object({ type: z.enum(["image", "video", "audio", "file"]) }), query);
  const early = type === "video" || type === "audio";
  const upload: Upload = {
    key: store.newKey("upload"),
    type,
    used: false,
    ...(early && { token: store.newKey(type) }),
  };
  store.world.uploads.push(upload);
  store.changed();
  const url = `${context.options.baseUrl}/max/_upload/${upload.key}`;
  return { body: { url, ...(upload.token !== undefined && { token: upload.token }) } };
}

/** Receives the file of an upload address and answers as the provider's file servers do, each in its own format. */
export async function receive(max: Max, upload: Upload, file: UploadedFile): Promise<Reply> {
  const media = await takeOnce(upload, () => keep(max, upload.type, file, upload.token));
  max.store.changed();
  switch (upload.type) {
    case "image":
      return { body: { photos: { [`${media.id}`]: { token: media.token } } } };
    case "file":
      return { body: { fileId: media.id, token: media.token } };
    case "video":
    case "audio":
      return { body: "<retval>1</retval>", headers: { "content-type": "text/xml" } };
  }
}

/** One file per address, also if two come at the same time; after a refused file the address can still be used. */
async function takeOnce(upload: Upload, take: () => Promise<Media>): Promise<Media> {
  if (upload.used) throw alreadyUsed();
  upload.used = true;
  try {
    return await take();
  } catch (error) {
    upload.used = false;
    throw error;
  }
}

export const alreadyUsed = () => refuse.payload("This upload URL has already taken a file");

/** An image that a bot gave by address; the provider fetches it itself. */
export async function fetchImage(max: Max, url: string): Promise<Media> {
  const fetched = await download(url, {
    maxBytes: uploadLimits.image.bytes,
    signal: max.context.stopping,
  });
  if (fetched.ok) return keep(max, "image", fetched.file);
  if (fetched.reason === "too_big") throw tooBig("image");
  throw refuse.payload(`Failed to load image from url: ${url}`);
}

export async function keep(max: Max, type: MediaType, file: UploadedFile, token?: string): Promise<Media> {
  const { bytes, fileName } = file;
  if (bytes.byteLength === 0) throw refuse.payload("The uploaded file is empty");
  if (bytes.byteLength > uploadLimits[type].bytes) throw tooBig(type);
  const facts = inspect(type, bytes);
  const contentType = facts.contentType ?? file.contentType;
  const { store, context } = max;
  const media: Media = {
    id: store.newId(),
    token: token ?? store.newKey(type),
    type,
    blob: await context.blobs.put(bytes, { contentType, fileName }),
    notReadySends: type === "image" ? 0 : store.world.options.not_ready_sends,
    ...facts.kept,
  };
  store.addMedia(media);
  return media;
}

export const tooBig = (type: MediaType) =>
  refuse.payload(`The ${type} is larger than ${uploadLimits[type].bytes} bytes`);

interface Facts {
  contentType?: string;
  kept: Pick<Media, "width" | "height" | "seconds" | "broken">;
}

/** Images are checked when they arrive; errors of sound and video show when they are sent. */
function inspect(type: MediaType, bytes: Uint8Array): Facts {
  if (type === "image") {
    const image = readImage(bytes);
    if (!image) throw refuse.payload("Unsupported image format");
    const { contentType, width, height } = image;
    if (width > uploadLimits.image.width || height > uploadLimits.image.height) {
      throw refuse.payload(
        `The image is larger than ${uploadLimits.image.width}x${uploadLimits.image.height}`,
      );
    }
    return { contentType, kept: { width, height } };
  }
  if (type === "video" && !isVideo(bytes)) {
    return { kept: { broken: "errors.process.attachment.video.not.supported" } };
  }
  if (type === "audio") {
    const seconds = secondsOf(bytes);
    if (seconds === undefined) return { kept: {} };
    const tooLong = seconds > uploadLimits.audio.seconds;
    return { kept: { seconds, ...(tooLong && { broken: "errors.process.attachment.audio.too.long" }) } };
  }
  return { kept: {} };
}
