/**
 * Objects on an S3-compatible server (AWS, MinIO, Ceph, R2, Yandex).
 * One PUT per object, so 5 GiB is the largest; a stream passes through the disk first, because its length and hash
 * are sent ahead. A missing bucket looks like a missing object to `head`, whose answers have no body.
 */
import { PassThrough, pipeline, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { type Dispatcher, request as send } from "undici";
import type { Clock } from "../clock/index.ts";
import { sha256Hex } from "../crypto/index.ts";
import { createDispatcher } from "../outbound/index.ts";
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
}

type Response = Dispatcher.ResponseData;

const maxObjectBytes = 5 * 1024 ** 3;
const silenceMs = 60_000;
const pausesMs = [200, 800];
const passing = new Set([429, 500, 502, 503, 504]);
const emptyHash = sha256Hex("");

export function createS3Storage(settings: S3Settings): ObjectStorage {
  const { dispatcher, close } = createDispatcher(settings, {
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  const root = bucketUrl(settings);
  const urlOf = (key: string) => {
    checkKey(key);
    return new URL(`${root}/${key}`);
  };

  async function attempt(
    method: Dispatcher.HttpMethod,
    url: URL,
    content?: MeasuredContent,
    contentType?: string,
  ) {
    const signed = await signer(method, url, { "x-amz-content-sha256": content?.sha256 ?? emptyHash }).sign();
    const headers: Record<string, string> = { ...Object.fromEntries(signed.headers) };
    if (content) headers["content-length"] = String(content.size);
    if (contentType) headers["content-type"] = contentType;
    return send(signed.url, { dispatcher, method, headers, body: content?.open() ?? null });
  }

  /** Every request here may be repeated: each says the whole of what it wants. */
  async function ask(
    method: Dispatcher.HttpMethod,
    url: URL,
    content?: MeasuredContent,
    contentType?: string,
  ): Promise<Response> {
    for (const pause of pausesMs) {
      const response = await attempt(method, url, content, contentType).catch(() => undefined);
      if (response && !passing.has(response.statusCode)) return response;
      await response?.body.dump();
      await delay(pause);
    }
    try {
      return await attempt(method, url, content, contentType);
    } catch (error) {
      throw new StorageError("Unreachable", `the object storage at ${url.host} does not answer`, {
        cause: error,
      });
    }
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
        await expectSuccess(await ask("PUT", url, body, contentType));
      });
    },

    async get(key) {
      const response = await ask("GET", urlOf(key));
      if (response.statusCode === 200) return { ...infoOf(key, response), body: calm(response.body) };
      const failure = await failureOf(response);
      if (failure.code === "NoSuchKey") return undefined;
      throw failure;
    },

    async head(key) {
      const response = await ask("HEAD", urlOf(key));
      if (response.statusCode === 404) {
        await response.body.dump();
        return undefined;
      }
      await expectSuccess(response);
      return infoOf(key, response);
    },

    async delete(key) {
      const response = await ask("DELETE", urlOf(key));
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
        const response = await ask("GET", url);
        if (response.statusCode !== 200) throw await failureOf(response);
        const page = readListPage(await text(response.body));
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

/** undici's own stream complains when it is destroyed early, which a reader who has seen enough may do. */
function calm(source: Readable): Readable {
  const body = new PassThrough();
  // A broken source destroys the body with its error; there is nothing left to tell here.
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

async function expectSuccess(response: Response, ...alsoFine: string[]): Promise<void> {
  if (response.statusCode < 300) return response.body.dump();
  const failure = await failureOf(response);
  if (!alsoFine.includes(failure.code)) throw failure;
}

async function failureOf(response: Response): Promise<StorageError> {
  const { code, message } = readError(await text(response.body));
  return new StorageError(
    code || `Status${response.statusCode}`,
    `the object storage answered ${response.statusCode}${code && ` ${code}: ${message}`}`,
  );
}
