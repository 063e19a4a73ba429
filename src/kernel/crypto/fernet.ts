/**
 * The Fernet token format, version 0x80: AES-128-CBC, then HMAC-SHA256 over everything before it.
 * Written by hand because the npm package rests on an abandoned crypto library.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface FernetKey {
  readonly signing: Buffer;
  readonly encryption: Buffer;
}

export type Opened =
  | { readonly ok: true; readonly message: Buffer; readonly sealedAt: Date }
  | { readonly ok: false; readonly reason: Refusal };

export type Refusal = "malformed" | "wrong_key_or_altered" | "expired" | "from_the_future" | "bad_padding";

const version = 0x80;
const size = { version: 1, time: 8, iv: 16, block: 16, mac: 32 } as const;
const headLength = size.version + size.time + size.iv;
/** How far a sender's clock may be ahead; the value that every other implementation uses. */
const maxClockSkewMs = 60_000;

/** A key from its text form, or nothing when the text is not 32 bytes of URL-safe base64. */
export function parseFernetKey(text: string): FernetKey | undefined {
  const bytes = fromBase64Url(text);
  if (bytes?.length !== 32) return undefined;
  return { signing: bytes.subarray(0, 16), encryption: bytes.subarray(16) };
}

export function seal(
  message: Uint8Array,
  key: FernetKey,
  at: Date,
  iv: Uint8Array = randomBytes(size.iv),
): string {
  const head = Buffer.alloc(headLength);
  head.writeUInt8(version, 0);
  head.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 1000)), size.version);
  head.set(iv, size.version + size.time);
  const cipher = createCipheriv("aes-128-cbc", key.encryption, iv);
  const signed = Buffer.concat([head, cipher.update(message), cipher.final()]);
  return toBase64Url(Buffer.concat([signed, macOf(signed, key)]));
}

/** Age is checked only if `ttlMs` is given: a token in a database has no age limit. */
export function open(token: string, key: FernetKey, age?: { now: Date; ttlMs: number }): Opened {
  const bytes = fromBase64Url(token);
  if (!bytes || !hasShape(bytes)) return { ok: false, reason: "malformed" };
  const signed = bytes.subarray(0, -size.mac);
  if (!timingSafeEqual(macOf(signed, key), bytes.subarray(-size.mac))) {
    return { ok: false, reason: "wrong_key_or_altered" };
  }
  const sealedAt = new Date(Number(bytes.readBigUInt64BE(size.version)) * 1000);
  if (age && sealedAt.getTime() > age.now.getTime() + maxClockSkewMs) {
    return { ok: false, reason: "from_the_future" };
  }
  if (age && sealedAt.getTime() + age.ttlMs < age.now.getTime()) return { ok: false, reason: "expired" };

  const message = decipher(signed, key);
  return message ? { ok: true, message, sealedAt } : { ok: false, reason: "bad_padding" };
}

function hasShape(token: Buffer): boolean {
  const bodyLength = token.length - headLength - size.mac;
  return token[0] === version && bodyLength > 0 && bodyLength % size.block === 0;
}

function decipher(signed: Buffer, key: FernetKey): Buffer | undefined {
  const iv = signed.subarray(size.version + size.time, headLength);
  const aes = createDecipheriv("aes-128-cbc", key.encryption, iv);
  try {
    return Buffer.concat([aes.update(signed.subarray(headLength)), aes.final()]);
  } catch {
    // The signature was right, so whoever sealed it padded the last block wrongly.
    return undefined;
  }
}

function macOf(signed: Uint8Array, key: FernetKey): Buffer {
  return createHmac("sha256", key.signing).update(signed).digest();
}

function toBase64Url(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

/** Node skips characters that are not base64; encoding again and comparing refuses them. */
function fromBase64Url(text: string): Buffer | undefined {
  const bare = text.replace(/={1,2}$/, "");
  const bytes = Buffer.from(bare, "base64url");
  return bytes.toString("base64url") === bare ? bytes : undefined;
}
