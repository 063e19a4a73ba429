/** Backups: the database at one moment and the files it names, encrypted, in a folder or a bucket. Format: docs/reference/backup.md. */
export { BackupError } from "./backup-error.ts";
export { readApplied, readOthersTables, readTables, schemasOf } from "./catalog.ts";
export { checkBackup } from "./check-backup.ts";
export { refuseData } from "./empty-database.ts";
export { type Fit, fitRelease, refuseBeyond } from "./fit-release.ts";
export { inWords } from "./in-words.ts";
export { leftOut } from "./left-out.ts";
export { loadTables } from "./load-tables.ts";
export type { Body, Header } from "./manifest.ts";
export type { NamedFiles } from "./named-files.ts";
export { type Listed, listBackups, type OpenBackup, openBackup, type Place, pruneBackups } from "./place.ts";
export { restoreFiles } from "./restore-files.ts";
export { noteRestored, type Restored, readRestored, releaseRestored } from "./restored.ts";
export { refuseServers } from "./running-servers.ts";
export { type Session, withSession } from "./session.ts";
export { type BackupRequest, takeBackup } from "./take-backup.ts";
