/** The PostgreSQL that this machine has from its own packages, for what is to be tried with it where it is there. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newPassword } from "../../src/kernel/postgres/access.ts";
import { type Address, ensureDatabase, urlOf } from "../../src/kernel/postgres/ask.ts";
import type { Binaries } from "../../src/kernel/postgres/binaries.ts";
import type { EmbeddedPostgres, ServerSettings } from "../../src/kernel/postgres/index.ts";
import { runProgram } from "../../src/kernel/postgres/programs.ts";
import { whoRuns } from "../../src/kernel/postgres/run-as.ts";
import { launch } from "../../src/kernel/postgres/server.ts";
import { loopbackOnly, smallMachine, superuser } from "../../src/kernel/postgres/server-settings.ts";
import { stopServer } from "../../src/kernel/postgres/stop.ts";

/** Folders of versions, as Debian and Fedora have them, and as Homebrew does on both kinds of Mac. */
const places = [
  { above: "/usr/lib/postgresql", version: /^(\d+)$/ },
  { above: "/usr", version: /^pgsql-(\d+)$/ },
  { above: "/opt/homebrew/opt", version: /^postgresql@(\d+)$/ },
  { above: "/usr/local/opt", version: /^postgresql@(\d+)$/ },
];
/** The oldest that Molva supports, which is tried first. */
const oldest = 15;

/** The oldest one here that Molva supports; undefined where there is none. */
export function systemPostgres(): Binaries | undefined {
  const found = places.flatMap(({ above, version }) =>
    (existsSync(above) ? readdirSync(above) : []).flatMap((name) => {
      const major = Number(version.exec(name)?.[1] ?? 0);
      const folder = join(above, name);
      return major >= oldest && existsSync(join(folder, "bin", "initdb")) ? [{ major, folder }] : [];
    }),
  );
  const [first] = found.toSorted((one, other) => one.major - other.major);
  if (!first) return undefined;
  const postgres = join(first.folder, "bin", "postgres");
  const said = spawnSync(postgres, ["--version"], { encoding: "utf8" }).stdout ?? "";
  const version = /\d+(\.\d+)*/.exec(said)?.[0];
  return version === undefined
    ? undefined
    : {
        folder: first.folder,
        initdb: join(first.folder, "bin", "initdb"),
        postgres,
        major: String(first.major),
        version,
      };
}

/** A new cluster in the folder, served by these programs. For root it runs as another user, as the embedded one does. */
export async function startSystemPostgres(
  binaries: Binaries,
  { home, settings }: { readonly home: string; readonly settings: ServerSettings },
): Promise<EmbeddedPostgres> {
  const runAs = await whoRuns([]);
  const dataFolder = join(home, "pg");
  mkdirSync(dataFolder, { mode: 0o700 });
  const password = newPassword();
  const passwordFile = join(home, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chmodSync(home, 0o711);
  if (runAs.ids) for (const path of [dataFolder, passwordFile]) chownSync(path, runAs.ids.uid, runAs.ids.gid);
  const args = [
    ...[`--pgdata=${dataFolder}`, `--username=${superuser}`, `--pwfile=${passwordFile}`],
    ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8"],
  ];
  const made = await runProgram(binaries.initdb, args, runAs);
  if (made.status !== 0) throw new Error(`${binaries.initdb} failed: ${made.output}`);
  const plan = { home, dataFolder, settings: { ...smallMachine, ...settings, ...loopbackOnly } };
  const { port } = await launch(plan, { binaries, runAs });
  const address: Address = { port, password };
  await ensureDatabase(address);
  return { url: urlOf(address), dataFolder, fresh: true, stop: () => stopServer(dataFolder) };
}
