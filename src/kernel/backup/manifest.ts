/** The manifest: what a backup holds. It is written last, so a backup without one never was one. */
import { z } from "zod";
import { sha256Hex } from "../crypto/index.ts";
import { BackupError } from "./backup-error.ts";
import { type BackupSecret, encryptionShape, type KeyFor, openEncryption } from "./backup-key.ts";
import { sealed, unsealed } from "./seal-stream.ts";

export const formatName = "molva-backup";
export const formatVersion = 1;

const count = z.number().int().nonnegative();
const partShape = z.object({
  name: z.string().regex(/^[0-9]{6}$/),
  /** As it is stored: compressed and encrypted. */
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Part = z.infer<typeof partShape>;

const bodyShape = z.object({
  postgres: z.string(),
  snapshot: z.string(),
  migrations: z.array(z.object({ number: count, name: z.string(), checksum: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: count,
      digest: z.string(),
      parts: z.array(partShape),
    }),
  ),
  partitions: z.array(z.object({ of: z.string(), name: z.string(), bound: z.string() })),
  sequences: z.array(
    z.object({ name: z.string(), last_value: z.string().regex(/^-?\d+$/), is_called: z.boolean() }),
  ),
  left_out: z.record(z.string(), z.string()),
  others: z.array(z.string()),
  files: z.object({
    count,
    bytes: count,
    parts: z.array(partShape),
    /** Rows of the snapshot name them, and the storage had none. */
    missing: count,
    missing_named: z.array(z.string()),
  }),
  /** The names of the installation's encryption keys that open what is stored; the keys themselves are nowhere in here. */
  keys: z.object({ needed: z.array(z.string()), unreadable: count }),
});
export type Body = z.infer<typeof bodyShape>;

/** What `molva backup list` shows without any key. */
const headerShape = z.object({
  format: z.literal(formatName),
  version: z.number().int(),
  id: z.string(),
  taken_at: z.iso.datetime(),
  molva: z.string(),
  /** Of all parts. */
  bytes: count,
  encryption: encryptionShape.nullable(),
});
export type Header = z.infer<typeof headerShape>;

const fileShape = z.object({ header: headerShape, body: z.string(), sha256: z.string() });

export async function writeManifest(header: Header, body: Body, keyFor: KeyFor): Promise<Buffer> {
  const text = Buffer.from(JSON.stringify(body));
  const stored = keyFor ? await joined(sealed(one(text), keyFor(nameFor(header)))) : text;
  return Buffer.from(
    `${JSON.stringify({ header, body: stored.toString("base64"), sha256: sha256Hex(stored) })}\n`,
  );
}

export function readHeader(bytes: Buffer): Header {
  return parsed(bytes).header;
}

export async function readManifest(
  bytes: Buffer,
  secret: BackupSecret,
): Promise<{ header: Header; body: Body; keyFor: KeyFor }> {
  const { header, body, sha256 } = parsed(bytes);
  const keyFor = await openEncryption(header.encryption, secret);
  const stored = Buffer.from(body, "base64");
  const altered = new BackupError(`The manifest of ${header.id} is damaged or was changed.`);
  if (sha256Hex(stored) !== sha256) throw altered;
  const text = keyFor
    ? await joined(unsealed(one(stored), keyFor(nameFor(header)))).catch(() => Promise.reject(altered))
    : stored;
  const read = bodyShape.safeParse(JSON.parse(text.toString("utf8")));
  if (!read.success) throw altered;
  return { header, body: read.data, keyFor };
}

/** The key depends on the header, so a changed header opens nothing. */
function nameFor(header: Header): string {
  return `manifest ${sha256Hex(JSON.stringify(headerShape.parse(header)))}`;
}

function parsed(bytes: Buffer): z.infer<typeof fileShape> {
  const read = fileShape.safeParse(jsonOr(bytes.toString("utf8")));
  if (!read.success) throw new BackupError("Its manifest is damaged or was changed.");
  if (read.data.header.version > formatVersion)
    throw new BackupError(
      `It has the format ${read.data.header.version} of Molva ${read.data.header.molva}, and this release knows ${formatVersion}: update Molva.`,
    );
  return read.data;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function joined(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
