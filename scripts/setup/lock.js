// Lets one setup at a time work on the clone. A folder, because making one is atomic everywhere; its holder touches
// it while it works, so that one left by a killed setup is recognised by its age, whoever has its number by now.
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

/** After a sleep of the whole machine the folder may have been taken for stale; there is nothing left to keep then. */
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

/** Of several that find it stale, one succeeds in renaming it; nobody removes the folder that follows it. */
function removeStale(folder) {
  const aside = `${folder}-${process.pid}`;
  try {
    renameSync(folder, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
