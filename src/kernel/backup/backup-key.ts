/** The key of backups: 32 bytes as `molva config key` prints them, or a passphrase. Every part has a key of its own. */
import { hkdfSync, randomBytes, scrypt } from "node:crypto";
import { z } from "zod";
import { parseFernetKey } from "../crypto/index.ts";
import { BackupError } from "./backup-error.ts";

const leastPassphrase = 12;
/** About half a second and 128 MiB (RFC 7914 with the numbers that OWASP recommends). */
export const scryptCost = { N: 2 ** 17, r: 8, p: 1 } as const;

/** What the manifest tells about the encryption. The upper limits keep a forged manifest from taking all memory. */
export const encryptionShape = z.object({
  cipher: z.literal("AES-256-GCM"),
  key: z.enum(["key", "passphrase"]),
  /** Names the key and tells nothing of it. */
  key_id: z.string().regex(/^[0-9a-f]{8}$/),
  salt: z.string().regex(/^[0-9a-f]{64}$/),
  scrypt: z
    .object({
      N: z
        .number()
        .int()
        .min(2)
        .max(2 ** 20),
      r: z.number().int().min(1).max(16),
      p: z.number().int().min(1).max(4),
    })
    .optional(),
});
export type Encryption = z.infer<typeof encryptionShape>;

/** The key of the part with this name; absent if the backup is not encrypted. */
export type KeyFor = ((name: string) => Buffer) | undefined;

export async function newEncryption(
  secret: string,
  cost: Required<Encryption>["scrypt"] = scryptCost,
): Promise<{ encryption: Encryption; keyFor: KeyFor }> {
  const salt = randomBytes(32);
  const raw = rawKey(secret);
  if (!raw && secret.length < leastPassphrase)
    throw new BackupError(
      `MOLVA_BACKUP_KEY is too short: \`molva config key\` prints a key, and a passphrase has at least ${leastPassphrase} characters.`,
    );
  const root = raw ?? (await stretched(secret, salt, cost));
  const encryption: Encryption = {
    cipher: "AES-256-GCM",
    key: raw ? "key" : "passphrase",
    key_id: idOf(root),
    salt: salt.toString("hex"),
    ...(!raw && { scrypt: cost }),
  };
  return { encryption, keyFor: keysFrom(root, salt) };
}

/** What opens a backup. */
export interface BackupSecret {
  readonly secret: string | undefined;
  /** Accepts a backup without encryption although there is a key: whoever writes to the place could have put it there. */
  readonly unencrypted?: boolean | undefined;
}

/** Throws if the backup was encrypted with another key, or with none. */
export async function openEncryption(
  encryption: Encryption | null,
  { secret, unencrypted = false }: BackupSecret,
): Promise<KeyFor> {
  if (encryption === null) {
    if (secret === undefined || unencrypted) return undefined;
    throw new BackupError(
      "The backup is not encrypted although MOLVA_BACKUP_KEY is set; add --unencrypted if it is yours.",
    );
  }
  const whose = `key ${encryption.key_id}`;
  if (secret === undefined)
    throw new BackupError(
      `The backup is encrypted with ${whose}: set MOLVA_BACKUP_KEY or MOLVA_BACKUP_KEY_FILE.`,
    );
  const raw = rawKey(secret);
  const salt = Buffer.from(encryption.salt, "hex");
  const wanted = encryption.key === "key" ? "a key as `molva config key` prints it" : "a passphrase";
  if ((raw !== undefined) !== (encryption.key === "key"))
    throw new BackupError(`The backup was encrypted with ${wanted}, and MOLVA_BACKUP_KEY is none.`);
  const root = raw ?? (await stretched(secret, salt, encryption.scrypt ?? scryptCost));
  if (idOf(root) !== encryption.key_id)
    throw new BackupError(
      `The backup was encrypted with another key (${encryption.key_id}) than MOLVA_BACKUP_KEY (${idOf(root)}): set the key of that time.`,
    );
  return keysFrom(root, salt);
}

function rawKey(secret: string): Buffer | undefined {
  const parsed = parseFernetKey(secret);
  return parsed && Buffer.concat([parsed.signing, parsed.encryption]);
}

/** The salt is new in every backup, so no two parts of any backups share a key. */
function keysFrom(root: Buffer, salt: Buffer): KeyFor {
  return (name) => Buffer.from(hkdfSync("sha256", root, salt, `molva backup ${name}`, 32));
}

function idOf(root: Buffer): string {
  return Buffer.from(hkdfSync("sha256", root, "", "molva name of a backup key", 4)).toString("hex");
}

function stretched(secret: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r;
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize("NFC"), salt, 32, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
