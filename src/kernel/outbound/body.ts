/** Bodies in and out: encoded for sending, read within bounds. */
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

/** What we ask for and what we understand when a server sends something else. */
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
  /** Given for a stream, whose length nobody could tell otherwise. */
  readonly length?: number;
}

/** A form is laid out here: providers want its length, and undici takes only its own FormData. */
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
 * Reads a body to its end and never holds more than `maxBytes` of it, so that a bomb goes off in a small room. What `into`
 * takes is not held at all.
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
  // A loop ends its source as a pipeline does, for a third of the price.
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
