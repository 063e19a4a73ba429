import { createHash, createHmac } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type S3Twin, startS3Twin } from "./index.ts";

/** Signed by hand, so that the twin is tested independently of the client that it will check. */
const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };
const now = Date.parse("2026-11-15T12:00:00Z");
let twin: S3Twin;

beforeAll(async () => {
  twin = await startS3Twin({ buckets: ["media"], credentials, clock: { now: () => now } });
});
afterAll(() => twin.close());

describe("the S3 twin takes", () => {
  it("a signed PUT and gives it back, whole and by range", async () => {
    const stored = await signed("PUT", "/media/a/b.txt", {
      body: "0123456789",
      headers: { "content-type": "text/plain" },
    });
    expect(stored).toMatchObject({
      status: 200,
      headers: { etag: `"${createHash("md5").update("0123456789").digest("hex")}"` },
    });
    expect(await signed("GET", "/media/a/b.txt")).toMatchObject({
      status: 200,
      body: "0123456789",
      headers: { "content-type": "text/plain", "content-length": "10", "accept-ranges": "bytes" },
    });
    expect(await signed("HEAD", "/media/a/b.txt")).toMatchObject({
      status: 200,
      body: "",
      headers: { "content-length": "10" },
    });
  });

  it.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=5-99", 206, "56789", "bytes 5-9/10"],
    ["bytes=0-1,3-4", 200, "0123456789", undefined],
  ])("the range %s", async (range, status, body, contentRange) => {
    await signed("PUT", "/media/range", { body: "0123456789" });
    const answer = await signed("GET", "/media/range", { headers: { range } });
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers["content-range"]).toBe(contentRange);
  });

  it("a listing by prefix, page by page", async () => {
    for (const key of ["p/1", "p/2", "p/3&"])
      await signed("PUT", `/media/${encodeURIComponent(key).replace("%2F", "/")}`, { body: key });
    const first = await signed("GET", "/media?list-type=2&max-keys=2&prefix=p%2F");
    expect(first.body).toContain("<Key>p/1</Key>");
    expect(first.body).toContain("<IsTruncated>true</IsTruncated>");
    const token = /<NextContinuationToken>(.*)<\/NextContinuationToken>/.exec(first.body)?.[1] ?? "";
    const second = await signed(
      "GET",
      `/media?continuation-token=${encodeURIComponent(token)}&list-type=2&prefix=p%2F`,
    );
    expect(second.body).toContain("<Key>p/3&amp;</Key>");
    expect(second.body).toContain("<KeyCount>1</KeyCount>");
  });

  it("a DELETE, also of what is not there", async () => {
    expect(await signed("DELETE", "/media/absent")).toMatchObject({ status: 204, body: "" });
  });
});

