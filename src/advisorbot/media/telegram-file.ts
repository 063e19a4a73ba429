/** Files that people sent, fetched from Telegram. */
import type { TelegramApi } from "../../dialogs/index.ts";
import { type Answered, failed } from "../backend/fault.ts";

export type FetchFile = (
  fileId: string,
  maxBytes: number,
  signal: AbortSignal,
) => Promise<Answered<Uint8Array>>;

const withinMs = 60_000;

export function telegramFiles(api: TelegramApi): FetchFile {
  const { http, apiRoot, token } = api.settings;
  return async (fileId, maxBytes, signal) => {
    const found = await api.call((telegram) => telegram.getFile(fileId), signal);
    signal.throwIfAborted();
    if (found.kind === "unheard") return failed("unreachable");
    if (found.kind === "refused") {
      if (found.description.includes("too big")) return failed("file_too_large");
      return failed(found.code === 400 ? "file_gone" : "unreachable");
    }
    const { file_path: path } = found.result;
    if (path === undefined) return failed("file_gone");
    const url = `${apiRoot}/file/bot${(await token()) ?? ""}/${path}`;
    const file = await http.request({ method: "GET", url, maxBytes, signal, timeoutMs: withinMs });
    signal.throwIfAborted();
    if (file.kind === "failure")
      return failed(file.reason === "too_large" ? "file_too_large" : "unreachable");
    if (file.status >= 500) return failed("unreachable");
    return file.status === 200 ? { ok: true, value: file.body } : failed("file_gone");
  };
}
