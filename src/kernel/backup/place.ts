/** Where backups are kept: a folder or a bucket, each backup below its own id. */
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { messageOf } from "../errors/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import { BackupError } from "./backup-error.ts";
import type { BackupSecret, KeyFor } from "./backup-key.ts";
import { type Body, type Header, readHeader, readManifest } from "./manifest.ts";

export interface Place {
  /** As it was given, for people. */
  readonly name: string;
  readonly storage: ObjectStorage;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

export interface Listed {
  readonly id: string;
  /** Absent if the backup was never finished or its manifest cannot be read. */
  readonly header?: Header;
  readonly broken?: string;
}

export interface OpenBackup {
  readonly place: Place;
  readonly header: Header;
  readonly body: Body;
  readonly keyFor: KeyFor;
}

const idShape = /^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}$/;
const manifestName = "manifest.json";

/** Sorts by time. */
export function newId(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z-${randomBytes(4).toString("hex")}`;
}

export const partKey = ({ prefix }: Place, id: string, name: string) => `${prefix}${id}/parts/${name}`;
export const manifestKey = ({ prefix }: Place, id: string) => `${prefix}${id}/${manifestName}`;

/** Every backup, the oldest first, broken ones included. */
export async function listBackups(place: Place): Promise<Listed[]> {
  const ids = new Set<string>();
  for await (const { key } of place.storage.list(place.prefix)) {
    const [id = ""] = key.slice(place.prefix.length).split("/");
    if (idShape.test(id)) ids.add(id);
  }
  const listed: Listed[] = [];
  for (const id of [...ids].sort()) {
    const bytes = await readWhole(place, manifestKey(place, id));
    if (!bytes) listed.push({ id, broken: "it was never finished" });
    else
      try {
        listed.push({ id, header: readHeader(bytes) });
      } catch (error) {
        listed.push({ id, broken: messageOf(error) });
      }
  }
  return listed;
}

/** The named backup, or the latest that was finished. */
export async function openBackup(
  place: Place,
  { id: wanted, ...secret }: BackupSecret & { readonly id?: string | undefined },
): Promise<OpenBackup> {
  const id = wanted ?? (await latest(place));
  if (!idShape.test(id))
    throw new BackupError(`${id} is no id of a backup: \`molva backup list\` shows them.`);
  const bytes = await readWhole(place, manifestKey(place, id));
  if (!bytes)
    throw new BackupError(
      `There is no finished backup ${id} in ${place.name}: \`molva backup list\` shows what there is.`,
    );
  const { header, body, keyFor } = await readManifest(bytes, secret);
  if (header.id !== id) throw new BackupError(`What lies at ${id} is the manifest of ${header.id}.`);
  return { place, header, body, keyFor };
}

async function latest(place: Place): Promise<string> {
  const listed = await listBackups(place);
  const found = listed.findLast(({ header }) => header !== undefined);
  if (found) return found.id;
  throw new BackupError(
    listed.length > 0
      ? `No backup in ${place.name} was finished; broken: ${listed.map(({ id }) => id).join(", ")}.`
      : `There is no backup in ${place.name}.`,
  );
}

/** The manifest goes first: what is half deleted is no backup. */
export async function deleteBackup(place: Place, id: string): Promise<void> {
  await place.storage.delete(manifestKey(place, id));
  for await (const { key } of place.storage.list(`${place.prefix}${id}/`)) await place.storage.delete(key);
}

const dayMs = 24 * 3_600_000;

/**
 * Deletes all but the newest `keep` finished backups. Of unfinished ones, which may still be running, those that are older than
 * all that are kept and older than a day. Returns the ids.
 */
export async function pruneBackups(place: Place, keep: number, now: Date): Promise<string[]> {
  const listed = await listBackups(place);
  const kept = listed.filter(({ header }) => header).slice(-keep);
  const [oldest] = kept;
  if (!oldest) return [];
  const yesterday = newId(new Date(now.getTime() - dayMs));
  const gone = listed.filter(({ id, header }) => id < oldest.id && (header || id < yesterday));
  for (const { id } of gone) await deleteBackup(place, id);
  return gone.map(({ id }) => id);
}

async function readWhole({ storage }: Place, key: string): Promise<Buffer | undefined> {
  const object = await storage.get(key);
  return object && buffer(object.body);
}
