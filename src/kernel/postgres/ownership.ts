import { chown, stat } from "node:fs/promises";

/** Root may work on the home of another user, who must be able to use these files without root later. */
export async function giveToOwnerOf(home: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(home);
  await chown(file, owner.uid, owner.gid);
}
