/**
 * Secrets at rest, as Fernet tokens. The first key encrypts, every key decrypts, so that keys can be changed without a pause.
 * Fernet has no room for a context, so each token is sealed with a key of its own, derived from the vault's for the place where
 * the token is kept: a copy in another row, or in another workspace, opens nothing.
 */
import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { type Clock, systemClock } from "../clock/index.ts";
import { sameSecret } from "./digest.ts";
import { type FernetKey, type Opened, open, parseFernetKey, seal } from "./fernet.ts";

export interface Vault {
  /** A name for each key, in their order, that tells nothing of the key: for reports of what each one still opens. */
  readonly keyIds: readonly [string, ...string[]];
  /** The name of the key that opens the token; undefined when none does. */
  keyOf(token: string, place: string): string | undefined;
  /** `place` says where the token is kept; see `rowOf`. */
  encrypt(text: string, place: string): string;
  /** Throws `VaultError` when no key opens the token, or it was sealed for another place. */
  decrypt(token: string, place: string): string;
  /** The same secret under the first key, keeping the time it was sealed at. */
  rotate(token: string, place: string): string;
  /** HMAC-SHA256 in hex, for what others carry and bring back; `purpose` keeps signatures of different kinds apart. */
  sign(text: string, purpose: string): string;
  /** Whether one of the keys has signed the text for this purpose. */
  isSigned(text: string, signature: string, purpose: string): boolean;
}

/** The keys or a stored token are unusable. Its message never holds either. */
export class VaultError extends Error {
  override readonly name = "VaultError";
}

/** The place of a sealed column: its table and the row's key. */
export function rowOf(table: string, ...key: readonly string[]): string {
  return JSON.stringify([table, ...key]);
}

type Unsealed = Extract<Opened, { ok: true }>;

export function createVault(keys: readonly string[], clock: Clock = systemClock): Vault {
  const parsed = keys.map(requireKey);
  const [first] = parsed;
  if (!first) throw new VaultError("at least one encryption key is needed");

  const keyIds: Vault["keyIds"] = [idOf(first), ...parsed.slice(1).map(idOf)];

  function unsealed(token: string, place: string): Unsealed {
    for (const key of parsed) {
      const opened = open(token, keyFor(place, key));
      if (opened.ok) return opened;
      if (opened.reason === "malformed") throw new VaultError("the stored secret is not a Fernet token");
    }
    throw new VaultError(
      `no encryption key opens the stored secret (tried: ${parsed.length}): its key was removed, or it was altered or copied from another place`,
    );
  }

  const signed = (text: string, purpose: string, key: FernetKey) => {
    const { signing, encryption } = keyFor(`signature ${purpose}`, key);
    return createHmac("sha256", Buffer.concat([signing, encryption]))
      .update(text)
      .digest("hex");
  };

  return {
    keyIds,
    keyOf(token, place) {
      const at = parsed.findIndex((key) => open(token, keyFor(place, key)).ok);
      return keyIds[at];
    },
    sign: (text, purpose) => signed(text, purpose, first),
    isSigned: (text, signature, purpose) =>
      parsed.some((key) => sameSecret(signature, signed(text, purpose, key))),
    encrypt: (text, place) => seal(Buffer.from(text, "utf8"), keyFor(place, first), clock.now()),
    decrypt: (token, place) => unsealed(token, place).message.toString("utf8"),
    rotate(token, place) {
      const { message, sealedAt } = unsealed(token, place);
      return seal(message, keyFor(place, first), sealedAt);
    },
  };
}

export function generateKey(): string {
  return randomBytes(32).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

/** HKDF (RFC 5869): whoever learns one row's key learns no other. */
function keyFor(place: string, { signing, encryption }: FernetKey): FernetKey {
  const master = Buffer.concat([signing, encryption]);
  const bytes = Buffer.from(hkdfSync("sha256", master, "", `molva sealed for ${place}`, 32));
  return { signing: bytes.subarray(0, 16), encryption: bytes.subarray(16) };
}

function idOf({ signing, encryption }: FernetKey): string {
  const master = Buffer.concat([signing, encryption]);
  return Buffer.from(hkdfSync("sha256", master, "", "molva name of a key", 4)).toString("hex");
}

function requireKey(text: string, index: number): FernetKey {
  const key = parseFernetKey(text);
  if (key) return key;
  throw new VaultError(
    `encryption key ${index + 1} is malformed: expected 32 bytes as 44 characters of URL-safe base64, got ${text.length} characters`,
  );
}
