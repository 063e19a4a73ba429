import type { MigrationSources } from "../db/index.ts";
import { BackupError } from "./backup-error.ts";
import type { AppliedMigration } from "./catalog.ts";
import type { OpenBackup } from "./place.ts";

export interface Fit {
  /** What brings an empty database to the schema of the backup. */
  readonly before: MigrationSources;
  /** Whether the release has migrations that the backup does not. */
  readonly older: boolean;
}

/**
 * Rows are loaded into exactly the schema they come from; later migrations then change them as they do in an upgrade. The functions of
 * this release fit its own schema only, so an older one is loaded without any.
 */
export function fitRelease({ header, body }: OpenBackup, sources: MigrationSources, release: string): Fit {
  const known = new Map(sources.migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum } of body.migrations) {
    const ours = known.get(number);
    if (!ours)
      throw new BackupError(
        `The backup is of a newer Molva (${header.molva}, with migration ${name}) than this one (${release}): install that release and restore with it.`,
      );
    if (ours.name !== name || ours.checksum !== checksum)
      throw new BackupError(
        `Migration ${name} of the backup is not the one of this release (${release}): restore with the release that made the backup, ${header.molva}.`,
      );
  }
  const recorded = new Set(body.migrations.map(({ number }) => number));
  const older = recorded.size < sources.migrations.length;
  const migrations = sources.migrations.filter(({ number }) => recorded.has(number));
  return { before: older ? { migrations, functions: [] } : sources, older };
}

/** Refuses a database whose schema is already beyond the backup's. */
export function refuseBeyond({ body }: OpenBackup, applied: readonly AppliedMigration[]): void {
  const recorded = new Set(body.migrations.map(({ number }) => number));
  const beyond = applied.find(({ number }) => !recorded.has(number));
  if (beyond)
    throw new BackupError(
      `The database has no data, but migration ${beyond.name}, which the backup does not have: give a new empty database.`,
    );
}
