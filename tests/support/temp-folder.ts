import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new empty folder. Open to everybody unless `mode` says otherwise, because tests as root start other users. */
export function tempFolder(name: string, mode = 0o755): string {
  const folder = join(
    realpathSync(tmpdir()),
    `molva-${name}-${process.pid}-${randomBytes(4).toString("hex")}`,
  );
  mkdirSync(folder);
  // mkdir's mode passes through the umask.
  chmodSync(folder, mode);
  return folder;
}
