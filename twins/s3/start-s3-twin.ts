/** A small, strict S3: signatures, objects, ranges and listings, in memory. */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Answer, listAnswer, objectAnswer, refusalAnswer } from "./answers.ts";
import { type Bucket, createBucket } from "./bucket.ts";
import { S3Refusal } from "./errors.ts";
import { type Credentials, type SignedRequest, verifySignature } from "./signature.ts";

export interface S3TwinSettings {
  /** Any free one when absent. */
  readonly port?: number;
  readonly host?: string;
  readonly buckets: readonly string[];
  readonly credentials: Credentials;
  readonly region?: string;
  /** The maximum of keys in a listing; S3's thousand by default. */
  readonly pageSize?: number;
  readonly clock?: { now(): number };
}

export interface S3Twin {
  readonly url: string;
  /** The next requests, even correct ones, are answered with 503 SlowDown. */
  slowDown(times: number): void;
  /** The next requests get no answer until the client leaves. */
  hang(times: number): void;
  /** How many requests have come in. */
  requests(): number;
  close(): Promise<void>;
}

const maxObjectBytes = 5 * 1024 ** 3;
/** Known query parameters; any other name means a part of S3 that this twin does not have. */
const knownParameters = /^(X-Amz-.*|x-id|list-type|prefix|max-keys|continuation-token|encoding-type)$/;

export async function startS3Twin(settings: S3TwinSettings): Promise<S3Twin> {
  const { host = "127.0.0.1", region = "us-east-1", clock = { now: () => Date.now() } } = settings;
  const buckets = new Map(settings.buckets.map((name) => [name, createBucket()]));
  let slow = 0;
  let hung = 0;
  let requests = 0;

  async function answer(incoming: IncomingMessage): Promise<Answer> {
    const request = parse(incoming);
    if (slow > 0) {
      slow--;
      throw new S3Refusal("SlowDown");
    }
    const now = clock.now();
    const bodyHash = verifySignature(request, { credentials: settings.credentials, region, now });
    const { bucketName, key } = addressOf(request);
    const bucket = buckets.get(bucketName);
    if (!bucket) throw new S3Refusal("NoSuchBucket");
    for (const name of request.query.keys()) {
      if (!knownParameters.test(name)) throw new S3Refusal("NotImplemented");
    }
    if (key === "") return answerForBucket(request, bucketName, bucket, settings.pageSize ?? 1000);
    const body = request.method === "PUT" ? await bodyOf(incoming, request, bodyHash) : undefined;
    return answerForObject(request, bucket, key, body, now);
  }

  const server = createServer((incoming, response) => {
    requests++;
    if (hung > 0) {
      hung--;
      return;
    }
    const requestId = randomBytes(8).toString("hex").toUpperCase();
    answer(incoming)
      .catch((error: unknown) => {
        if (error instanceof S3Refusal) return refusalAnswer(error, incoming.url ?? "/", requestId);
        throw error;
      })
      .then((result) => send(response, result, requestId))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(settings.port ?? 0, host, resolve);
  });
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the S3 twin does not listen on a port");

  return {
    url: `http://${host}:${address.port}`,
    slowDown(times) {
      slow = times;
    },
    hang(times) {
      hung = times;
    },
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parse(incoming: IncomingMessage): SignedRequest {
  const [path = "/", query = ""] = (incoming.url ?? "/").split("?", 2);
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers.set(name, Array.isArray(value) ? value.join(",") : (value ?? ""));
  }
  return { method: incoming.method ?? "GET", path, query: new URLSearchParams(query), headers };
}

/** The bucket is the first segment of the path, or the first label of a host name. */
function addressOf({ path, headers }: SignedRequest): { bucketName: string; key: string } {
  const host = (headers.get("host") ?? "").replace(/:\d+$/, "");
  const decoded = decodeURIComponent(path).slice(1);
  const label = /^([a-z0-9][a-z0-9-]{2,62})\.[a-z]/.exec(host)?.[1];
  if (label) return { bucketName: label, key: decoded };
  const slash = decoded.indexOf("/");
  return slash < 0
    ? { bucketName: decoded, key: "" }
    : { bucketName: decoded.slice(0, slash), key: decoded.slice(slash + 1) };
}

function answerForBucket(
  { method, query }: SignedRequest,
  name: string,
  bucket: Bucket,
  pageSize: number,
): Answer {
  if (method === "HEAD") return { status: 200, headers: {} };
  if (method !== "GET") throw new S3Refusal("MethodNotAllowed");
  if (query.get("list-type") !== "2") throw new S3Refusal("NotImplemented");
  const asked = Number(query.get("max-keys") ?? pageSize);
  if (!Number.isInteger(asked) || asked < 0)
    throw new S3Refusal("InvalidArgument", "max-keys must be a whole number");
  const maxKeys = Math.min(asked, pageSize);
  const page = bucket.list(query.get("prefix") ?? "", maxKeys, query.get("continuation-token") ?? undefined);
  return listAnswer(name, query, maxKeys, page);
}

function answerForObject(
  { method, headers }: SignedRequest,
  bucket: Bucket,
  key: string,
  body: Buffer | undefined,
  now: number,
): Answer {
  if (method === "PUT" && body) {
    const { etag } = bucket.put(key, body, headers.get("content-type") ?? "binary/octet-stream", now);
    return { status: 200, headers: { etag } };
  }
  if (method === "DELETE") {
    bucket.delete(key);
    return { status: 204, headers: {} };
  }
  if (method !== "GET" && method !== "HEAD") throw new S3Refusal("MethodNotAllowed");
  const object = bucket.get(key);
  if (!object) throw new S3Refusal("NoSuchKey");
  return objectAnswer(object, headers.get("range"));
}

async function bodyOf(
  incoming: IncomingMessage,
  { headers }: SignedRequest,
  expectedHash: string | undefined,
) {
  const length = headers.get("content-length");
  if (length === undefined) throw new S3Refusal("MissingContentLength");
  if (Number(length) > maxObjectBytes) throw new S3Refusal("EntityTooLarge");
  const body = await buffer(incoming);
  if (expectedHash !== undefined && createHash("sha256").update(body).digest("hex") !== expectedHash) {
    throw new S3Refusal("XAmzContentSHA256Mismatch");
  }
  return body;
}

function send(response: ServerResponse, { status, headers, body }: Answer, requestId: string): void {
  response.writeHead(status, { ...headers, "x-amz-request-id": requestId });
  // Node omits the body of an answer to HEAD.
  response.end(body);
}
