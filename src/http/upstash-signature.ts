import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

export interface SignedRequest {
  /** The header `Upstash-Signature`. */
  readonly signature: string | undefined;
  /** The bytes as they came. */
  readonly body: Uint8Array;
  /** The public address that was called. */
  readonly url: string;
}

const claimsShape = z.object({
  iss: z.literal("Upstash"),
  sub: z.string(),
  exp: z.number(),
  nbf: z.number(),
  jti: z.string().min(1).max(200),
  body: z.string(),
});

/** What makes a signature one of a kind, and until when it could be used again. */
export interface SignatureUse {
  readonly jti: string;
  readonly validUntil: Date;
}

/** Clocks of machines may differ by this much. */
const leewaySeconds = 60;

/**
 * The signature of a request that QStash has sent: a JWT signed by the current key or the next one, for this address and these
 * bytes, and of this time. Undefined if it is not. Blank keys never match.
 */
export function readUpstashSignature(
  request: SignedRequest,
  keys: readonly (string | undefined)[],
  now: Date,
): SignatureUse | undefined {
  const [header, payload, signature, ...rest] = (request.signature ?? "").split(".");
  if (!header || !payload || !signature || rest.length > 0) return undefined;
  if (!keys.some((key) => key && isSignatureOf(`${header}.${payload}`, signature, key))) return undefined;
  if (z.object({ alg: z.literal("HS256") }).safeParse(jsonOf(header)).success === false) return undefined;
  const claims = claimsShape.safeParse(jsonOf(payload));
  if (!claims.success) return undefined;
  const seconds = now.getTime() / 1000;
  const { sub, exp, nbf, jti, body } = claims.data;
  const hash = createHash("sha256").update(request.body).digest();
  const isOfThis =
    sub === request.url &&
    seconds < exp + leewaySeconds &&
    seconds >= nbf - leewaySeconds &&
    Buffer.from(body, "base64url").equals(hash);
  return isOfThis ? { jti, validUntil: new Date((exp + leewaySeconds) * 1000) } : undefined;
}

function isSignatureOf(text: string, signature: string, key: string): boolean {
  const expected = createHmac("sha256", key).update(text).digest();
  const given = Buffer.from(signature, "base64url");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    // Not JSON, so not a token: the schema refuses it.
    return undefined;
  }
}
