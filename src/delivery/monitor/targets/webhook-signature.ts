import { createHmac } from "node:crypto";

/** The headers of the Standard Webhooks convention. Hand-written, because signing is one HMAC. */
export function signedHeaders(
  message: { id: string; sentAt: Date; body: string },
  secret: string,
): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  const signature = createHmac("sha256", keyOf(secret))
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest("base64");
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** The prefix `whsec_` means base64; any other secret is used as it is. */
function keyOf(secret: string): Buffer {
  const prefix = "whsec_";
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
}
