import { openVault } from "../../configured/index.ts";
import {
  BackupError,
  checkBackup,
  type Fit,
  fitRelease,
  inWords,
  loadTables,
  noteRestored,
  type OpenBackup,
  openBackup,
  readApplied,
  readRestored,
  refuseBeyond,
  refuseData,
  refuseServers,
  releaseRestored,
  restoreFiles,
  schemasOf,
  withSession,
} from "../../kernel/backup/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Config } from "../../kernel/config/index.ts";
import { type MigrationSources, migrate, readMigrationSources, type Sql } from "../../kernel/db/index.ts";
import { runWorkerMigrations } from "../../kernel/jobs/index.ts";
import { version } from "../../kernel/paths/index.ts";
import type { SealedStore } from "../../kernel/sealed/index.ts";
import { type Module, roles } from "../../module/index.ts";
import {
  type AddCommand,
  byOf,
  configOf,
  coreFor,
  counted,
  exitCodes,
  explain,
  moment,
  print,
  type Terminal,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";
import { fileFolders, listWorkspaces, setWorkspaceStatus } from "../../workspaces/index.ts";
import { withPlace } from "../backup/open-place.ts";
import { asOwner, migrateDatabase } from "../migrating.ts";
import { createProgress, type Progress } from "../progress.ts";
import { checkSealed } from "../sealed-stores.ts";

interface RestoreOptions {
  readonly backup?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly resume?: boolean;
  readonly withoutKeys?: boolean;
  readonly unencrypted?: boolean;
  readonly json?: boolean;
}

/** Tables in which migrations and servers that did nothing leave rows, so that these do not count as data. */
export const prefilled = ["audit.retention", "delivery.dispatcher_state", "delivery.dispatcher_runs"];

/** `molva restore <place>`, `molva restore release`. */
export const restoreCommand =
  (modules: readonly Module[]): AddCommand =>
  (program, terminal) => {
    const stores = modules.flatMap(({ sealed = [] }) => sealed);
    const command = program
      .command("restore")
      .description("fill an empty database and the file storage from a backup")
      .argument("<place>", "a folder, or s3://bucket/prefix")
      .option("--backup <id>", "which one; the latest unless given")
      .option("--dry-run", "change nothing, check the backup, the keys and the database")
      .option("--yes", "do not ask")
      .option("--resume", "let servers start at once: posts that were sent after the backup are sent again")
      .option(
        "--without-keys",
        "restore although encryption keys are lost: what they sealed stays unreadable",
      )
      .option("--unencrypted", "accept a backup that is not encrypted although MOLVA_BACKUP_KEY is set")
      .option("--json", "one line of JSON")
      .action(async (name: string, options: RestoreOptions) => {
        const config = configOf(terminal);
        await withPlace(config, name, async (place) => {
          const backup = await openBackup(place, {
            id: options.backup,
            secret: config.MOLVA_BACKUP_KEY,
            unencrypted: options.unencrypted,
          });
          await restore(terminal, config, stores, backup, options);
        });
      });

    command
      .command("release")
      .description("let servers run on a restored database")
      .option(
        "--paused",
        "with every workspace paused: no post, webhook or charge leaves, bots answer and articles are written",
      )
      .option("--json", "one line of JSON")
      .action(async (_options: unknown, self: { optsWithGlobals(): { paused?: boolean; json?: boolean } }) =>
        release(terminal, self.optsWithGlobals()),
      );
  };

async function restore(
  terminal: Terminal,
  config: Config,
  stores: readonly SealedStore[],
  backup: OpenBackup,
  options: RestoreOptions,
): Promise<void> {
  const sources = await readMigrationSources();
  const fit = fitRelease(backup, sources, version);
  await refuseOtherKeys(config, backup, options);
  const progress = options.json ? undefined : createProgress(terminal);
  try {
    await withDatabase(asOwner(config), async (sql, url) => {
      await refuseUnfit(url, backup, sources);
      const wrong = await checkBackup(backup, (what) => progress?.step(`checking ${what}`));
      progress?.done();
      if (wrong.length > 0)
        throw new BackupError(
          [`Backup ${backup.header.id} is damaged; nothing was restored:`, ...wrong].join("\n  "),
        );
      if (options.dryRun)
        return print(terminal, options, { ...factsOf(backup), dry_run: true }, () =>
          [`${sentenceOf(backup)} can be restored here; nothing was changed.`, ...upgradeLine(fit)].join(
            "\n",
          ),
        );
      await confirm(terminal, backup, options);
      await migrate(sql, fit.before);
      await runWorkerMigrations(url);
      const keys = await coreFor(terminal, sql, url, async (core) => {
        progress?.step("files");
        await restoreFiles(backup, core.storage, fileFolders);
        await load(url, backup, sources, options, progress);
        progress?.step(fit.older ? "migrating to this release" : "functions and rights");
        await migrateDatabase(config, url);
        await sql`analyze`;
        progress?.step("encryption keys");
        return keysSay(stores, core);
      });
      progress?.done();
      await report(terminal, sql, backup, fit, keys, options);
    });
  } catch (error) {
    throw inWords(error, "The restore did not succeed");
  } finally {
    progress?.done();
  }
}

async function refuseOtherKeys(
  config: Config,
  { body }: OpenBackup,
  { withoutKeys }: RestoreOptions,
): Promise<void> {
  const { keyIds } = await openVault(config);
  const absent = body.keys.needed.filter((id) => !keyIds.includes(id));
  if (absent.length === 0 || withoutKeys) return;
  throw new UserError(
    `The backup needs the encryption ${absent.length > 1 ? "keys" : "key"} ${absent.join(", ")}, and here there is ${keyIds.join(", ")}. ` +
      "Set MOLVA_ENCRYPTION_KEYS of the installation that was backed up, or copy its MOLVA_HOME/encryption.keys. If they are lost for ever, --without-keys restores everything but the secrets.",
  );
}

async function refuseUnfit(url: string, backup: OpenBackup, { migrations }: MigrationSources): Promise<void> {
  await withSession(url, async (session) => {
    await refuseData(session, schemasOf(migrations), prefilled);
    refuseBeyond(backup, await readApplied(session));
    await refuseServers(session, roles);
  });
}

async function load(
  url: string,
  backup: OpenBackup,
  { migrations }: MigrationSources,
  { resume }: RestoreOptions,
  progress: Progress | undefined,
): Promise<void> {
  await withSession(url, (session) =>
    loadTables(session, {
      ...{ backup, prefilled, roles },
      schemas: schemasOf(migrations),
      ...(progress && { onStep: progress.step }),
      async note(open) {
        if (resume) return;
        const { id, taken_at } = backup.header;
        await noteRestored(open, {
          backup: id,
          taken_at: new Date(taken_at),
          restored_at: systemClock.now(),
        });
      },
    }),
  );
}

async function confirm(terminal: Terminal, backup: OpenBackup, { yes }: RestoreOptions): Promise<void> {
  if (yes) return;
  const typed = await terminal.ask?.(`${sentenceOf(backup)} will be restored here. Type yes to go on: `);
  if (typed === undefined) throw new UserError("There is no terminal to ask: pass --yes.", exitCodes.usage);
  if (typed.trim().toLowerCase() !== "yes") throw new UserError("Nothing was restored.");
}

async function keysSay(
  stores: readonly SealedStore[],
  core: Parameters<typeof checkSealed>[1],
): Promise<{ ok: boolean; says: string }> {
  try {
    return { ok: true, says: await checkSealed(stores, core) };
  } catch (error) {
    return { ok: false, says: explain(error).message };
  }
}

async function report(
  terminal: Terminal,
  sql: Sql,
  backup: OpenBackup,
  fit: Fit,
  keys: { ok: boolean; says: string },
  options: RestoreOptions,
): Promise<void> {
  const released = (await readRestored(sql)) === undefined;
  print(terminal, options, { ...factsOf(backup), released, keys }, () =>
    [
      `${sentenceOf(backup)} is restored: every table has the rows of the backup, compared one by one.`,
      ...upgradeLine(fit),
      `Encryption keys: ${keys.says}.`,
      ...(released ? ["Servers may be started."] : unreleasedLines(backup.header.taken_at)),
    ].join("\n"),
  );
  if (!keys.ok && !options.withoutKeys)
    throw new UserError("Everything is restored, but not every secret can be read: see above.");
}

function unreleasedLines(takenAt: string): string[] {
  return [
    `Nothing runs on this database yet: what was sent after ${moment(takenAt)} still waits in it and would be sent again.`,
    "  molva delivery list             shows what waits; molva delivery cancel takes it out",
    "  molva restore release --paused  lets servers start with every workspace paused: no post, webhook or charge leaves; bots answer",
    "  molva restore release           lets everything go on",
  ];
}

async function release(terminal: Terminal, options: { paused?: boolean; json?: boolean }): Promise<void> {
  await withDatabase(configOf(terminal), async (sql) => {
    const restored = await readRestored(sql);
    if (!restored) throw new UserError("There is nothing to release: servers may be started.");
    const deps = { sql, clock: systemClock };
    const active = (await listWorkspaces(sql)).filter(({ status }) => status === "active");
    const by = byOf({ reason: `restored from backup ${restored.backup}` });
    if (options.paused) for (const { id } of active) await setWorkspaceStatus(deps, id, "paused", by);
    await releaseRestored(sql);
    const paused = options.paused ? active.map(({ id }) => id) : [];
    print(terminal, options, { released: restored.backup, paused }, () =>
      [
        "Servers may be started.",
        ...(options.paused
          ? [`Paused: ${counted(active.length, "workspace")}; molva workspace resume lets one go on.`]
          : []),
      ].join("\n"),
    );
  });
}

function factsOf({ header, body }: OpenBackup) {
  return {
    ...{ backup: header.id, taken_at: header.taken_at, molva: header.molva, tables: body.tables.length },
    ...{ rows: rowsOf(body), files: body.files.count },
  };
}

function sentenceOf({ header, body }: OpenBackup): string {
  return `Backup ${header.id} of ${moment(header.taken_at)} (${counted(rowsOf(body), "row")}, ${counted(body.files.count, "file")})`;
}

const rowsOf = ({ tables }: OpenBackup["body"]) => tables.reduce((sum, { rows }) => sum + rows, 0);

const upgradeLine = ({ older }: Fit) =>
  older ? ["It is of an older release; its rows are migrated to this one after loading."] : [];
