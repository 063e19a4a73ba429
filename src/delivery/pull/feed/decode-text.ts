/** Decodes the bytes of a feed: many Russian feeds are windows-1251 or koi8-r and say so in one of two places. */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const named = [charsetOfMark(bytes), charsetOfHeader(contentType), charsetOfProlog(bytes), "utf-8"];
  const charsets = named.filter((name): name is string => name !== undefined && isKnown(name));
  for (const charset of charsets) {
    const text = decoded(bytes, charset);
    if (text !== undefined) return text;
  }
  // A single broken byte must not make the whole feed unreadable.
  return new TextDecoder(charsets[0]).decode(bytes);
}

/** A byte order mark takes precedence over the declarations (RFC 7303). */
function charsetOfMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

function charsetOfHeader(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
}

/** The prolog is ASCII in every charset that it can declare. */
function charsetOfProlog(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 256)).toString("latin1");
  return /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start)?.[1];
}

function isKnown(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== "";
  } catch {
    return false;
  }
}

/** Undefined if the bytes are not valid in the charset. */
function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
