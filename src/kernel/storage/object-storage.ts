/** Bytes under a key: media of posts, exports, backups. A folder by default, an S3-compatible server when configured. */
import type { Readable } from "node:stream";
import type { SignedKey } from "./signed-key.ts";

export interface ObjectStorage {
  /** Atomic: readers see the old object until the new one is complete. */
  put(key: string, content: Uint8Array | Readable, about: { contentType: string }): Promise<void>;
  get(key: string): Promise<OpenObject | undefined>;
  head(key: string): Promise<ObjectInfo | undefined>;
  /** Does nothing if the object does not exist. */
  delete(key: string): Promise<void>;
  /** Every key that begins with the prefix, in any order. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** An address at which anyone may read the object for a limited time. */
  signedUrl(key: string, life: { expiresInMs: number }): Promise<string>;
  /** Opens the object for whoever brings such an address; undefined if it is forged, has expired or names nothing. A storage that serves its addresses itself has no such method. */
  openSigned?(address: SignedKey): Promise<OpenObject | undefined>;
  close(): Promise<void>;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

export interface ObjectInfo extends ListedObject {
  readonly contentType: string;
}

export interface OpenObject extends ObjectInfo {
  /** Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** An operation of the storage failed; `code` comes from the server or the system. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Plain ASCII, so that a key means the same in a file name, a URL and a signature. */
const segmentShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const partialSegment = /^([A-Za-z0-9][A-Za-z0-9._-]{0,199})?$/;
const maxKeyLength = 900;
/** The limit of Signature Version 4. */
const maxSignedMs = 7 * 24 * 3_600_000;

/** A key must not leave its folder, name a hidden file, or be the folder of another key. */
export function checkKey(key: string): void {
  if (key.length > maxKeyLength || !key.split("/").every((segment) => segmentShape.test(segment))) {
    throw new RangeError(
      "a key is made of steps of letters, digits, '.', '_' and '-', parted by '/', each beginning with a letter or digit",
    );
  }
}

export function checkPrefix(prefix: string): void {
  const segments = prefix.split("/");
  const last = segments.pop() ?? "";
  if (!segments.every((segment) => segmentShape.test(segment)) || !partialSegment.test(last)) {
    throw new RangeError("a prefix is the beginning of a key");
  }
}

export function checkSignedLife(expiresInMs: number): void {
  if (!(expiresInMs >= 1_000 && expiresInMs <= maxSignedMs)) {
    throw new RangeError("a signed address lives between a second and seven days");
  }
}
