import type { HttpAnswer, HttpClient } from "../../../kernel/outbound/index.ts";
import { covers, folderOf, type KeyFile } from "./key-file.ts";

/** The result of telling search engines of a page, in the form that `delivery.settle_page_told` takes. */
export interface Told {
  readonly said: { readonly code: string; readonly message: string; readonly status?: number };
  readonly error: boolean;
  readonly again: boolean;
  readonly retryAfterMs?: number;
  readonly keyRefused: boolean;
}

export interface IndexNowDeps {
  /** The client for providers: the address is set in the server's environment. */
  readonly http: HttpClient;
  readonly indexNowRoot: string;
  readonly signal?: AbortSignal;
}

const timeoutMs = 20_000;

/** Submits one page to IndexNow, which passes it to every participating search engine. Submitting twice does no harm. */
export async function tellSearchEngines(
  url: string,
  file: KeyFile | undefined,
  { http, indexNowRoot, signal }: IndexNowDeps,
): Promise<Told> {
  if (!file) return ended("no_key", "the channel has no key whose file was found");
  if (!covers(file.location, url))
    return ended(
      "outside_folder",
      `the key lies in ${folderOf(file.location)} and speaks for no page outside of it`,
    );
  const answer = await http.request({
    method: "POST",
    url: `${indexNowRoot}/indexnow`,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({
      host: new URL(url).host,
      key: file.key,
      keyLocation: file.location,
      urlList: [url],
    }),
    timeoutMs,
    ...(signal && { signal }),
  });
  if (answer.kind === "failure") return later("unreachable", `IndexNow cannot be asked: ${answer.message}`);
  return meaningOf(answer);
}

/** The meaning of each status in the protocol. */
export function meaningOf({ status, headers }: Pick<HttpAnswer, "status" | "headers">): Told {
  if (status === 200)
    return { ...ended("accepted", "search engines know of the page", status), error: false };
  if (status === 202)
    return {
      ...ended("key_pending", "the page is taken; search engines will look for the key's file", status),
      error: false,
    };
  if (status === 403)
    return {
      ...ended(
        "key_refused",
        "search engines did not find the key in its file: look whether it is still there",
        status,
      ),
      keyRefused: true,
    };
  if (status === 422)
    return ended(
      "not_of_host",
      "the page does not belong to the host of the key, or the key is malformed",
      status,
    );
  if (status === 429 || status >= 500 || status === 408) {
    const seconds = Number(headers["retry-after"]);
    const words = status === 429 ? "too many pages were told at once" : `IndexNow answers ${status}`;
    return {
      ...later(status === 429 ? "too_many_requests" : "unavailable", words, status),
      ...(seconds > 0 && { retryAfterMs: seconds * 1000 }),
    };
  }
  return ended("bad_request", `IndexNow answers ${status}`, status);
}

const ended = (code: string, message: string, status?: number): Told => ({
  said: { code, message, ...(status !== undefined && { status }) },
  ...{ error: true, again: false, keyRefused: false },
});

const later = (code: string, message: string, status?: number): Told => ({
  ...ended(code, message, status),
  again: true,
});
