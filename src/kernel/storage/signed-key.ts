/** Signed addresses for the local folder: whoever has one may read that key until it expires. */
import { createHmac } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { sameSecret } from "../crypto/index.ts";

export interface SignedKey {
  readonly key: string;
  /** Milliseconds since the epoch, as in the address. */
  readonly expires: string;
  readonly signature: string;
}

export function signKey(key: string, expiresAt: Date, secret: string): SignedKey {
  const expires = String(expiresAt.getTime());
  return { key, expires, signature: signatureOf(key, expires, secret) };
}

/** The key, `?expires=` and `?signature=` as received. */
export function verifySignedKey(
  { key, expires, signature }: SignedKey,
  secret: string,
  clock: Clock,
): boolean {
  if (!/^\d{1,15}$/.test(expires) || !sameSecret(signature, signatureOf(key, expires, secret))) return false;
  return Number(expires) > clock.now().getTime();
}

function signatureOf(key: string, expires: string, secret: string): string {
  return createHmac("sha256", secret).update(`${expires}\n${key}`).digest("base64url");
}
