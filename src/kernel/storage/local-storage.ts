/** Objects as files in a folder: the key is the path, the content type is in a file beside it. Nothing is held in memory. */

import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../clock/index.ts";
import { codeOf } from "../errors/index.ts";
import {
  checkKey,
  checkPrefix,
  checkSignedLife,
  type ListedObject,
  type ObjectStorage,
  StorageError,
} from "./object-storage.ts";
import { signKey, verifySignedKey } from "./signed-key.ts";

export interface LocalStorageSettings {
  readonly folder: string;
  /** The address of the route that serves signed keys, without a trailing slash. */
  readonly urlBase: string;
  /** Signs those addresses. */
  readonly secret: string;
  readonly clock: Clock;
}

/** Keys contain no plus sign, so these names collide with none. */
const incoming = "+incoming";
const typeSuffix = "+type";
const abandonedAfterMs = 24 * 3_600_000;
const unknownType = "application/octet-stream";

export function createLocalStorage({ folder, urlBase, secret, clock }: LocalStorageSettings): ObjectStorage {
  const pathOf = (key: string) => {
    checkKey(key);
    return join(folder, key);
  };

  let drafts: Promise<string> | undefined;
  const draftsReady = () => {
    drafts ??= prepareDrafts(folder, clock);
    return drafts;
  };

  async function get(key: string) {
    const path = pathOf(key);
    const file = await unlessAbsent(open(path));
    const facts = await file?.stat();
    if (!file || !facts?.isFile()) {
      await file?.close();
      return undefined;
    }
    return { key, size: facts.size, contentType: await typeOf(path), body: file.createReadStream() };
  }

  return {
    async put(key, content, { contentType }) {
      const path = pathOf(key);
      const drafts = await draftsReady();
      const draft = join(drafts, randomUUID());
      try {
        const source = content instanceof Readable ? content : Readable.from([content]);
        // Flushed before it is renamed, so that the file is complete after a power cut.
        await pipeline(source, createWriteStream(draft, { flush: true }));
        await writeFile(`${draft}${typeSuffix}`, contentType);
        await mkdir(dirname(path), { recursive: true });
        if ((await unlessAbsent(stat(path)))?.isDirectory()) throw keyIsFolder(key);
        await rename(`${draft}${typeSuffix}`, `${path}${typeSuffix}`);
        await rename(draft, path);
      } catch (error) {
        await Promise.all([rm(draft, { force: true }), rm(`${draft}${typeSuffix}`, { force: true })]);
        // A part of the path is already a file.
        throw isAny(error, "ENOTDIR", "EEXIST") ? keyIsFolder(key, error) : error;
      }
    },

    get,

    async head(key) {
      const path = pathOf(key);
      const facts = await unlessAbsent(stat(path));
      return facts?.isFile() ? { key, size: facts.size, contentType: await typeOf(path) } : undefined;
    },

    async delete(key) {
      const path = pathOf(key);
      const facts = await unlessAbsent(stat(path));
      if (!facts?.isFile()) return;
      await rm(path, { force: true });
      await rm(`${path}${typeSuffix}`, { force: true });
    },

    list(prefix) {
      checkPrefix(prefix);
      return walk(folder, prefix.slice(0, prefix.lastIndexOf("/") + 1), prefix);
    },

    async signedUrl(key, { expiresInMs }) {
      checkKey(key);
      checkSignedLife(expiresInMs);
      const expiresAt = new Date(clock.now().getTime() + expiresInMs);
      const { expires, signature } = signKey(key, expiresAt, secret);
      return `${urlBase}/${key}?${new URLSearchParams({ expires, signature })}`;
    },

    openSigned: async (address) => (verifySignedKey(address, secret, clock) ? get(address.key) : undefined),

    close: async () => {},
  };
}

/** Where unfinished objects are. Those of killed processes are removed after a day. */
async function prepareDrafts(folder: string, clock: Clock): Promise<string> {
  const drafts = join(folder, incoming);
  await mkdir(drafts, { recursive: true });
  for await (const { name } of await opendir(drafts)) {
    const facts = await unlessAbsent(stat(join(drafts, name)));
    if (facts && facts.mtimeMs < clock.now().getTime() - abandonedAfterMs)
      await rm(join(drafts, name), { force: true });
  }
  return drafts;
}

/** Lists files below `within` (empty, or ending in a slash) whose key begins with `prefix`. */
async function* walk(folder: string, within: string, prefix: string): AsyncIterable<ListedObject> {
  const entries = await unlessAbsent(opendir(join(folder, within)));
  for await (const entry of entries ?? []) {
    const key = `${within}${entry.name}`;
    if (entry.name.includes("+")) continue;
    if (entry.isDirectory() && (key.startsWith(prefix) || prefix.startsWith(`${key}/`))) {
      yield* walk(folder, `${key}/`, prefix);
    }
    if (entry.isFile() && key.startsWith(prefix)) {
      const facts = await unlessAbsent(stat(join(folder, key)));
      if (facts) yield { key, size: facts.size };
    }
  }
}

async function typeOf(path: string): Promise<string> {
  return (await unlessAbsent(readFile(`${path}${typeSuffix}`, "utf8"))) ?? unknownType;
}

async function unlessAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isAny(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

function isAny(error: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(error) ?? "");
}

function keyIsFolder(key: string, cause?: unknown): StorageError {
  return new StorageError("KeyIsFolder", `${key} is the folder of another key, or the other way round`, {
    cause,
  });
}
