import { randomBytes } from "node:crypto";
import type { GuardedClient } from "../../../kernel/outbound/index.ts";
import { parsedUrl } from "../../../kernel/url/index.ts";

/** The file with which the owner of a site proves that the key is theirs. */
export interface KeyFile {
  readonly key: string;
  readonly location: string;
}

/** 32 hexadecimal characters; the protocol allows 8 to 128 letters, digits and `-`. */
export function newKey(): string {
  return randomBytes(16).toString("hex");
}

/** The file belongs in the root of the site's host, whatever folder the site is in. */
export function rootLocation(site: string, key: string): string {
  return new URL(`/${key}.txt`, site).href;
}

/** The folder that a key file is valid for, including everything below it. */
export function folderOf(location: string): string {
  return new URL(".", location).href;
}

/** Whether the file is valid for this page. A file in the root is valid for the whole host, for http and https. */
export function covers(location: string, page: string): boolean {
  const address = parsedUrl(page);
  if (!address) return false;
  const { host, pathname } = address;
  const folder = new URL(folderOf(location));
  return host === folder.host && pathname.startsWith(folder.pathname);
}

export interface KeyFileError {
  readonly code: "key_not_found" | "key_differs" | "key_unreachable";
  readonly message: string;
}

/** Generous, because a site without the file may answer with a page of its own. */
const limits = { bytes: 1024 * 1024, ms: 15_000 } as const;

/** Returns undefined if the file exists and holds only the key, otherwise the error. */
export async function checkKeyFile(
  { key, location }: KeyFile,
  guarded: GuardedClient,
): Promise<KeyFileError | undefined> {
  const answer = await guarded.request({
    method: "GET",
    url: location,
    headers: { accept: "text/plain" },
    timeoutMs: limits.ms,
    maxBytes: limits.bytes,
  });
  if (answer.kind === "failure") {
    if (answer.reason === "too_large")
      return { code: "key_differs", message: "the address answers something larger than the key" };
    const words = answer.reason === "refused" ? "is not fetched" : "cannot be fetched";
    return { code: "key_unreachable", message: `the file ${words}: ${answer.message}` };
  }
  if (answer.status !== 200)
    return { code: "key_not_found", message: `the address answers ${answer.status} instead of 200` };
  const text = Buffer.from(answer.body).toString("utf8");
  // Editors add a line end, and some a byte order mark.
  if (text.replace(/^\uFEFF/, "").trimEnd() !== key)
    return { code: "key_differs", message: "the file is there and holds something else than the key alone" };
  if (new URL(answer.url).host !== new URL(location).host)
    return { code: "key_differs", message: `the address leads to another site: ${new URL(answer.url).host}` };
  return undefined;
}
