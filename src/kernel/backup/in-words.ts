import pg from "pg";
import { codeOf, messageOf } from "../errors/index.ts";
import { StorageError } from "../storage/index.ts";
import { BackupError } from "./backup-error.ts";

/** The error as a sentence, if it comes from the disk, the storage or PostgreSQL; anything else is a bug and stays as it is. */
export function inWords(error: unknown, doing: string): unknown {
  if (error instanceof BackupError) return error;
  const options = { cause: error };
  if (error instanceof pg.DatabaseError && error.code === "42501")
    return new BackupError(
      `${doing}: the database's user does not own Molva's tables. Set DATABASE_OWNER_URL as for \`molva migrate\`.`,
      options,
    );
  const isOutside =
    error instanceof StorageError ||
    error instanceof pg.DatabaseError ||
    codeOf(error)?.startsWith("CONNECTION_") ||
    (error instanceof Error && ("syscall" in error || /connection terminated/i.test(error.message)));
  return isOutside ? new BackupError(`${doing}: ${messageOf(error)}.`, options) : error;
}
