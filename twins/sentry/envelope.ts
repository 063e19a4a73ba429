/** The envelope of Sentry: a line of JSON, then for each item a line of JSON and its payload. */

export interface Item {
  readonly header: Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly payload: Buffer;
}

export interface Envelope {
  readonly header: Readonly<Record<string, unknown>>;
  readonly items: readonly Item[];
}

const lineEnd = 0x0a;

/** Undefined if the bytes are none. */
export function readEnvelope(bytes: Buffer): Envelope | undefined {
  const first = lineAt(bytes, 0);
  const header = objectOf(first.text);
  if (!header) return undefined;
  const items: Item[] = [];
  for (let at = first.next; at < bytes.length; ) {
    // Empty lines at the end are allowed.
    if (bytes.subarray(at).every((byte) => byte === lineEnd)) break;
    const line = lineAt(bytes, at);
    const own = objectOf(line.text);
    if (!own || typeof own.type !== "string") return undefined;
    const ends = endOf(bytes, line.next, own.length);
    if (ends === undefined) return undefined;
    items.push({ header: own, type: own.type, payload: bytes.subarray(line.next, ends) });
    at = ends + 1;
  }
  return { header, items };
}

/** By its length, after which a line must end; without one, the payload is a line. */
function endOf(bytes: Buffer, from: number, length: unknown): number | undefined {
  if (length === undefined) {
    const end = bytes.indexOf(lineEnd, from);
    return end < 0 ? bytes.length : end;
  }
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0) return undefined;
  const end = from + length;
  return end === bytes.length || bytes[end] === lineEnd ? end : undefined;
}

function lineAt(bytes: Buffer, from: number): { readonly text: string; readonly next: number } {
  const end = bytes.indexOf(lineEnd, from);
  const ends = end < 0 ? bytes.length : end;
  return { text: bytes.toString("utf8", from, ends), next: ends + 1 };
}

export function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
