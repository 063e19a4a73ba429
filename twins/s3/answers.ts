import type { OutgoingHttpHeaders } from "node:http";
import type { Page, StoredObject } from "./bucket.ts";
import { S3Refusal } from "./errors.ts";

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function refusalAnswer(
  { code, message, status }: S3Refusal,
  resource: string,
  requestId: string,
): Answer {
  const inside =
    element("Code", code) +
    element("Message", message) +
    element("Resource", resource) +
    element("RequestId", requestId);
  return {
    status,
    headers: { "content-type": "application/xml" },
    body: `${declaration}<Error>${inside}</Error>`,
  };
}

export function listAnswer(bucket: string, query: URLSearchParams, maxKeys: number, page: Page): Answer {
  const token = query.get("continuation-token");
  const contents = page.objects.map(
    (object) =>
      `<Contents>${element("Key", object.key)}${element("LastModified", new Date(object.modifiedAt).toISOString())}${element("ETag", object.etag)}${element("Size", String(object.bytes.length))}<StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const inside = [
    element("Name", bucket),
    element("Prefix", query.get("prefix") ?? ""),
    element("KeyCount", String(page.objects.length)),
    element("MaxKeys", String(maxKeys)),
    element("IsTruncated", String(page.next !== undefined)),
    token === null ? "" : element("ContinuationToken", token),
    page.next === undefined ? "" : element("NextContinuationToken", page.next),
    ...contents,
  ].join("");
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: `${declaration}<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</ListBucketResult>`,
  };
}

/** The whole object, or one range; a header with several ranges is ignored, as S3 does. */
export function objectAnswer(object: StoredObject, range: string | undefined): Answer {
  const headers: OutgoingHttpHeaders = {
    "content-type": object.contentType,
    etag: object.etag,
    "last-modified": new Date(object.modifiedAt).toUTCString(),
    "accept-ranges": "bytes",
  };
  const size = object.bytes.length;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (!from && !to)
    return { status: 200, headers: { ...headers, "content-length": size }, body: object.bytes };

  const start = from ? Number(from) : Math.max(0, size - Number(to));
  const end = from && to ? Math.min(Number(to), size - 1) : size - 1;
  if (start > end) throw new S3Refusal("InvalidRange");
  return {
    status: 206,
    headers: {
      ...headers,
      "content-length": end - start + 1,
      "content-range": `bytes ${start}-${end}/${size}`,
    },
    body: object.bytes.subarray(start, end + 1),
  };
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => entities[c] ?? c);
}
