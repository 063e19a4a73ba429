import { createHash, createHmac, randomBytes } from "node:crypto";
import { signatureMs } from "./limits.ts";
import type { SignatureFlaw, World } from "./model.ts";

export interface ToSign {
  readonly url: string;
  readonly body: Uint8Array;
  readonly now: number;
}

/** The header `Upstash-Signature` of a delivery; undefined if the flaw is that it has none. */
export function signatureOf(world: World, { url, body, now }: ToSign): string | undefined {
  const { flaw, keys } = world;
  if (flaw === "missing") return undefined;
  if (flaw === "replayed" && world.lastSignature !== null) return world.lastSignature;
  const since = Math.floor((flaw === "expired" ? now - 10 * signatureMs : now) / 1_000);
  const claims = {
    iss: "Upstash",
    sub: flaw === "subject" ? `${url}/elsewhere` : url,
    exp: since + signatureMs / 1_000,
    nbf: since,
    iat: since,
    jti: `jwt_${randomBytes(15).toString("base64url")}`,
    body: hashOf(flaw === "body" ? Buffer.concat([body, Buffer.from(" ")]) : body),
  };
  const token = jwt(claims, keyFor(flaw, keys));
  world.lastSignature = token;
  return token;
}

function keyFor(flaw: SignatureFlaw | null, { current, next }: World["keys"]): string {
  if (flaw === "forged") return "sig_of_somebody_else";
  return flaw === "next_key" ? next : current;
}

/** With its padding, as QStash sends it. */
function hashOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("base64").replaceAll("+", "-").replaceAll("/", "_");
}

function jwt(claims: object, key: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}
