/** Session strings as their programs write them, made from a key. */
const centre = { id: 2, ip: "149.154.167.51", port: 443 } as const;

/** `>B4sH256s` or, with an IPv6 address, `>B16sH256s`, in URL-safe base64 after a "1". */
export function telethonString(
  key: Uint8Array,
  address: Uint8Array = ip4(centre.ip),
  port: number = centre.port,
): string {
  const head = Buffer.concat([Buffer.from([centre.id]), address, u16(port)]);
  return `1${padded(Buffer.concat([head, key]))}`;
}

/** The same, but the address is text with its length before it, in ordinary base64. */
export function gramjsString(key: Uint8Array): string {
  const address = Buffer.from(centre.ip, "utf8");
  const parts = [Buffer.from([centre.id]), u16(address.length), address, u16(centre.port), key];
  return `1${Buffer.concat(parts).toString("base64")}`;
}

/** `>BI?256sQ?`, or one of the older shapes without the api id. */
export function pyrogramString(
  key: Uint8Array,
  userId: bigint,
  shape: "current" | "old64" | "old32" = "current",
): string {
  const user = Buffer.alloc(shape === "old32" ? 4 : 8);
  if (shape === "old32") user.writeUInt32BE(Number(userId));
  else user.writeBigUInt64BE(userId);
  const apiId = Buffer.alloc(shape === "current" ? 4 : 0);
  if (shape === "current") apiId.writeUInt32BE(12_345);
  const parts = [Buffer.from([centre.id]), apiId, Buffer.from([0]), key, user, Buffer.from([0])];
  return Buffer.concat(parts).toString("base64url");
}

/** Version 3: flags, the main and the media centre, who it is, the key, in TL. */
export function mtcuteString(key: Uint8Array, userId?: bigint): string {
  const flags = Buffer.alloc(4);
  flags.writeInt32LE((userId === undefined ? 0 : 1) | 4);
  const person = Buffer.alloc(userId === undefined ? 0 : 12);
  if (userId !== undefined) {
    person.writeBigUInt64LE(userId);
    person.writeUInt32LE(0xbc799737, 8);
  }
  const main = tlBytes(basicCentre(0));
  const media = tlBytes(basicCentre(2));
  return Buffer.concat([Buffer.from([3]), flags, main, media, person, tlBytes(key)]).toString("base64url");
}

function basicCentre(flags: number): Buffer {
  const port = Buffer.alloc(4);
  port.writeInt32LE(centre.port);
  return Buffer.concat([Buffer.from([2, centre.id, flags]), tlBytes(Buffer.from(centre.ip)), port]);
}

function tlBytes(value: Uint8Array): Buffer {
  const long = value.length >= 254;
  const head = Buffer.alloc(long ? 4 : 1);
  if (long) {
    head[0] = 254;
    head.writeUIntLE(value.length, 1, 3);
  } else head[0] = value.length;
  const padding = (4 - ((head.length + value.length) % 4)) % 4;
  return Buffer.concat([head, value, Buffer.alloc(padding)]);
}

const ip4 = (text: string) => Buffer.from(text.split(".").map(Number));

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const padded = (bytes: Buffer) => bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
