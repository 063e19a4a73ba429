import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.js";
import { SetupError, toolError } from "./setup-error.js";
import { hashOf, readStamp, writeStamp } from "./stamp.js";

/** Whether packages are missing. Those for development count only when something must be built or tested. */
export function needsInstall(root, { development }) {
  const stamp = currentStamp(root);
  if (readStamp(stampFile(root)).packages === stamp.packages) return false;
  if (!matchesLockfile(root, development)) return true;
  // Installed by “npm install”, which writes no stamp. If we cannot write one, we compare every time.
  if (development) remember(root, stamp);
  return false;
}

/**
 * Installs the packages of the lockfile. Not by “npm ci”: that refuses a lockfile without the packages of other systems, which
 * some registry mirrors lack.
 */
export async function install(root) {
  const stamp = currentStamp(root);
  const npm = npmCommand();
  // Without npm's own list the folder is incomplete, and npm would take a partial package for a whole one.
  if (!existsSync(installedList(root))) rmSync(join(root, "node_modules"), { recursive: true, force: true });
  const args = [
    "install",
    "--no-save",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
  ];
  const result = await run(npm.command, [...npm.args, ...args], { cwd: root }).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new SetupError("npm was not found; install it together with Node.js from https://nodejs.org.");
  });
  if (result.status !== 0)
    throw toolError(root, result.output, "npm could not install the packages; its output above says why.");
  writeStamp(stampFile(root), stamp);
}

/** npm links the programs of dependencies, not the project's own; with this link `npx molva` starts at once. */
export function linkCommand(root) {
  const link = join(root, "node_modules", ".bin", "molva");
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  try {
    mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
    symlinkSync(join("..", "..", "bin", "molva.js"), link);
  } catch {
    // Optional: without it npx also finds the command, only slower.
  }
}

function currentStamp(root) {
  return { packages: `${hashOf(root, ["package-lock.json"])} ${process.platform}-${process.arch}` };
}

function stampFile(root) {
  return join(root, "node_modules", ".molva-stamp");
}

function remember(root, stamp) {
  try {
    writeStamp(stampFile(root), stamp);
  } catch {
    // Installed by another user.
  }
}

/** npm keeps a list of what it installed; the lockfile says what should be there. */
function matchesLockfile(root, development) {
  if (!existsSync(installedList(root))) return false;
  const installed = JSON.parse(readFileSync(installedList(root), "utf8")).packages;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, dev }]) => {
    if (path === "" || optional || devOptional || (dev && !development)) return true;
    return installed[path]?.version === version;
  });
}

function installedList(root) {
  return join(root, "node_modules", ".package-lock.json");
}

/** The npm that runs us, if one does: it may not be the one on the path. */
function npmCommand() {
  const running = process.env.npm_execpath;
  return running?.endsWith("npm-cli.js")
    ? { command: process.execPath, args: [running] }
    : { command: "npm", args: [] };
}
