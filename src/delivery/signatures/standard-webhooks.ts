/**
 * Signatures of the Standard Webhooks convention, by its own package. Only the time is checked here: the package asks the
 * machine's clock, and ours comes in as an argument.
 */
import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** How far the sender's clock and ours may differ, and for how long a captured request could be sent again. */
export const toleranceSeconds = 5 * 60;

export interface SignedMessage {
  readonly id: string;
  readonly sentAt: Date;
  /** The body as it is sent, to the byte. */
  readonly body: string;
}

/** The headers of a message; with several secrets it has a signature by each, as while a secret is being replaced. */
export function signedHeaders(
  message: SignedMessage,
  secrets: readonly [string, ...string[]],
): Record<string, string> {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(Math.floor(message.sentAt.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => signature(message, secret)).join(" "),
  };
}

/** The headers of a request as they came. */
export interface SignatureHeaders {
  readonly id: string;
  readonly sentAt: Date;
  readonly signatures: readonly string[];
}

export type HeadersRead =
  | { readonly ok: true; readonly headers: SignatureHeaders }
  | { readonly ok: false; readonly why: "missing" | "malformed" | "too_old" | "too_new" };

/** More signatures than anybody rotates secrets, fewer than would be work to compare. */
const mostSignatures = 10;

/** Reads the headers and checks the time; both need neither the secret nor the body. */
export function readSignatureHeaders(
  given: Readonly<Record<string, string | string[] | undefined>>,
  now: Date,
): HeadersRead {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => given[name],
  );
  if (!id || !timestamp || !signatures) return { ok: false, why: "missing" };
  // Node joins repeated headers with a comma and a space, which none of these can be.
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string")
    return { ok: false, why: "malformed" };
  const list = signatures.split(" ").filter(Boolean);
  if (!/^[\x21-\x7e]{1,256}$/.test(id) || !/^\d{1,11}$/.test(timestamp) || list.length > mostSignatures)
    return { ok: false, why: "malformed" };
  const seconds = Number(timestamp);
  const age = Math.floor(now.getTime() / 1000) - seconds;
  if (age > toleranceSeconds) return { ok: false, why: "too_old" };
  if (age < -toleranceSeconds) return { ok: false, why: "too_new" };
  return { ok: true, headers: { id, sentAt: new Date(seconds * 1000), signatures: list } };
}

/** Whether one of the signatures was made with this secret over this body. Takes the same time wherever they differ. */
export function isSignedWith(
  secret: string,
  { id, sentAt, signatures }: SignatureHeaders,
  body: string,
): boolean {
  const expected = Buffer.from(signature({ id, sentAt, body }, secret));
  return signatures
    .map((given) => Buffer.from(given))
    .map((given) => given.length === expected.length && timingSafeEqual(given, expected))
    .includes(true);
}

function signature({ id, sentAt, body }: SignedMessage, secret: string): string {
  return signer(secret).sign(id, sentAt, body);
}

/** The prefix `whsec_` means base64; any other secret is used as it is. */
function signer(secret: string): Webhook {
  return secret.startsWith(signingPrefix)
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });
}

export const signingPrefix = "whsec_";
