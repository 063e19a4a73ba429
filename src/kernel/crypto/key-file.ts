import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateKey } from "./vault.ts";

/** The keys kept in the home folder, made on the first start. Production names its keys in the environment instead. */
export async function ensureKeyFile(home: string): Promise<string[]> {
  const file = join(home, "encryption.keys");
  const kept = await readKeys(file);
  if (kept) return kept;
  await mkdir(home, { recursive: true });
  try {
    await writeFile(file, `${generateKey()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another process was first: its key is the one.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return (await readKeys(file)) ?? [];
}

async function readKeys(file: string): Promise<string[] | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const keys = text?.split(/\s+/).filter((key) => key !== "");
  return keys?.length ? keys : undefined;
}
