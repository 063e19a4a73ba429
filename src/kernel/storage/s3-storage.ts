/**
 * Objects on an S3-compatible server (AWS, MinIO, Ceph, R2, Yandex).
 * One PUT per object, so at most 5 GiB; a stream is written to disk first, because its length and hash are sent before it.
 * To `head` a missing bucket looks like a missing object, because its answers have no body.
 */

import { PassThrough, pipeline, type Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { type Dispatcher, request as send } from "undici";
import type { Clock } from "../clock/index.ts";
import { sha256Hex } from "../crypto/index.ts";
import { messageOf } from "../errors/index.ts";
import { createDispatcher, readBody, TooLargeError } from "../outbound/index.ts";
import {
  checkKey,
  checkPrefix,
  checkSignedLife,
  type ObjectInfo,
  type ObjectStorage,
  StorageError,
} from "./object-storage.ts";
import { readError, readListPage } from "./s3-xml.ts";
import { type MeasuredContent, measured } from "./spool.ts";

export interface S3Settings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket in the path instead of the host name: MinIO, and everything without wildcard DNS. */
  readonly pathStyle: boolean;
  readonly extraCa?: string;
  readonly proxy?: string;
  readonly clock: Clock;
  readonly limits?: Partial<S3Limits>;
}

export interface S3Limits {
  /** Before the first byte, and between any two. */
  readonly silenceMs: number;
  /** For a metadata request or a listing, retries included. */
  readonly questionMs: number;
  /** For an upload or a download, retries included. */
  readonly objectMs: number;
  /** Of a listing or an error; objects are streamed. */
  readonly answerBytes: number;
  /** Before each retry. */
  readonly pausesMs: readonly number[];
}

const usual: S3Limits = {
  silenceMs: 60_000,
  questionMs: 120_000,
  objectMs: 30 * 60_000,
  answerBytes: 10 * 1024 * 1024,
  pausesMs: [200, 800],
};

type Response = Dispatcher.ResponseData;

const maxObjectBytes = 5 * 1024 ** 3;
const passing = new Set([429, 500, 502, 503, 504]);
const emptyHash = sha256Hex("");

