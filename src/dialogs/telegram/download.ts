import type { Downloaded } from "../flow/flow.ts";
import { noToken, type TelegramApi } from "./client.ts";

export interface DownloadDeps {
  readonly longest: { readonly bytes: number };
  readonly signal: AbortSignal;
  readonly telegram: TelegramApi;
}

/** The Bot API's limit for downloads. */
const largest = 20 * 1024 * 1024;

/**
 * Downloads a file that a person sent. Throws on a temporary error; error texts contain no URL, because it includes the
 * token.
 */
export async function download(
  fileId: string,
  { longest, signal, telegram }: DownloadDeps,
): Promise<Downloaded> {
  const maxBytes = Math.min(longest.bytes, largest);
  const found = await telegram.call((api) => api.getFile(fileId), signal);
  if (found.kind === "unheard") throw new Error(`Telegram did not say where a file is: ${found.reason}`);
  if (found.kind === "refused") {
    if (found.description.includes("file is too big")) return { kind: "too large" };
    if (found.code === 400) return { kind: "gone" };
    throw new Error(`Telegram did not say where a file is: ${found.description}`);
  }
  const { file_path: path, file_size: size = 0 } = found.result;
  if (size > maxBytes) return { kind: "too large" };
  if (path === undefined) return { kind: "gone" };
  const { http, apiRoot, token } = telegram.settings;
  const known = await token();
  if (known === undefined) throw new Error(noToken.description);
  const url = `${apiRoot}/file/bot${known}/${path}`;
  const answer = await http.request({ method: "GET", url, maxBytes, signal });
  if (answer.kind === "failure") {
    if (answer.reason === "too_large") return { kind: "too large" };
    throw new Error(`a file did not come from Telegram: ${answer.message}`);
  }
  if (answer.status === 404) return { kind: "gone" };
  if (answer.status !== 200) throw new Error(`a file did not come from Telegram: status ${answer.status}`);
  return { kind: "file", bytes: answer.body };
}
