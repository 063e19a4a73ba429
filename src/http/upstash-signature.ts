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
  body: z.string(),
});

/** Clocks of machines may differ by this much. */
const leewaySeconds = 60;

/**
 * Whether QStash has sent a request: a JWT signed by the current key or the next one, for this address and these bytes, and of this
 * time. Blank keys never match.
 */
export function isSignedByUpstash(
  request: SignedRequest,
  keys: readonly (string | undefined)[],
  now: Date,
): boolean {
  const [header, payload, signature, ...rest] = (request.signature ?? "").split(".");
  if (!header || !payload || !signature || rest.length > 0) return false;
  if (!keys.some((key) => key && isSignatureOf(`${header}.${payload}`, signature, key))) return false;
  if (z.object({ alg: z.literal("HS256") }).safeParse(jsonOf(header)).success === false) return false;
  const claims = claimsShape.safeParse(jsonOf(payload));
  if (!claims.success) return false;
  const seconds = now.getTime() / 1000;
  const { sub, exp, nbf, body } = claims.data;
  const hash = createHash("sha256").update(request.body).digest();
  return (
    sub === request.url &&
    seconds < exp + leewaySeconds &&
    seconds >= nbf - leewaySeconds &&
    Buffer.from(body, "base64url").equals(hash)
  );
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
