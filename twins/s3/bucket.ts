/** A bucket in memory. */
import { createHash } from "node:crypto";
import { S3Refusal } from "./errors.ts";

export interface StoredObject {
  readonly key: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly etag: string;
  readonly modifiedAt: number;
}

export interface Page {
  readonly objects: readonly StoredObject[];
  readonly next?: string;
}

export interface Bucket {
  put(key: string, bytes: Buffer, contentType: string, at: number): StoredObject;
  get(key: string): StoredObject | undefined;
  delete(key: string): void;
  /** In the byte order of the keys, as S3 lists. */
  list(prefix: string, maxKeys: number, continuationToken?: string): Page;
}

const maxKeyBytes = 1024;

export function createBucket(): Bucket {
  const objects = new Map<string, StoredObject>();
  return {
    put(key, bytes, contentType, modifiedAt) {
      if (Buffer.byteLength(key) > maxKeyBytes) throw new S3Refusal("KeyTooLongError");
      const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
      const stored = { key, bytes, contentType, etag, modifiedAt };
      objects.set(key, stored);
      return stored;
    },
    get: (key) => objects.get(key),
    delete: (key) => void objects.delete(key),
    list(prefix, maxKeys, token) {
      const after = token === undefined ? "" : decodeToken(token);
      const rest = [...objects.values()]
        .filter(
          ({ key }) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0,
        )
        .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
      const page = rest.slice(0, maxKeys);
      const last = page.at(-1);
      return last && rest.length > maxKeys
        ? { objects: page, next: encodeToken(last.key) }
        : { objects: page };
    },
  };
}

/** Opaque to clients, and with characters that must be encoded. */
function encodeToken(key: string): string {
  return `+/${Buffer.from(key).toString("base64")}=`;
}

function decodeToken(token: string): string {
  if (!token.startsWith("+/")) {
    throw new S3Refusal("InvalidArgument", "The continuation token provided is incorrect");
  }
  return Buffer.from(token.slice(2, -1), "base64").toString();
}
