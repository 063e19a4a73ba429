import {
  type Body,
  checkBackup,
  type Header,
  type Listed,
  listBackups,
  openBackup,
  type Place,
  pruneBackups,
  schemasOf,
  takeBackup,
} from "../../kernel/backup/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Config } from "../../kernel/config/index.ts";
import { migrationStatus, readMigrationSources } from "../../kernel/db/index.ts";
import { version } from "../../kernel/paths/index.ts";
import type { SealedStore } from "../../kernel/sealed/index.ts";
import type { Module } from "../../module/index.ts";
import {
  type AddCommand,
  configOf,
  coreFor,
  counted,
  exitCodes,
  moment,
  print,
  type Terminal,
  table,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";
import { type Core, fileFolders } from "../../workspaces/index.ts";
import { withPlace } from "../backup/open-place.ts";
import { asOwner } from "../migrating.ts";
import { createProgress } from "../progress.ts";
import { inspectStores, keysInUse } from "../sealed-stores.ts";

interface BackupOptions {
  readonly json?: boolean;
  readonly keep?: string;
  readonly unencrypted?: boolean;
  readonly backup?: string;
}

const aPlace = "a folder, or s3://bucket/prefix";

/** `molva backup <place>`, `molva backup list|verify <place>`. */
export const backupCommand =
  (modules: readonly Module[]): AddCommand =>
  (program, terminal) => {
    const command = program
      .command("backup")
      .description(
        "write the database and all files into a folder or a bucket, encrypted, beside running servers",
      )
      .argument("<place>", aPlace)
      .option("--keep <number>", "afterwards delete all but the newest so many")
      .option(
        "--unencrypted",
        "without MOLVA_BACKUP_KEY: whoever reads it reads everything but sealed secrets",
      )
      .option("--json", "one line of JSON")
      .action((name: string, options: BackupOptions) => backUp(terminal, modules, name, options));

    command
      .command("list")
      .description("backups in a place, the oldest first; needs no key")
      .argument("<place>", aPlace)
      .option("--json", "one line of JSON")
      .action(async (name: string, _options: unknown, self: { optsWithGlobals(): BackupOptions }) => {
        const listed = await withPlace(configOf(terminal), name, listBackups);
        print(terminal, self.optsWithGlobals(), { items: listed.map(shownListed) }, () => listing(listed));
      });

    command
      .command("verify")
      .description("read a whole backup and check it, without a database")
      .argument("<place>", aPlace)
      .option("--backup <id>", "which one; the latest unless given")
      .option("--unencrypted", "accept a backup that is not encrypted although MOLVA_BACKUP_KEY is set")
      .option("--json", "one line of JSON")
      .action(async (name: string, _options: unknown, self: { optsWithGlobals(): BackupOptions }) => {
        const config = configOf(terminal);
        await withPlace(config, name, (place) => verify(terminal, config, place, self.optsWithGlobals()));
      });
  };

async function backUp(
  terminal: Terminal,
  modules: readonly Module[],
  name: string,
  options: BackupOptions,
): Promise<void> {
  const config = configOf(terminal);
  const keep = keepOf(options.keep);
  const secret = secretOf(config, options);
  const sources = await readMigrationSources();
  const progress = options.json ? undefined : createProgress(terminal);
  const done = await withPlace(config, name, (place) =>
    withDatabase(asOwner(config), async (sql, databaseUrl) => {
      const { pending, refusal } = await migrationStatus(sql, sources);
      if (refusal) throw new UserError(refusal);
      if (pending.length > 0)
        throw new UserError(
          `The database is behind this release (${counted(pending.length, "migration waits", "migrations wait")}): back it up with the release that runs on it, or run \`molva migrate\` first.`,
        );
      return coreFor(terminal, sql, databaseUrl, async (core) => {
        progress?.step("encryption keys");
        const keys = await keysNeeded(
          modules.flatMap(({ sealed = [] }) => sealed),
          core,
        );
        try {
          const taken = await takeBackup({
            ...{ databaseUrl, place, secret, keys },
            schemas: schemasOf(sources.migrations),
            files: core.storage,
            folders: fileFolders,
            namedFiles: modules.flatMap(({ files = [] }) => files),
            molva: version,
            now: systemClock.now(),
            ...(progress && { onStep: progress.step }),
          });
          const deleted = keep === undefined ? [] : await pruneBackups(place, keep, systemClock.now());
          return { ...taken, deleted };
        } finally {
          progress?.done();
        }
      });
    }),
  );
  tell(terminal, options, name, done);
}

/** The keys that a restore needs, and how much none of them opens. */
async function keysNeeded(stores: readonly SealedStore[], core: Core): Promise<Body["keys"]> {
  // Values of the key-value store are in no backup.
  const found = await inspectStores(
    stores.filter(({ kind }) => kind !== "keys"),
    core,
  );
  return {
    needed: keysInUse(core.vault.keyIds, found),
    unreadable: found.reduce((sum, { unreadable }) => sum + unreadable, 0),
  };
}

function tell(
  terminal: Terminal,
  options: BackupOptions,
  name: string,
  { header, body, deleted }: { header: Header; body: Body; deleted: readonly string[] },
): void {
  const { files, keys } = body;
  const rows = body.tables.reduce((sum, one) => sum + one.rows, 0);
  const shown = {
    ...{ id: header.id, place: name, taken_at: header.taken_at, tables: body.tables.length, rows },
    ...{ files: files.count, bytes: header.bytes, encrypted: header.encryption !== null },
    encryption_keys: keys.needed,
    ...{ unreadable: keys.unreadable, missing_files: files.missing, missing_named: files.missing_named },
    ...{ others: body.others, deleted },
  };
  print(terminal, options, shown, () =>
    [
      `Backup ${header.id} of ${moment(header.taken_at)} is in ${name}: ${counted(rows, "row")} of ${counted(body.tables.length, "table")}, ${counted(files.count, "file")}, ${sizeOf(header.bytes)}, ${header.encryption ? `encrypted with key ${header.encryption.key_id}` : "NOT encrypted"}.`,
      `To use it, the encryption ${keys.needed.length > 1 ? "keys" : "key"} ${keys.needed.join(", ")} will be needed, which ${keys.needed.length > 1 ? "are" : "is"} not in it: keep MOLVA_ENCRYPTION_KEYS (or MOLVA_HOME/encryption.keys) somewhere else.`,
      ...(deleted.length > 0 ? [`Deleted ${deleted.join(", ")}.`] : []),
    ].join("\n"),
  );
  if (files.missing > 0)
    terminal.err(
      `${counted(files.missing, "file")} that the database names ${files.missing > 1 ? "are" : "is"} missing in the storage: ${files.missing_named.slice(0, 5).join(", ")}${files.missing > 5 ? ", …" : ""}`,
    );
  if (keys.unreadable > 0)
    terminal.err(`No key opens ${counted(keys.unreadable, "row")}: \`molva doctor\` says what to do.`);
  if (body.others.length > 0)
    terminal.err(`Not backed up, because they are not Molva's: ${body.others.join(", ")}.`);
}

async function verify(
  terminal: Terminal,
  config: Config,
  place: Place,
  options: BackupOptions,
): Promise<void> {
  const backup = await openBackup(place, {
    id: options.backup,
    secret: config.MOLVA_BACKUP_KEY,
    unencrypted: options.unencrypted,
  });
  const { id } = backup.header;
  const progress = options.json ? undefined : createProgress(terminal);
  const wrong = await checkBackup(backup, progress?.step).finally(() => progress?.done());
  print(terminal, options, { ok: wrong.length === 0, id, wrong }, () =>
    wrong.length === 0 ? `Backup ${id} is whole.` : wrong.join("\n"),
  );
  if (wrong.length > 0)
    throw new UserError(`Backup ${id} cannot be restored: take another one (\`molva backup list\`).`);
}

const listing = table<Listed>("No backups.", {
  id: ({ id }) => id,
  taken: ({ header }) => (header ? moment(header.taken_at) : ""),
  molva: ({ header }) => header?.molva ?? "",
  size: ({ header }) => (header ? sizeOf(header.bytes) : ""),
  key: ({ header }) => (header ? (header.encryption?.key_id ?? "none") : ""),
  state: ({ broken }) => (broken ? `broken: ${broken}` : "finished"),
});

function shownListed({ id, header, broken }: Listed) {
  return header
    ? {
        ...{ id, finished: true, taken_at: header.taken_at, molva: header.molva, bytes: header.bytes },
        key_id: header.encryption?.key_id ?? null,
      }
    : { id, finished: false, broken };
}

function secretOf(config: Config, { unencrypted }: BackupOptions): string | undefined {
  const secret = config.MOLVA_BACKUP_KEY;
  if (unencrypted) return undefined;
  if (secret !== undefined) return secret;
  throw new UserError(
    "A backup holds everything that people have sent, so it is encrypted: set MOLVA_BACKUP_KEY (`molva config key` prints one) or MOLVA_BACKUP_KEY_FILE, or say --unencrypted.",
    exitCodes.usage,
  );
}

function keepOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const keep = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (keep < 1) throw new UserError("--keep takes a whole number from 1.", exitCodes.usage);
  return keep;
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