export function createS3Storage(settings: S3Settings): ObjectStorage {
  const limits = { ...usual, ...settings.limits };
  const { dispatcher, close } = createDispatcher(settings, {
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
  });
  const root = bucketUrl(settings);
  const urlOf = (key: string) => {
    checkKey(key);
    return new URL(`${root}/${key}`);
  };

  async function attempt(
    method: Dispatcher.HttpMethod,
    url: URL,
    signal: AbortSignal,
    content?: MeasuredContent,
    contentType?: string,
  ) {
    const signed = await signer(method, url, { "x-amz-content-sha256": content?.sha256 ?? emptyHash }).sign();
    const headers: Record<string, string> = { ...Object.fromEntries(signed.headers) };
    if (content) headers["content-length"] = String(content.size);
    if (contentType) headers["content-type"] = contentType;
    return send(signed.url, { dispatcher, method, headers, body: content?.open() ?? null, signal });
  }

  /** Every request here is idempotent, so it may be retried. */
  async function ask(
    method: Dispatcher.HttpMethod,
    url: URL,
    wholeMs: number,
    content?: MeasuredContent,
    contentType?: string,
  ): Promise<Response> {
    const whole = new AbortController();
    const timer = setTimeout(
      () => whole.abort(new StorageError("Unreachable", `no complete answer within ${wholeMs} ms`)),
      wholeMs,
    ).unref();
    // The deadline covers the answer to its last byte.
    const timed = (response: Response) => {
      response.body.once("close", () => clearTimeout(timer));
      return response;
    };
    for (const pause of limits.pausesMs) {
      if (whole.signal.aborted) break;
      const response = await attempt(method, url, whole.signal, content, contentType).catch(() => undefined);
      if (response && !passing.has(response.statusCode)) return timed(response);
      await response?.body.dump().catch(() => {});
      await delay(pause);
    }
    try {
      return timed(await attempt(method, url, whole.signal, content, contentType));
    } catch (error) {
      clearTimeout(timer);
      throw new StorageError("Unreachable", `the object storage at ${url.host} does not answer`, {
        cause: error,
      });
    }
  }

  async function textOf(response: Response): Promise<string> {
    try {
      return Buffer.from(await readBody(response.body, "", limits.answerBytes)).toString("utf8");
    } catch (error) {
      response.body.on("error", () => {}).destroy();
      if (error instanceof StorageError) throw error;
      const code = error instanceof TooLargeError ? "TooLarge" : "Unreachable";
      throw new StorageError(code, `the object storage's answer could not be read: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  async function failureOf(response: Response): Promise<StorageError> {
    const { code, message } = readError(await textOf(response));
    return new StorageError(
      code || `Status${response.statusCode}`,
      `the object storage answered ${response.statusCode}${code && ` ${code}: ${message}`}`,
    );
  }

  async function expectSuccess(response: Response, ...alsoFine: string[]): Promise<void> {
    if (response.statusCode < 300) return response.body.dump();
    const failure = await failureOf(response);
    if (!alsoFine.includes(failure.code)) throw failure;
  }

  function signer(method: string, url: URL, headers: Record<string, string>, signQuery = false): AwsV4Signer {
    const { region, accessKeyId, secretAccessKey, clock } = settings;
    const datetime = clock
      .now()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, "");
    return new AwsV4Signer({
      service: "s3",
      method,
      url: url.href,
      headers,
      region,
      accessKeyId,
      secretAccessKey,
      datetime,
      signQuery,
    });
  }

  return {
    async put(key, content, { contentType }) {
      const url = urlOf(key);
      await measured(content, maxObjectBytes, async (body) => {
        await expectSuccess(await ask("PUT", url, limits.objectMs, body, contentType));
      });
    },

    async get(key) {
      const response = await ask("GET", urlOf(key), limits.objectMs);
      if (response.statusCode === 200) return { ...infoOf(key, response), body: calm(response.body) };
      const failure = await failureOf(response);
      if (failure.code === "NoSuchKey") return undefined;
      throw failure;
    },

    async head(key) {
      const response = await ask("HEAD", urlOf(key), limits.questionMs);
      if (response.statusCode === 404) {
        await response.body.dump();
        return undefined;
      }
      await expectSuccess(response);
      return infoOf(key, response);
    },

    async delete(key) {
      const response = await ask("DELETE", urlOf(key), limits.questionMs);
      await expectSuccess(response, "NoSuchKey");
    },

    async *list(prefix) {
      checkPrefix(prefix);
      let next: string | undefined;
      do {
        const url = new URL(root);
        url.searchParams.set("list-type", "2");
        url.searchParams.set("prefix", prefix);
        if (next) url.searchParams.set("continuation-token", next);
        const response = await ask("GET", url, limits.questionMs);
        if (response.statusCode !== 200) throw await failureOf(response);
        const page = readListPage(await textOf(response));
        yield* page.objects;
        next = page.next;
      } while (next);
    },

    async signedUrl(key, { expiresInMs }) {
      const url = urlOf(key);
      checkSignedLife(expiresInMs);
      url.searchParams.set("X-Amz-Expires", String(Math.floor(expiresInMs / 1000)));
      return (await signer("GET", url, {}, true).sign()).url.href;
    },

    close,
  };
}

function bucketUrl({ endpoint, bucket, pathStyle }: S3Settings): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/$/, "");
  return pathStyle ? `${url.origin}${path}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${path}`;
}

/** undici's stream emits an error when it is destroyed early, as by a reader that needs no more. */
function calm(source: Readable): Readable {
  const body = new PassThrough();
  // A broken source destroys the body with its error; nothing is left to do here.
  pipeline(source, body, () => {});
  return body;
}

function infoOf(key: string, { headers }: Response): ObjectInfo {
  return {
    key,
    size: Number(headers["content-length"]),
    contentType: String(headers["content-type"] ?? "application/octet-stream"),
  };
}
