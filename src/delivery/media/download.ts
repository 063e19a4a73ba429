import { basename } from "node:path";
import type { GuardedClient, HttpAnswer } from "../../kernel/outbound/index.ts";
import { contentTypeOf } from "./content-type.ts";
import { type FileError, gone, tooLarge, unavailable } from "./file-errors.ts";
import { ontoDisk, plainFileName } from "./onto-disk.ts";

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
  return ontoDisk(async (file) => {
    const answer = await http.request({
      method: "GET",
      url,
      timeoutMs,
      firstByteMs,
      maxBytes,
      into: (chunks) => file.write(chunks),
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
    if (file.size === 0) return gone("is empty");
    return use({
      path: file.path,
      sha256: file.hash.digest("hex"),
      size: file.size,
      contentType: contentTypeOf(file.head, answer.headers["content-type"]),
      fileName: fileNameOf(answer),
    });
  });
}

/** The file name that readers see: given by the server, or the end of the address. */
function fileNameOf({ url, headers }: HttpAnswer): string {
  const disposition = headers["content-disposition"] ?? "";
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*"?([^";]+)"?/i.exec(disposition)?.[1];
  const name = decoded(encoded ?? "") || plain || decoded(basename(new URL(url).pathname));
  return plainFileName(name) ?? "file";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the name is used undecoded.
    return text;
  }
}
