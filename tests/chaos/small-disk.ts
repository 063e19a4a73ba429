import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../src/kernel/errors/index.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** A file system in memory, small enough to be filled in a moment. */
export interface SmallDisk {
  fill(): void;
  free(): void;
  remove(): void;
}

const megabytes = 700;
const pieceBytes = 1 << 20;

/** Undefined where a disk can be filled, or else a sentence. */
export function whyNoSmallDisk(): string | undefined {
  const free = Math.floor(freemem() / 2 ** 20);
  if (free < 2 * megabytes)
    return `A disk that can be filled is kept in memory: ${2 * megabytes} MB of it must be free, and ${free} MB are.`;
  const folder = tempFolder("small-disk");
  try {
    smallDisk(folder).remove();
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only root may mount one: elsewhere this throws with a sentence. */
export function smallDisk(folder: string): SmallDisk {
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder]);
  if (mounted.status !== 0)
    throw new Error("A disk that can be filled needs a file system of its own, which only root may mount.");
  const ballast = join(folder, "ballast");
  return {
    fill() {
      const file = openSync(ballast, "w");
      try {
        // Whole pieces first, then what is left of the last one.
        for (let bytes = pieceBytes; bytes >= 1; bytes = Math.floor(bytes / 64)) writeAll(file, bytes);
      } finally {
        closeSync(file);
      }
      if (statfsSync(folder).bavail > 0) throw new Error("the disk was not filled");
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => void spawnSync("umount", [folder]),
  };
}

function writeAll(file: number, bytes: number): void {
  const piece = Buffer.alloc(bytes, 7);
  try {
    while (writeSync(file, piece) === bytes);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
