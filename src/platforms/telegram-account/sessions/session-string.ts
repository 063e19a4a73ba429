/**
 * Session strings of other programs. The address in a session is not trusted: a forged one could connect the server to
 * any host. Only the number of its data centre is used.
 * `@mtcute/convert` reads them too, but brings a second copy of the core with it. Each format is recognised by its
 * length and first bytes, so the user need not name it.
 */
import { type ByteReader, byteReader, fromBase64 } from "./bytes.ts";
import { type DataCentre, dataCentre } from "./data-centres.ts";

export interface ForeignSession {
  readonly format: "mtcute" | "telethon" | "gramjs" | "pyrogram";
  readonly centre: DataCentre;
  /** 256 bytes: they give full access to the account. */
  readonly authKey: Uint8Array;
  readonly userId?: string;
  readonly isBot?: boolean;
}

const keyLength = 256;
/** dc, api id, test mode, key, user, bot; then the two older formats without an api id. */
const pyrogramLengths = { current: 271, old64: 267, old32: 263 } as const;
const telethonLengths: readonly number[] = [1 + 4 + 2 + keyLength, 1 + 16 + 2 + keyLength];

/** The session, or undefined if the text is in none of the four formats. */
export function readSessionString(text: string): ForeignSession | undefined {
  const trimmed = text.trim();
  // GramJS before Telethon: an address of 14 characters is as long as an IPv6 one, and only one of them is text.
  for (const read of [mtcute, gramjs, telethon, pyrogram]) {
    try {
      const session = read(trimmed);
      if (session && isKey(session.authKey)) return session;
    } catch (error) {
      // Too short for this format; it may be another one.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

/** Version 3: flags, one or two data centres, who it is, the key; all in TL. */
function mtcute(text: string): ForeignSession | undefined {
  const bytes = fromBase64(text);
  if (bytes?.[0] !== 3) return undefined;
  const reader = byteReader(bytes.subarray(1));
  const flags = reader.i32le();
  const centre = mtcuteCentre(byteReader(reader.tlBytes()), (flags & 2) !== 0);
  if (!centre) return undefined;
  if (flags & 4) reader.tlBytes();
  const person = flags & 1 ? { userId: String(reader.u64le()), isBot: isTlTrue(reader.i32le()) } : {};
  const authKey = reader.tlBytes();
  return reader.left === 0 ? { format: "mtcute", centre, authKey, ...person } : undefined;
}

function mtcuteCentre(reader: ByteReader, testMode: boolean): DataCentre | undefined {
  const version = reader.u8();
  const id = reader.u8();
  const flags = reader.u8();
  return version === 1 || version === 2 ? dataCentre(id, testMode || (flags & 4) !== 0) : undefined;
}

const isTlTrue = (id: number) => id >>> 0 === 0x997275b5;

/** "1", then dc, address as 4 or 16 bytes, port, key. */
function telethon(text: string): ForeignSession | undefined {
  const bytes = versioned(text);
  if (!bytes || !telethonLengths.includes(bytes.length)) return undefined;
  const reader = byteReader(bytes);
  const id = reader.u8();
  const address = reader.raw(bytes.length - keyLength - 3).join(".");
  reader.u16be();
  return withCentre("telethon", centreAt(id, address), reader.raw(keyLength));
}

/** "1", then dc, length of the address, address as text, port, key. */
function gramjs(text: string): ForeignSession | undefined {
  const bytes = versioned(text);
  if (!bytes) return undefined;
  const reader = byteReader(bytes);
  const id = reader.u8();
  const length = reader.u16be();
  if (length === 0 || reader.left !== length + 2 + keyLength) return undefined;
  const address = Buffer.from(reader.raw(length)).toString("utf8");
  if (!/^[\w.:-]+$/.test(address)) return undefined;
  reader.u16be();
  return withCentre("gramjs", centreAt(id, address), reader.raw(keyLength));
}

function pyrogram(text: string): ForeignSession | undefined {
  const bytes = fromBase64(text);
  const lengths: readonly number[] = Object.values(pyrogramLengths);
  if (!bytes || !lengths.includes(bytes.length)) return undefined;
  const reader = byteReader(bytes);
  const id = reader.u8();
  if (bytes.length === pyrogramLengths.current) reader.u32be();
  const testMode = reader.u8() !== 0;
  const authKey = reader.raw(keyLength);
  const userId = bytes.length === pyrogramLengths.old32 ? reader.u32be() : reader.u64be();
  const session = withCentre("pyrogram", dataCentre(id, testMode), authKey);
  return session && { ...session, userId: String(userId), isBot: reader.u8() !== 0 };
}

function versioned(text: string): Uint8Array | undefined {
  return text.startsWith("1") ? fromBase64(text.slice(1)) : undefined;
}

function withCentre(
  format: ForeignSession["format"],
  centre: DataCentre | undefined,
  authKey: Uint8Array,
): ForeignSession | undefined {
  return centre && { format, centre, authKey };
}

/** These formats do not say whether it is a test data centre; its address does. */
function centreAt(id: number, ipAddress: string): DataCentre | undefined {
  return dataCentre(id, dataCentre(id, true)?.ipAddress === ipAddress);
}

/** A key of one repeated byte is a placeholder. */
function isKey(key: Uint8Array): boolean {
  return key.length === keyLength && key.some((byte) => byte !== key[0]);
}
