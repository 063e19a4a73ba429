/** Secrets at rest. The first key encrypts, every key decrypts, so that keys can be changed without a pause. */
import { randomBytes } from "node:crypto";
import { type Clock, systemClock } from "../clock/index.ts";
import { type FernetKey, type Opened, open, parseFernetKey, seal } from "./fernet.ts";

export interface Vault {
  encrypt(text: string): string;
  /** Throws `VaultError` when no key opens the token. */
  decrypt(token: string): string;
  /** The same secret under the first key, keeping the time it was sealed at. */
  rotate(token: string): string;
}

/** The keys or a stored token are unusable. Its message never holds either. */
export class VaultError extends Error {
  override readonly name = "VaultError";
}

export function createVault(keys: readonly string[], clock: Clock = systemClock): Vault {
  const parsed = keys.map(requireKey);
  const [first] = parsed;
  if (!first) throw new VaultError("at least one encryption key is needed");

  function openWithAny(token: string): Extract<Opened, { ok: true }> {
    for (const key of parsed) {
      const opened = open(token, key);
      if (opened.ok) return opened;
      if (opened.reason === "malformed") throw new VaultError("the stored secret is not a Fernet token");
    }
    throw new VaultError(
      `none of the ${parsed.length} encryption key(s) opens the stored secret: its key was removed or it was altered`,
    );
  }

  return {
    encrypt: (text) => seal(Buffer.from(text, "utf8"), first, clock.now()),
    decrypt: (token) => openWithAny(token).message.toString("utf8"),
    rotate(token) {
      const { message, sealedAt } = openWithAny(token);
      return seal(message, first, sealedAt);
    },
  };
}

export function generateKey(): string {
  return randomBytes(32).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

function requireKey(text: string, index: number): FernetKey {
  const key = parseFernetKey(text);
  if (key) return key;
  throw new VaultError(
    `encryption key ${index + 1} is malformed: expected 32 bytes as 44 characters of URL-safe base64, got ${text.length} characters`,
  );
}
