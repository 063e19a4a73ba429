import { createHash } from "node:crypto";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Answer, answerCall, type ImageInfo, readImage } from "../shared/index.ts";
import { limits } from "./limits.ts";
import type { Upload } from "./model.ts";
import type { Vk } from "./twin.ts";

const formats = ["jpeg", "png", "gif"];

/**
 * Upload addresses, which need no authorisation. For a file that VK does not accept its upload servers return no error:
 * the answer's
 * `photo` is empty, and the status is still 200.
 */
export async function uploadRoute(app: FastifyInstance, vk: Vk): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart, {
    limits: { fileSize: limits.photo.bytes + 1, files: 10, fields: 20 },
    throwFileSizeLimit: false,
  });
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    payload.on("end", () => done(null, ""));
    payload.on("error", done);
  });
  app.post<{ Params: { key: string } }>("/vk/_upload/:key", (request, reply) => {
    const upload = vk.store.world.uploads.find(({ key }) => key === request.params.key);
    return answerCall(vk.context, reply, {
      call: {
        provider: "vk",
        method: "upload",
        ...(upload && upload.groupId > 0 && { chat: String(upload.groupId) }),
      },
      request: { purpose: upload?.purpose, size: request.headers["content-length"] },
      work: () => take(vk, upload, request),
      refusal: ({ status, description }) => ({
        status,
        body: { error: description ?? "ERR_UPLOAD_BAD_SERVER" },
      }),
    });
  });
}

async function take(vk: Vk, upload: Upload | undefined, request: FastifyRequest): Promise<Answer> {
  const { store, context } = vk;
  if (!upload || upload.expiresAt <= context.clock.now()) {
    return { status: 200, body: { error: "ERR_UPLOAD_BAD_LINK: upload link has expired" } };
  }
  const file = await fileOf(request);
  const image = file && acceptable(file);
  const server = 850_000 + (Number.parseInt(upload.key.slice(0, 4), 16) % 9_999);
  const hash = store.newKey(32);
  if (!file || !image) return { status: 200, body: { server, photo: "[]", hash } };

  const { width, height, contentType } = image;
  const blob = await context.blobs.put(file.bytes, { contentType, fileName: file.name });
  const sizes = [["x", width, height]];
  const digest = createHash("sha256").update(file.bytes).digest("hex").slice(0, 20);
  const photo = JSON.stringify([
    { markers_restarted: true, photo: `${digest}:x`, sizes, latitude: 0, longitude: 0 },
  ]);
  store.world.received.push({ upload, server, photo, hash, blob, width, height });
  store.changed();
  return { status: 200, body: { server, photo, hash } };
}

interface SentFile {
  readonly bytes: Buffer;
  readonly name: string;
}

/** The file of the field `photo`; undefined if it is missing or the form is broken. */
async function fileOf(request: FastifyRequest): Promise<SentFile | undefined> {
  if (!request.isMultipart()) return undefined;
  let found: SentFile | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type !== "file") continue;
      const bytes = await part.toBuffer();
      const whole = !part.file.truncated;
      if (part.fieldname === "photo" && whole) found ??= { bytes, name: part.filename };
    }
  } catch {
    return undefined; // a form that ends too early is a file that did not arrive
  }
  return found;
}

/** What VK accepts as a photo. Its servers check the file's extension first. */
function acceptable({ bytes, name }: SentFile): ImageInfo | undefined {
  if (!/\.(?:jpe?g|png|gif)$/i.test(name)) return undefined;
  const image = readImage(bytes);
  if (!image || !formats.includes(image.format)) return undefined;
  const { width, height } = image;
  if (width + height > limits.photo.sides) return undefined;
  return Math.max(width, height) > limits.photo.ratio * Math.min(width, height) ? undefined : image;
}
