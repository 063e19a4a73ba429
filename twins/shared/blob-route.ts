import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { BlobStore } from "./contract.ts";
import { InputError, readInput } from "./input.ts";

/** Stored media for browsers at `/_blobs/:id`. */
export async function blobRoutes(app: FastifyInstance, blobs: BlobStore): Promise<void> {
  app.get("/_blobs/:id", async (request, reply) => {
    const { id } = readInput(z.object({ id: z.string() }), request.params);
    const blob = await blobs.get(id);
    if (!blob) throw new InputError("there is no such file", 404);

    reply.headers({
      "content-type": blob.contentType,
      "content-disposition": disposition(blob.contentType, blob.fileName),
      "x-content-type-options": "nosniff",
      // Uploads are untrusted files: even an image opened on its own must run and load nothing.
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, max-age=31536000, immutable",
      "accept-ranges": "bytes",
    });
    const range = readRange(request.headers.range, blob.size);
    if (range === undefined) return reply.send(blob.bytes);
    if (range === "unsatisfiable")
      return reply.code(416).header("content-range", `bytes */${blob.size}`).send();
    return reply
      .code(206)
      .header("content-range", `bytes ${range.first}-${range.last}/${blob.size}`)
      .send(blob.bytes.subarray(range.first, range.last + 1));
  });
}

/** SVG is an image that can contain scripts. */
function disposition(contentType: string, fileName = "file"): string {
  const inline = /^(image|audio|video)\//.test(contentType) && !contentType.startsWith("image/svg");
  return `${inline ? "inline" : "attachment"}; filename*=UTF-8''${encodeURIComponent(wellFormed(fileName))}`;
}

/** A lone surrogate cannot be percent-encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** One range as players request it; several ranges are answered with the whole file, as HTTP allows. */
function readRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!found || (!found[1] && !found[2])) return undefined;
  const [, from = "", to = ""] = found;
  const first = from ? Number(from) : Math.max(0, size - Number(to));
  const last = from && to ? Math.min(Number(to), size - 1) : size - 1;
  return first > last ? "unsatisfiable" : { first, last };
}
