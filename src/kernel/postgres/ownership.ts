import { chown, stat } from "node:fs/promises";

/** Root may work on another user's home; that user must be able to use the files later. */
export async function giveToOwnerOf(home: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(home);
  await chown(file, owner.uid, owner.gid);
}
