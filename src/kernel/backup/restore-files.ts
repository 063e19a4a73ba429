import type { ObjectStorage } from "../storage/index.ts";
import { BackupError } from "./backup-error.ts";
import { unpackFiles } from "./files.ts";
import { readParts } from "./parts.ts";
import type { OpenBackup } from "./place.ts";

/**
 * Puts the files back under their names. A file that is there already stays: it has the same content, and may have been encrypted with a
 * newer key since the backup.
 */
export async function restoreFiles(
  backup: OpenBackup,
  storage: ObjectStorage,
  folders: readonly string[],
): Promise<void> {
  const { files } = backup.body;
  const found = await unpackFiles(readParts(backup, files.parts), async ({ key, type }, content) => {
    if (!folders.includes(key.split("/")[0] ?? ""))
      throw new BackupError(`The backup has a file that is none of Molva's: ${key}.`);
    if (await storage.head(key)) return;
    await storage.put(key, content, { contentType: type });
  });
  if (found.count !== files.count)
    throw new BackupError(`Only ${found.count} of ${files.count} files could be restored.`);
}
