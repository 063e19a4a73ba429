/** Request bodies encoded for sending, answers read within limits. */
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { HttpRequest } from "./contract.ts";
import { layOutForm } from "./form.ts";

export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

export class UnknownCodingError extends Error {
  override readonly name = "UnknownCodingError";
}

/** Content codings that we ask for, and those that we can also decode. */
export const acceptedCodings = "gzip, br";
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export interface EncodedBody {
  readonly bytes: string | Uint8Array | Readable;
  readonly contentType?: string;
  /** Set for a stream, whose length is not known otherwise. */
  readonly length?: number;
}

/** We encode forms ourselves: providers require a length, and undici accepts only its own FormData. */
export async function encodeBody(body: NonNullable<HttpRequest["body"]>): Promise<EncodedBody> {
  if (typeof body === "string" || body instanceof Uint8Array) return { bytes: body };
  if (!(body instanceof FormData)) {
    const { contentType, length, chunks } = layOutForm(body);
    return { bytes: Readable.from(chunks(), { objectMode: false }), contentType, length };
  }
  const form = new Response(body);
  const contentType = form.headers.get("content-type");
  const bytes = new Uint8Array(await form.arrayBuffer());
  return contentType ? { bytes, contentType } : { bytes };
}

/**
 * Reads a body to its end and never holds more than `maxBytes` in memory, so that a decompression bomb does no harm. With
 * `into` nothing is held.
 */
export async function readBody(
  source: Readable,
  coding: string,
  maxBytes: number,
  into?: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const within = (seen: { bytes: number }) =>
    async function* (stream: AsyncIterable<Uint8Array>) {
      for await (const chunk of stream) {
        seen.bytes += chunk.byteLength;
        if (seen.bytes > maxBytes) throw new TooLargeError(`the answer is larger than ${maxBytes} bytes`);
        yield chunk;
      }
    };
  const collect =
    into ??
    (async (stream: AsyncIterable<Uint8Array>) => {
      for await (const chunk of stream) chunks.push(chunk);
    });
  const decoder = decoderFor(coding);
  if (decoder) await pipeline(source, within({ bytes: 0 }), decoder, within({ bytes: 0 }), collect);
  // A loop closes its source as a pipeline does, for a third of the cost.
  else await collect(within({ bytes: 0 })(source));
  return Buffer.concat(chunks);
}

function decoderFor(coding: string): Transform | undefined {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return undefined;
  const create = decoders[name];
  if (!create) throw new UnknownCodingError(`the answer is encoded as "${name.slice(0, 40)}"`);
  return create();
}
