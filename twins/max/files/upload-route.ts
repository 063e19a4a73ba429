import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { answerCall } from "../../shared/index.ts";
import { answering, refusal } from "../api.ts";
import type { Reply } from "../calls/routes.ts";
import { ApiError, refuse } from "../errors.ts";
import { uploadLimits } from "../limits.ts";
import type { Upload } from "../model.ts";
import type { Max } from "../twin.ts";
import { createPartials, type Partials, type Progress, readRange } from "./partial.ts";
import { alreadyUsed, receive, tooBig, type UploadedFile } from "./uploads.ts";

/** Upload addresses, which need no authorisation: `POST /max/_upload/:key`, as a form or in pieces. */
export async function uploadRoute(app: FastifyInstance, max: Max): Promise<void> {
  // A file that is too long is refused here, in the provider's words.
  await app.register(fastifyMultipart, { throwFileSizeLimit: false });
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  const partials = createPartials();

  app.post<{ Params: { key: string } }>("/max/_upload/:key", (request, reply) => {
    const upload = max.store.world.uploads.find(({ key }) => key === request.params.key);
    return answerCall(max.context, reply, {
      call: { provider: "max", method: "POST /_upload" },
      request: { type: upload?.type, size: request.headers["content-length"] },
      work: () => answering(() => take(max, partials, upload, request)),
      refusal,
    });
  });
}

async function take(
  max: Max,
  partials: Partials,
  upload: Upload | undefined,
  request: FastifyRequest,
): Promise<Reply> {
  if (!upload) throw refuse.notFound("Upload");
  if (upload.used) throw alreadyUsed();
  // Form headers and boundaries come on top of the file; a kilobyte is enough for them.
  if (Number(request.headers["content-length"]) > uploadLimits[upload.type].bytes + 1024) {
    throw tooBig(upload.type);
  }
  if (request.isMultipart()) return receive(max, upload, await fileOfForm(request, upload));
  const piece = await nextPiece(partials, request, upload);
  return "file" in piece ? receive(max, upload, piece.file) : piece.progress;
}

async function fileOfForm(request: FastifyRequest, upload: Upload): Promise<UploadedFile> {
  const files = await filesOfForm(request, upload).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    throw refuse.payload("Malformed form");
  });
  const [file, second] = files;
  if (!file) throw refuse.payload("The form must hold one field: `data`");
  if (second) throw refuse.payload("One file per upload URL");
  return file;
}

async function filesOfForm(request: FastifyRequest, { type }: Upload): Promise<UploadedFile[]> {
  const files: UploadedFile[] = [];
  const limits = { fileSize: uploadLimits[type].bytes + 1 };
  for await (const part of request.parts({ limits })) {
    if (part.type !== "file" || part.fieldname !== "data")
      throw refuse.payload("The form must hold one field: `data`");
    const chunks: Buffer[] = [];
    for await (const chunk of part.file) chunks.push(chunk);
    files.push({ bytes: Buffer.concat(chunks), contentType: part.mimetype, fileName: part.filename || type });
  }
  return files;
}

/** The body is the file, or with Content-Range a chunk of it; a chunk that is not the last is acknowledged. */
async function nextPiece(
  partials: Partials,
  request: FastifyRequest,
  { key, type }: Upload,
): Promise<{ file: UploadedFile } | { progress: Reply }> {
  const range = readRange(request.headers["content-range"]);
  if (range === "malformed") throw refuse.payload("Malformed Content-Range");
  if (range && range.total > uploadLimits[type].bytes) throw tooBig(type);
  const body = await bodyOf(request, range ? range.last - range.first + 1 : uploadLimits[type].bytes);
  const added = range ? partials.add(key, range, body) : { bytes: body };
  if (!("bytes" in added)) return { progress: progressOf(added, range?.total ?? 0) };
  return {
    file: {
      bytes: added.bytes,
      contentType: request.headers["content-type"] ?? "application/octet-stream",
      fileName: fileNameOf(request.headers["content-disposition"]) ?? type,
    },
  };
}

function progressOf({ received, accepted }: Progress, total: number): Reply {
  const seen = received > 0 ? `0-${received - 1}/${total}` : "";
  return { status: accepted ? 201 : 416, body: seen, headers: { "content-type": "text/plain", range: seen } };
}

async function bodyOf(request: FastifyRequest, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.raw) {
    size += chunk.length;
    if (size > most) throw refuse.payload("The body is longer than announced");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function fileNameOf(disposition: string | undefined): string | undefined {
  return /filename="?([^";]+)"?/i.exec(disposition ?? "")?.[1];
}
