/** Files that people sent, fetched from Telegram. */
import { type Api, GrammyError, HttpError } from "grammy";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { type Answered, failed } from "../backend/fault.ts";

export interface TelegramFilesSettings {
  readonly api: Api;
  readonly http: HttpClient;
  readonly token: string;
  readonly apiRoot: string;
}

export type FetchFile = (
  fileId: string,
  maxBytes: number,
  signal: AbortSignal,
) => Promise<Answered<Uint8Array>>;

export function telegramFiles({ api, http, token, apiRoot }: TelegramFilesSettings): FetchFile {
  return async (fileId, maxBytes, signal) => {
    try {
      const { file_path: path } = await api.getFile(fileId);
      if (path === undefined) return failed("file_gone");
      const url = `${apiRoot}/file/bot${token}/${path}`;
      const result = await http.request({ method: "GET", url, maxBytes, signal });
      signal.throwIfAborted();
      if (result.kind === "failure")
        return failed(result.reason === "too_large" ? "file_too_large" : "unreachable");
      if (result.status >= 500) return failed("unreachable");
      return result.status === 200 ? { ok: true, value: result.body } : failed("file_gone");
    } catch (error) {
      if (error instanceof HttpError) return failed("unreachable");
      if (!(error instanceof GrammyError)) throw error;
      if (error.description.includes("too big")) return failed("file_too_large");
      return failed(error.error_code === 400 ? "file_gone" : "unreachable");
    }
  };
}
