import { basename } from "node:path";
import type { HttpClient } from "../kernel/outbound/index.ts";
import type { MediaSource } from "../platforms/index.ts";

const largestMediaBytes = 50 * 1024 * 1024;
const fetchTimeoutMs = 30_000;
/** Answers that may be another one later. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Reads media from the address the post names, through the guarded client: the address comes from a user.
 * Throws while the file cannot be had for the moment; gives nothing when it is gone or refused.
 */
export function createMediaSource(guarded: HttpClient): MediaSource {
  return {
    async open(media) {
      if (!media.url) return undefined;
      const answer = await guarded.request({
        method: "GET",
        url: media.url,
        timeoutMs: fetchTimeoutMs,
        maxBytes: largestMediaBytes,
      });
      if (answer.kind === "failure") {
        if (answer.reason === "refused" || answer.reason === "too_large") return undefined;
        throw new Error(`the media could not be fetched: ${answer.message}`);
      }
      if (passing.has(answer.status)) throw new Error(`the media's server answered ${answer.status}`);
      if (answer.status !== 200) return undefined;
      return {
        bytes: answer.body,
        contentType: answer.headers["content-type"]?.split(";")[0]?.trim() || "application/octet-stream",
        fileName: basename(new URL(media.url).pathname) || media.kind,
      };
    },
  };
}
