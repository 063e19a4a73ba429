/**
 * Where root puts what the unprivileged user must reach when the project's own folder lets nobody else in:
 * `<store>/<hash of home>/pg` for data, `<store>/postgres-<version>` for binaries.
 */

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { codeOf } from "../errors/index.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import { canEnter, type RunAs } from "./run-as.ts";

/** The first usable one is taken. */
const stores = ["/var/lib/molva", "/var/tmp/molva", join(tmpdir(), "molva"), "/tmp/molva"] as const;

const entryShape = z.object({ home: z.string(), device: z.number() });

export async function openStore(runAs: RunAs): Promise<string> {
  for (const store of stores) {
    if ((await isOurs(store)) && canEnter(runAs, store)) return store;
  }
  throw new EmbeddedPostgresError(
    "no_permission",
    `PostgreSQL refuses to run as root, and the user “${runAs.name}” can enter neither Molva's folder nor ${stores[0]}; run Molva as a plain user, or set DATABASE_URL to a PostgreSQL of yours.`,
  );
}

/** The folder of `home` in a store, if it has one already. */
export async function storedEntry(home: string): Promise<string | undefined> {
  for (const store of stores) {
    const entry = join(store, hashOf(home));
    const there = await lstat(entry).catch(() => undefined);
    if (there?.isDirectory() && there.uid === 0) return entry;
  }
  return undefined;
}

export async function newEntry(store: string, home: string): Promise<string> {
  const entry = join(store, hashOf(home));
  await mkdir(entry, { recursive: true, mode: 0o755 });
  const { dev: device } = await stat(home);
  await writeFile(join(entry, "home.json"), JSON.stringify({ home, device }));
  return entry;
}

/** Entries of every store whose home was deleted. */
export async function abandonedEntries(): Promise<{ entry: string; home: string }[]> {
  const found: { entry: string; home: string }[] = [];
  for (const store of stores) {
    const names = await readdir(store).catch(() => []);
    for (const name of names.filter((each) => /^[0-9a-f]{16}$/.test(each))) {
      const entry = join(store, name);
      const text = await readFile(join(entry, "home.json"), "utf8").catch(() => undefined);
      const about = text === undefined ? undefined : entryShape.safeParse(JSON.parse(text)).data;
      if (about && (await isDeleted(about.home, about.device))) found.push({ entry, home: about.home });
    }
  }
  return found;
}

/** A home on an unmounted disk is missing too, but then the rest of its path is on another device. */
async function isDeleted(home: string, device: number): Promise<boolean> {
  if (await stat(home).catch(() => undefined)) return false;
  let ancestor = dirname(home);
  for (;;) {
    const there = await stat(ancestor).catch(() => undefined);
    if (there) return there.dev === device;
    ancestor = dirname(ancestor);
  }
}

/** In a world-writable folder, another user may have created a folder of this name before us. */
async function isOurs(store: string): Promise<boolean> {
  try {
    await mkdir(store, { recursive: true, mode: 0o755 });
    const there = await lstat(store);
    return there.isDirectory() && there.uid === 0 && (there.mode & 0o022) === 0;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

function hashOf(home: string): string {
  return createHash("sha256").update(home).digest("hex").slice(0, 16);
}
