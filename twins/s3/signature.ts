/** Checks AWS Signature Version 4 as S3 does, written from its published description and independent of any client. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { S3Refusal } from "./errors.ts";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface SignedRequest {
  readonly method: string;
  /** As it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface Authority {
  readonly credentials: Credentials;
  readonly region: string;
  readonly now: number;
}

/** The signature's parameters, from the header or the query. */
interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly payloadHash: string;
}

const algorithm = "AWS4-HMAC-SHA256";
const maxSkewMs = 15 * 60_000;
const maxExpiresSeconds = 604_800;

/** Throws S3's answer; returns the hash that the body must have, or undefined if it is not signed. */
export function verifySignature(request: SignedRequest, authority: Authority): string | undefined {
  const inHeader = request.headers.has("authorization");
  const inQuery = request.query.has("X-Amz-Algorithm") || request.query.has("X-Amz-Signature");
  if (inHeader && inQuery) {
    throw new S3Refusal(
      "InvalidArgument",
      "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified",
    );
  }
  if (!inHeader && !inQuery) throw new S3Refusal("AccessDenied");
  const claim = inHeader ? headerClaim(request, authority.now) : queryClaim(request, authority.now);
  checkCredential(claim, authority, inHeader);
  checkSignedHeaders(claim, request);

  const expected = signatureOf(request, claim, authority);
  if (!sameText(expected, claim.signature)) throw new S3Refusal("SignatureDoesNotMatch");
  return claim.payloadHash === "UNSIGNED-PAYLOAD" ? undefined : claim.payloadHash;
}

function headerClaim({ headers }: SignedRequest, now: number): Claim {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/.exec(
      headers.get("authorization") ?? "",
    );
  const [, credential, signedHeaders, signature] = match ?? [];
  if (!credential || !signedHeaders || !signature) throw new S3Refusal("AuthorizationHeaderMalformed");
  const payloadHash = headers.get("x-amz-content-sha256");
  if (!payloadHash) {
    throw new S3Refusal("InvalidRequest", "Missing required header for this request: x-amz-content-sha256");
  }
  if (payloadHash.startsWith("STREAMING-")) throw new S3Refusal("NotImplemented");
  if (payloadHash !== "UNSIGNED-PAYLOAD" && !/^[0-9a-f]{64}$/.test(payloadHash)) {
    throw new S3Refusal(
      "InvalidArgument",
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a valid sha256 value.",
    );
  }
  const date = headers.get("x-amz-date") ?? "";
  const time = timeOf(date);
  if (time === undefined) {
    throw new S3Refusal("AccessDenied", "AWS authentication requires a valid Date or x-amz-date header");
  }
  if (Math.abs(now - time) > maxSkewMs) throw new S3Refusal("RequestTimeTooSkewed");
  return { credential, signedHeaders, signature, date, payloadHash };
}

function queryClaim({ query }: SignedRequest, now: number): Claim {
  const [credential, signedHeaders, signature, date, expires] = [
    "X-Amz-Credential",
    "X-Amz-SignedHeaders",
    "X-Amz-Signature",
    "X-Amz-Date",
    "X-Amz-Expires",
  ].map((name) => query.get(name) ?? "");
  const time = timeOf(date ?? "");
  const seconds = Number(expires);
  if (
    query.get("X-Amz-Algorithm") !== algorithm ||
    !credential ||
    !signedHeaders ||
    !signature ||
    !date ||
    time === undefined ||
    !expires
  ) {
    throw new S3Refusal("AuthorizationQueryParametersError");
  }
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxExpiresSeconds) {
    throw new S3Refusal(
      "AuthorizationQueryParametersError",
      "X-Amz-Expires must be between 1 and 604800 seconds",
    );
  }
  if (time - now > maxSkewMs) throw new S3Refusal("AccessDenied", "Request is not valid yet");
  if (now > time + seconds * 1000) throw new S3Refusal("AccessDenied", "Request has expired");
  return { credential, signedHeaders, signature, date, payloadHash: "UNSIGNED-PAYLOAD" };
}

function checkCredential(claim: Claim, { credentials, region }: Authority, inHeader: boolean): void {
  const malformed = inHeader ? "AuthorizationHeaderMalformed" : "AuthorizationQueryParametersError";
  const [accessKeyId, day, claimedRegion, service, ending] = claim.credential.split("/");
  if (accessKeyId !== credentials.accessKeyId) throw new S3Refusal("InvalidAccessKeyId");
  if (day !== claim.date.slice(0, 8) || service !== "s3" || ending !== "aws4_request")
    throw new S3Refusal(malformed);
  if (claimedRegion !== region) {
    throw new S3Refusal(malformed, `The region '${claimedRegion}' is wrong; expecting '${region}'`);
  }
}

/** The host and all `x-amz-` headers must be signed, or they could be changed in transit. */
function checkSignedHeaders(claim: Claim, { headers }: SignedRequest): void {
  const signed = new Set(claim.signedHeaders.split(";"));
  const unsigned = ["host", ...headers.keys()].some(
    (name) => (name === "host" || name.startsWith("x-amz-")) && !signed.has(name),
  );
  if (unsigned) {
    throw new S3Refusal("AccessDenied", "There were headers present in the request which were not signed");
  }
}

function signatureOf(request: SignedRequest, claim: Claim, { credentials }: Authority): string {
  const scope = claim.credential.split("/").slice(1);
  const canonical = [
    request.method,
    canonicalPath(request.path),
    canonicalQuery(request.query),
    ...claim.signedHeaders.split(";").map((name) => `${name}:${collapse(request.headers.get(name) ?? "")}`),
    "",
    claim.signedHeaders,
    claim.payloadHash,
  ].join("\n");
  const toSign = [algorithm, claim.date, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<Buffer | string>(
    (parent, part) => hmac(parent, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  return hmac(key, toSign).toString("hex");
}

function canonicalPath(path: string): string {
  try {
    return path
      .split("/")
      .map((segment) => encode(decodeURIComponent(segment)))
      .join("/");
  } catch {
    throw new S3Refusal("InvalidArgument", "Couldn't parse the specified URI.");
  }
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map((pair) => pair.join("="))
    .join("&");
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function collapse(value: string): string {
  return value.trim().replace(/ +/g, " ");
}

/** `20261115T120000Z` as milliseconds. */
function timeOf(date: string): number | undefined {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
