import { fetchLoopback } from "./fetch-loopback.ts";
import { parsedUrl } from "./parsed-url.ts";

/** A file fetched from an address that a caller gave. */
export interface Downloaded {
  readonly bytes: Uint8Array;
  /** Without parameters, in lower case; empty if the server did not say. */
  readonly contentType: string;
  readonly fileName: string;
}

export type Download = { ok: true; file: Downloaded } | { ok: false; reason: "unreachable" | "too_big" };

export interface DownloadLimits {
  readonly maxBytes: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const defaultTimeoutMs = 10_000;

const mostRedirects = 5;

/** Fetches http(s) from this machine only. Molva itself fetches and uploads files from elsewhere. */
export async function download(url: string, limits: DownloadLimits): Promise<Download> {
  if (!/^https?:\/\//i.test(url) || !parsedUrl(url)) return { ok: false, reason: "unreachable" };
  const timeout = AbortSignal.timeout(limits.timeoutMs ?? defaultTimeoutMs);
  const signal = limits.signal ? AbortSignal.any([timeout, limits.signal]) : timeout;
  try {
    const { response, from } = await followed(url, signal);
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return { ok: false, reason: "unreachable" };
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest of the body.
      if (size > limits.maxBytes) return { ok: false, reason: "too_big" };
      chunks.push(chunk);
    }
    const [contentType = ""] = (response.headers.get("content-type") ?? "").toLowerCase().split(";");
    return {
      ok: true,
      file: {
        bytes: Buffer.concat(chunks),
        contentType: contentType.trim(),
        fileName: lastSegment(from),
      },
    };
  } catch {
    // Refused, reset, timed out, no such name: all are the same failure for the sender.
    return { ok: false, reason: "unreachable" };
  }
}

async function followed(url: string, signal: AbortSignal) {
  let from = url;
  for (let redirects = 0; ; redirects++) {
    const response = await fetchLoopback(from, { signal });
    const next = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (next === null) return { response, from };
    await response.body?.cancel();
    if (redirects === mostRedirects) throw new Error("too many redirects");
    from = new URL(next, from).href;
  }
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split("/").at(-1) || "file";
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
