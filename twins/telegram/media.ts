import { type Downloaded, download, type ImageInfo, readImage, type TwinContext } from "../shared/index.ts";
import { badRequest } from "./api-error.ts";
import { uidOf } from "./file-id.ts";
import { limits } from "./limits.ts";
import type { Bot, MediaKind, StoredFile } from "./model.ts";
import type { Params } from "./params.ts";
import type { Store } from "./store.ts";

export interface MediaDeps {
  readonly context: TwinContext;
  readonly store: Store;
}

export interface MediaSource {
  readonly bot: Bot;
  readonly kind: MediaKind;
  /** A `file_id`, an address, `attach://name`, or empty if the file is the part named after the kind. */
  readonly value: string;
  readonly uploads: Params["uploads"];
  /** The sender's description of a file that is not an image. */
  readonly said: { readonly width?: number; readonly height?: number; readonly duration?: number };
}

/** The content types that the provider accepts for a kind when it fetches an address. */
const typesByUrl: Readonly<Record<MediaKind, RegExp>> = {
  photo: /^image\//,
  video: /^video\/|^application\/octet-stream$/,
  animation: /^image\/gif$|^video\//,
  audio: /^audio\/|^application\/(ogg|octet-stream)$/,
  voice: /^audio\/|^application\/(ogg|octet-stream)$/,
  document: /^image\/gif$|^application\/(pdf|zip|x-zip-compressed)$/,
};

/** The file of a request, fetched or stored if it is new; throws the provider's refusal. */
export async function resolveMedia(source: MediaSource, deps: MediaDeps): Promise<StoredFile> {
  const { kind, value, uploads } = source;
  const partName = value === "" ? kind : /^attach:\/\/(.+)$/.exec(value)?.[1];
  if (partName !== undefined) {
    const upload = uploads.get(partName);
    if (!upload) throw badRequest(value === "" ? `there is no ${kind} in the request` : wrongFile);
    if (upload.bytes.byteLength === 0) throw badRequest("file must be non-empty");
    if (kind === "photo" && upload.bytes.byteLength > limits.upload.photo)
      throw badRequest("file is too big");
    return takeIn(upload, source, deps, "IMAGE_PROCESS_FAILED");
  }
  if (/^https?:\/\//i.test(value)) {
    const maxBytes = kind === "photo" ? limits.byUrl.photo : limits.byUrl.other;
    const fetched = await download(value, { maxBytes, signal: deps.context.stopping });
    if (!fetched.ok) throw badRequest("failed to get HTTP URL content");
    if (!typesByUrl[kind].test(fetched.file.contentType))
      throw badRequest("wrong type of the web page content");
    return takeIn(fetched.file, source, deps, "wrong type of the web page content");
  }
  return knownFile(source, deps);
}

/** A file that a person sends, checked like a bot's upload. */
export function takeSent(kind: MediaKind, file: Downloaded, deps: MediaDeps): Promise<StoredFile> {
  if (kind === "photo" && file.bytes.byteLength > limits.upload.photo) throw badRequest("file is too big");
  return takeIn(file, { kind, said: {} }, deps, "IMAGE_PROCESS_FAILED");
}

const wrongFile = "wrong file identifier/HTTP URL specified";

function knownFile({ bot, kind, value }: MediaSource, { store }: MediaDeps): StoredFile {
  const file = store.file(uidOf(bot, value) ?? "");
  if (!file) throw badRequest(wrongFile);
  if (file.kind === kind) return file;
  if (file.kind === "photo" || kind === "photo") {
    throw badRequest(`can't use file of type ${titled(file.kind)} as ${titled(kind)}`);
  }
  return remember(store, { ...file, kind });
}

async function takeIn(
  file: Downloaded,
  { kind, said }: Pick<MediaSource, "kind" | "said">,
  { context, store }: MediaDeps,
  notAnImage: string,
): Promise<StoredFile> {
  const image = readImage(file.bytes);
  if (kind === "photo") checkPhoto(image, notAnImage);
  const contentType = image?.contentType ?? (file.contentType || "application/octet-stream");
  const blob = await context.blobs.put(file.bytes, {
    contentType,
    ...(kind !== "photo" && { fileName: file.fileName }),
  });
  return remember(store, {
    kind,
    blobId: blob.id,
    contentType,
    size: blob.size,
    ...(kind !== "photo" && { name: file.fileName }),
    ...said,
    ...(image && { width: image.width, height: image.height }),
  });
}

function checkPhoto(image: ImageInfo | undefined, notAnImage: string): void {
  if (!image) throw badRequest(notAnImage);
  const { width, height } = image;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (width + height > limits.photo.sidesSum || ratio > limits.photo.ratio) {
    throw badRequest("PHOTO_INVALID_DIMENSIONS");
  }
}

function remember(store: Store, file: Omit<StoredFile, "uid">): StoredFile {
  const stored = { ...file, uid: `${file.kind.slice(0, 2)}${file.blobId.slice(0, 24)}` };
  store.addFile(stored);
  return store.file(stored.uid) ?? stored;
}

function titled(kind: MediaKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
