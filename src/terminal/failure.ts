import { ListenError } from "../http/index.ts";
import { BackupError } from "../kernel/backup/index.ts";
import { ConfigError } from "../kernel/config/index.ts";
import { VaultError } from "../kernel/crypto/index.ts";
import { describeDatabaseError, SchemaError } from "../kernel/db/index.ts";
import { EmbeddedPostgresError } from "../kernel/postgres/index.ts";

/** Exit codes. Scripts rely on these numbers. */
export const exitCodes = {
  ok: 0,
  /** The command was tried and failed. */
  failed: 1,
  /** The command line or the configuration is wrong; nothing was tried. */
  usage: 2,
  /** A required server or database does not answer. */
  unreachable: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error that a person can understand and fix: printed as a sentence, without a stack. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Explained {
  readonly message: string;
  readonly exitCode: ExitCode;
  /** Set for an unexpected error, which is a bug of ours. */
  readonly stack?: string | undefined;
}

/** Turns every error into a sentence and an exit code. */
export function explain(error: unknown): Explained {
  if (error instanceof UserError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError) return { message: error.message, exitCode: exitCodes.usage };
  if (
    error instanceof BackupError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof ListenError ||
    error instanceof SchemaError ||
    error instanceof VaultError
  )
    return { message: error.message, exitCode: exitCodes.failed };
  const described = describeDatabaseError(error);
  if (described)
    return {
      message: described.sentence,
      exitCode: described.unreachable ? exitCodes.unreachable : exitCodes.failed,
      stack: described.expected || !(error instanceof Error) ? undefined : error.stack,
    };
  const said = error instanceof Error ? error : new Error(String(error));
  return {
    message: `Something unexpected happened: ${said.message}`,
    exitCode: exitCodes.failed,
    stack: said.stack,
  };
}
