import { basename } from "node:path";
import type { HttpClient } from "../kernel/outbound/index.ts";
import type { MediaSource } from "../platforms/index.ts";

const largestMediaBytes = 50 * 1024 * 1024;
const fetchTimeoutMs = 30_000;

/** Reads media from the address the post names, through the guarded client: the address comes from a user. */
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
      if (answer.kind === "failure" || answer.status !== 200) return undefined;
      return {
        bytes: answer.body,
        contentType: answer.headers["content-type"]?.split(";")[0]?.trim() || "application/octet-stream",
        fileName: basename(new URL(media.url).pathname) || media.kind,
      };
    },
  };
}
