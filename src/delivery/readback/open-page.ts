import type { GuardedClient, HttpAnswer, HttpFailure } from "../../kernel/outbound/index.ts";
import type { ExpectedPage } from "../../platforms/index.ts";
import { found, type PageFinding } from "./findings.ts";
import { readPage } from "./html-page.ts";
import { addressOn, type FetchedPage, judgePage } from "./judge-page.ts";

export interface OpenPageDeps {
  /** The guarded client, because the address comes from a user's site. */
  readonly guarded: GuardedClient;
  readonly signal?: AbortSignal;
}

/** How much is read of a foreign site, and for how long. */
const limits = {
  page: { bytes: 3 * 1024 * 1024, ms: 30_000 },
  picture: { bytes: 32 * 1024 * 1024, ms: 20_000 },
  pictures: 30,
  atOnce: 4,
} as const;

/** Opens a page as a reader does, then its pictures. Returns all errors; an empty list if there are none. */
export async function openPage(
  url: string,
  expected: ExpectedPage,
  deps: OpenPageDeps,
): Promise<PageFinding[]> {
  const page = await fetchPage(url, deps);
  if ("code" in page) return [page];
  const judged = judgePage(page, expected);
  const broken = await brokenPictures(page, deps);
  return [...judged, ...broken];
}

async function fetchPage(url: string, { guarded, signal }: OpenPageDeps): Promise<FetchedPage | PageFinding> {
  const answer = await guarded.request({
    method: "GET",
    url,
    headers: { accept: "text/html,application/xhtml+xml" },
    timeoutMs: limits.page.ms,
    maxBytes: limits.page.bytes,
    ...(signal && { signal }),
  });
  if (answer.kind === "failure") return notOpened(answer);
  if (answer.status !== 200) return found("status", String(answer.status));
  const type = answer.headers["content-type"] ?? "";
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type))
    return found("not_html", type || "nothing that it names");
  const html = readPage(textOf(answer, type));
  if ("fault" in html) return found("unreadable", html.fault);
  return {
    url: answer.url,
    html,
    robotsTag: (answer.headers["x-robots-tag"] ?? "").toLowerCase(),
  };
}

function notOpened({ reason, message }: HttpFailure): PageFinding {
  return found(reason === "refused" ? "refused" : "unreachable", message);
}

/** Decodes with the encoding of the header, or the one that the page declares at its beginning; otherwise UTF-8. */
function textOf({ body }: HttpAnswer, type: string): string {
  const named = /charset=["']?([\w-]{1,40})/i;
  const beginning = Buffer.from(body.subarray(0, 1024)).toString("latin1");
  const label = (named.exec(type) ?? named.exec(beginning))?.[1] ?? "utf-8";
  return decoderOf(label).decode(body);
}

function decoderOf(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

async function brokenPictures(page: FetchedPage, deps: OpenPageDeps): Promise<PageFinding[]> {
  const waiting = page.html.pictures.slice(0, limits.pictures);
  const broken: PageFinding[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const error = await pictureError(addressOn(page, next), deps);
      if (error) broken.push(found("picture_broken", `${next}, ${error}`));
    }
  };
  await Promise.all(Array.from({ length: limits.atOnce }, work));
  return broken;
}

/** Uses GET as a browser does, because some servers do not support HEAD. The body is counted and discarded. */
async function pictureError(
  url: string | undefined,
  { guarded, signal }: OpenPageDeps,
): Promise<string | undefined> {
  if (url === undefined) return "not an address";
  const answer = await guarded.request({
    method: "GET",
    url,
    headers: { accept: "image/*" },
    timeoutMs: limits.picture.ms,
    maxBytes: limits.picture.bytes,
    async into(chunks) {
      for await (const _ of chunks);
    },
    ...(signal && { signal }),
  });
  if (answer.kind === "failure") return answer.message;
  if (answer.status !== 200) return `answers ${answer.status}`;
  const type = answer.headers["content-type"] ?? "";
  return /^image\//i.test(type) ? undefined : `is ${type || "of no type"}`;
}
