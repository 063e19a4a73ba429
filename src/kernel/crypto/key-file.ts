import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../errors/index.ts";
import { generateKey, VaultError } from "./vault.ts";

/** The keys kept in the home folder, made on the first start. Production names its keys in the environment instead. */
export async function ensureKeyFile(home: string): Promise<string[]> {
  const file = join(home, "encryption.keys");
  const kept = await readKeys(file);
  if (kept) return kept;
  await mkdir(home, { recursive: true });
  // Linking is atomic and never overwrites: two processes that start together both use the first one's key.
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${generateKey()}\n`, { mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKeys(file)) ?? [];
}

async function readKeys(file: string): Promise<string[] | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new VaultError(
      `the encryption keys in ${file} cannot be read: ${codeOf(error) ?? "unknown error"}`,
    );
  });
  if (text === undefined) return undefined;
  const keys = text.split(/\s+/).filter((key) => key !== "");
  // A new key would make every stored secret unreadable without a word.
  if (keys.length === 0)
    throw new VaultError(`${file} is empty: restore it from a backup, or delete it to begin anew`);
  return keys;
}
