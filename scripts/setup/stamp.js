// Tells whether output was made from the current sources: by contents, because a checkout changes every date.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A hash of files and folders of the clone, by name and contents; tests are not part of what is built. */
export function hashOf(root, names) {
  const hash = createHash("sha256");
  for (const name of names.flatMap((each) => filesOf(root, each)).sort()) {
    hash.update(`${name}\0`);
    hash.update(readFileSync(join(root, name)));
  }
  return hash.digest("hex");
}

export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR" || error instanceof SyntaxError) return {};
    throw error;
  }
}

export function writeStamp(file, stamp) {
  if (existsSync(dirname(file))) writeFileSync(file, JSON.stringify(stamp));
}

function filesOf(root, name) {
  if (!existsSync(join(root, name))) return [];
  return walk(root, name);
}

function walk(root, name) {
  const entries = entriesOf(join(root, name));
  if (!entries) return [name];
  return entries
    .filter(
      (entry) =>
        entry.name !== "node_modules" && entry.name !== "testing" && !/\.test\.tsx?$/.test(entry.name),
    )
    .flatMap((entry) =>
      entry.isDirectory() ? walk(root, join(name, entry.name)) : [join(name, entry.name)],
    );
}

function entriesOf(path) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
