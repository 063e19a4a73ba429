/** Reads a session's fields one after another; reading past the end throws. */
export interface ByteReader {
  u8(): number;
  u16be(): number;
  u32be(): number;
  i32le(): number;
  u64be(): bigint;
  u64le(): bigint;
  raw(length: number): Uint8Array;
  /** TL's `bytes`: length, content, padding. */
  tlBytes(): Uint8Array;
  readonly left: number;
}

export function byteReader(bytes: Uint8Array): ByteReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const step = (length: number) => {
    const from = at;
    at += length;
    if (at > buffer.length) throw new RangeError("the session ends too early");
    return from;
  };
  const raw = (length: number) => {
    const from = step(length);
    return new Uint8Array(buffer.subarray(from, from + length));
  };
  const u8 = () => buffer.readUInt8(step(1));
  return {
    u8,
    u16be: () => buffer.readUInt16BE(step(2)),
    u32be: () => buffer.readUInt32BE(step(4)),
    i32le: () => buffer.readInt32LE(step(4)),
    u64be: () => buffer.readBigUInt64BE(step(8)),
    u64le: () => buffer.readBigUInt64LE(step(8)),
    raw,
    tlBytes() {
      const first = u8();
      const long = first === 254;
      const length = long ? buffer.readUIntLE(step(3), 3) : first;
      const value = raw(length);
      const head = long ? 4 : 1;
      step((4 - ((head + length) % 4)) % 4);
      return value;
    },
    get left() {
      return buffer.length - at;
    },
  };
}

/** Base64 in either alphabet, with or without padding; undefined if it is not base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bare = text
    .replace(/(?<!=)=+$/, "")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  if (!/^[\w-]+$/.test(bare)) return undefined;
  const bytes = Buffer.from(bare, "base64url");
  return bytes.toString("base64url") === bare ? new Uint8Array(bytes) : undefined;
}
