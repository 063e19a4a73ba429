import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createVault, ensureKeyFile } from "./index.ts";

const newHome = () => mkdtemp(join(tmpdir(), "molva-keys-"));

it("makes a key on the first start, for the owner's eyes only, and keeps it", async () => {
  const home = await newHome();
  const keys = await ensureKeyFile(home);
  expect(
    createVault(keys).decrypt(createVault(await ensureKeyFile(home)).encrypt("тайна", "here"), "here"),
  ).toBe("тайна");
  expect((await stat(join(home, "encryption.keys"))).mode & 0o777).toBe(0o600);
});

it("gives every one of several starters the same key", async () => {
  const home = await newHome();
  const all = await Promise.all(Array.from({ length: 8 }, () => ensureKeyFile(home)));
  expect(new Set(all.map(String)).size).toBe(1);
  expect((await readFile(join(home, "encryption.keys"), "utf8")).trim()).toBe(all[0]?.[0]);
});

it("never replaces a file that lost its keys", async () => {
  const home = await newHome();
  await writeFile(join(home, "encryption.keys"), "\n");
  await expect(ensureKeyFile(home)).rejects.toThrow("is empty: restore it from a backup");
});
