import { codeOf } from "../errors/index.ts";

/** Why the embedded PostgreSQL cannot start. The message is one sentence for a person and says what to do. */
export type EmbeddedPostgresErrorCode =
  | "in_use"
  | "read_only"
  | "no_permission"
  | "disk_full"
  | "no_user"
  | "no_binaries"
  | "other_version"
  | "init_failed"
  | "start_failed"
  | "port_busy";

export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** Explains a failed file operation under `folder` to a person; other errors are returned unchanged. */
export function inPlainWords(error: unknown, folder: string): unknown {
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull(folder, error);
  if (code === "EROFS") return readOnly(folder, error);
  if (code === "EACCES" || code === "EPERM") return noPermission(pathOf(error) ?? folder, error);
  if (code === "ENOTDIR" || code === "EEXIST")
    return new EmbeddedPostgresError(
      "no_permission",
      `${pathOf(error) ?? folder} is not a folder; set MOLVA_HOME to a folder that Molva may use.`,
      error,
    );
  return error;
}

/** The same for the output of PostgreSQL's programs; undefined when it shows no known error. */
export function errorInOutput(output: string, folder: string): EmbeddedPostgresError | undefined {
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(folder);
  if (/Read-only file system/.test(output)) return readOnly(folder);
  if (/Permission denied|Operation not permitted/.test(output)) return noPermission(folder);
  return undefined;
}

function pathOf(error: Error): string | undefined {
  return "path" in error && typeof error.path === "string" ? error.path : undefined;
}

function diskFull(folder: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "disk_full",
    `The disk that holds ${folder} is full; free about 200 MB, or set MOLVA_HOME to a folder on another disk.`,
    cause,
  );
}

function readOnly(folder: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "read_only",
    `The folder ${folder} is on a read-only file system; set MOLVA_HOME to a folder that can be written.`,
    cause,
  );
}

function noPermission(folder: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "no_permission",
    `There is no permission to write ${folder}; run Molva as the user who owns it, or set MOLVA_HOME to a folder of your own.`,
    cause,
  );
}
