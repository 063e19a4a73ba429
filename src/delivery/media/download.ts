import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { GuardedClient, HttpAnswer } from "../../kernel/outbound/index.ts";
import { contentTypeOf, headBytes } from "./content-type.ts";
import { type FileError, gone, tooLarge, unavailable } from "./file-errors.ts";

/** A fetched file that is on disk while it is used. */
export interface Download {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly contentType: string;
  readonly fileName: string;
}

export interface DownloadDeps {
  /** The guarded client, because addresses come from posts. */
  readonly http: GuardedClient;
  readonly maxBytes: number;
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 120_000;
/** A large file may take long; its first byte may not. */
const firstByteMs = 20_000;
/** Statuses that may change later. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Fetches a file to disk, hashing it on the way, and removes it after `use`. */
export async function download<T>(
  url: string,
  { http, maxBytes, timeoutMs = defaultTimeoutMs }: DownloadDeps,
  use: (file: Download) => Promise<T>,
): Promise<T | FileError> {
  const folder = await mkdtemp(join(tmpdir(), "molva-media-"));
  try {
    const path = join(folder, "file");
    const seen = { hash: createHash("sha256"), size: 0, head: Buffer.alloc(0) };
    const answer = await http.request({
      method: "GET",
      url,
      timeoutMs,
      firstByteMs,
      maxBytes,
      into: (chunks) =>
        pipeline(
          Readable.from(measured(chunks, seen), { objectMode: false }),
          createWriteStream(path, { mode: 0o600 }),
        ),
    });
    if (answer.kind === "failure") {
      if (answer.reason === "refused") return gone(`cannot be fetched: ${answer.message}`);
      if (answer.reason === "too_large")
        return tooLarge(`is larger than the ${maxBytes} bytes that are fetched at most (MOLVA_MEDIA_MAX_MB)`);
      return unavailable(`could not be fetched: ${answer.message}`);
    }
    if (passing.has(answer.status))
      return unavailable(`could not be fetched: its server answered ${answer.status}`);
    if (answer.status !== 200) return gone(`is not to be had: its server answered ${answer.status}`);
    if (seen.size === 0) return gone("is empty");
    return await use({
      path,
      sha256: seen.hash.digest("hex"),
      size: seen.size,
      contentType: contentTypeOf(seen.head, answer.headers["content-type"]),
      fileName: fileNameOf(answer),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* measured(
  chunks: AsyncIterable<Uint8Array>,
  seen: { hash: ReturnType<typeof createHash>; size: number; head: Buffer },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (seen.size < headBytes)
      seen.head = Buffer.concat([seen.head, chunk.subarray(0, headBytes - seen.size)]);
    seen.hash.update(chunk);
    seen.size += chunk.length;
    yield chunk;
  }
}

const longestName = 120;

/** The file name that readers see: given by the server, or the end of the address. */
function fileNameOf({ url, headers }: HttpAnswer): string {
  const disposition = headers["content-disposition"] ?? "";
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*"?([^";]+)"?/i.exec(disposition)?.[1];
  const name = decoded(encoded ?? "") || plain || decoded(basename(new URL(url).pathname));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with control characters is what must not get through
  return basename(name.replace(/[\x00-\x1f\\]/g, "")).slice(-longestName) || "file";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the name is used undecoded.
    return text;
  }
}
