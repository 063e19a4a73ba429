// Lets one setup at a time work on the clone. A folder, because creating one is atomic everywhere; its holder touches it while
// it works, so that the lock of a killed setup is recognised by its age, even if its process number was reused.
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const heartbeatMs = 1_000;
const staleMs = 10_000;
const pollMs = 200;

export async function withLock(root, progress, action) {
  mkdirSync(join(root, "dist"), { recursive: true });
  const folder = join(root, "dist", ".lock");
  if (!taken(folder)) await progress.step("Waiting for another setup of this clone", () => waitFor(folder));
  const heartbeat = setInterval(() => touch(folder), heartbeatMs);
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** After the machine slept, another setup may have removed the folder as stale; then there is nothing to touch. */
function touch(folder) {
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
}

async function waitFor(folder) {
  while (!taken(folder)) await delay(pollMs);
}

function taken(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (Date.now() - touchedAt(folder) > staleMs) removeStale(folder);
  return false;
}

function touchedAt(folder) {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

/** If several find it stale, only one succeeds in renaming it, so nobody removes the next lock. */
function removeStale(folder) {
  const aside = `${folder}-${process.pid}`;
  try {
    renameSync(folder, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