describe("the S3 twin refuses", () => {
  it.each([
    ["a request without a signature", 403, "AccessDenied", { unsigned: true }],
    ["a wrong secret", 403, "SignatureDoesNotMatch", { secret: "other" }],
    ["an unknown key", 403, "InvalidAccessKeyId", { accessKeyId: "AKIDOTHER" }],
    ["another region", 400, "AuthorizationHeaderMalformed", { region: "eu-west-1" }],
    ["another service", 400, "AuthorizationHeaderMalformed", { service: "sqs" }],
    ["a clock 16 minutes slow", 403, "RequestTimeTooSkewed", { at: now - 16 * 60_000 }],
    ["a clock 16 minutes fast", 403, "RequestTimeTooSkewed", { at: now + 16 * 60_000 }],
    [
      "an unsigned header of Amazon's",
      403,
      "AccessDenied",
      { unsignedHeaders: { "x-amz-acl": "public-read" } },
    ],
    ["a request without the hash of its body", 400, "InvalidRequest", { payloadHash: "" }],
  ])("%s", async (_, status, code, how) => {
    const answer = await signed("GET", "/media/a", how);
    expect(answer).toMatchObject({ status, headers: { "content-type": "application/xml" } });
    expect(answer.body).toContain(`<Code>${code}</Code>`);
  });

  it("a body that is not the one that was signed", async () => {
    const answer = await signed("PUT", "/media/a", { body: "altered", payloadHash: sha256("original") });
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining("XAmzContentSHA256Mismatch") });
  });

  it.each([
    ["GET", "/elsewhere/a", 404, "NoSuchBucket"],
    ["GET", "/media/absent", 404, "NoSuchKey"],
    ["GET", "/media", 501, "NotImplemented"],
    ["GET", "/media/a?acl=", 501, "NotImplemented"],
    ["POST", "/media/a", 405, "MethodNotAllowed"],
    ["PUT", `/media/${"k".repeat(1025)}`, 400, "KeyTooLongError"],
  ])("%s %s with %i %s", async (method, path, status, code) => {
    const answer = await signed(method, path, method === "PUT" ? { body: "x" } : {});
    expect(answer).toMatchObject({ status, body: expect.stringContaining(`<Code>${code}</Code>`) });
  });

  it("a range beyond the end", async () => {
    await signed("PUT", "/media/short", { body: "123" });
    const answer = await signed("GET", "/media/short", { headers: { range: "bytes=3-" } });
    expect(answer).toMatchObject({ status: 416, body: expect.stringContaining("InvalidRange") });
  });

  it("a presigned address that is incomplete, too long-lived or mixed with a header", async () => {
    const whole =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261115%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261115T120000Z&X-Amz-SignedHeaders=host&X-Amz-Signature=00";
    expect((await send("GET", `/media/a?${whole}`)).body).toContain("AuthorizationQueryParametersError");
    expect((await send("GET", `/media/a?${whole}&X-Amz-Expires=604801`)).body).toContain(
      "AuthorizationQueryParametersError",
    );
    expect((await send("GET", `/media/a?${whole}&X-Amz-Expires=60`)).body).toContain("SignatureDoesNotMatch");
    expect((await signed("GET", `/media/a?${whole}&X-Amz-Expires=60`)).body).toContain("InvalidArgument");
  });

  it("everything for a while when it is told to slow down", async () => {
    twin.slowDown(1);
    expect(await signed("GET", "/media/absent")).toMatchObject({
      status: 503,
      body: expect.stringContaining("SlowDown"),
    });
    expect(await signed("GET", "/media/absent")).toMatchObject({ status: 404 });
  });
});

interface How {
  body?: string;
  headers?: Record<string, string>;
  unsignedHeaders?: Record<string, string>;
  unsigned?: boolean;
  secret?: string;
  accessKeyId?: string;
  region?: string;
  service?: string;
  at?: number;
  payloadHash?: string;
}

/** The query of `pathAndQuery` must come sorted and encoded. */
function signed(method: string, pathAndQuery: string, how: How = {}) {
  if (how.unsigned) return send(method, pathAndQuery);
  const { region = "us-east-1", service = "s3", payloadHash = sha256(how.body ?? "") } = how;
  const date = new Date(how.at ?? now).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const scope = [date.slice(0, 8), region, service, "aws4_request"];
  const [path, query = ""] = pathAndQuery.split("?");
  const amazon = { ...(payloadHash && { "x-amz-content-sha256": payloadHash }), "x-amz-date": date };
  const covered = Object.entries({ host: new URL(twin.url).host, ...amazon });
  const names = covered.map(([name]) => name).join(";");
  const canonical = [
    method,
    path,
    query,
    ...covered.map((pair) => pair.join(":")),
    "",
    names,
    payloadHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<Buffer | string>(
    (parent, part) => hmac(parent, part),
    `AWS4${how.secret ?? credentials.secretAccessKey}`,
  );
  const credential = [how.accessKeyId ?? credentials.accessKeyId, ...scope].join("/");
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${hmac(key, toSign).toString("hex")}`;
  return send(
    method,
    pathAndQuery,
    { ...how.headers, ...how.unsignedHeaders, ...amazon, authorization },
    how.body,
  );
}

function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      request(`${twin.url}${path}`, { method, headers: { ...headers, ...length } }, async (response) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }),
      )
        .once("error", reject)
        .end(body);
    },
  );
}

function sha256(data: string): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: Buffer | string, data: string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}
