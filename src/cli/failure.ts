import { ListenError } from "../http/index.ts";
import { ConfigError } from "../kernel/config/index.ts";
import { VaultError } from "../kernel/crypto/index.ts";
import { databaseFault, SchemaError } from "../kernel/db/index.ts";
import { EmbeddedPostgresError } from "../kernel/postgres/index.ts";

/** What the shell sees. These numbers are a promise to scripts. */
export const exitCodes = {
  ok: 0,
  /** What was asked was tried and did not succeed. */
  failed: 1,
  /** The command line or the configuration is wrong; nothing was tried. */
  usage: 2,
  /** A server or a database that is needed does not answer. */
  unreachable: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something a person can understand and mend: printed as a sentence, without a stack. */
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
  /** Set for a fault of ours, which nobody expected. */
  readonly stack?: string | undefined;
}

/** Every error as a sentence and a number. */
export function explain(error: unknown): Explained {
  if (error instanceof UserError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError) return { message: error.message, exitCode: exitCodes.usage };
  if (
    error instanceof EmbeddedPostgresError ||
    error instanceof ListenError ||
    error instanceof SchemaError ||
    error instanceof VaultError
  )
    return { message: error.message, exitCode: exitCodes.failed };
  const fault = databaseFault(error);
  if (fault)
    return {
      message: fault.sentence,
      exitCode: fault.unreachable ? exitCodes.unreachable : exitCodes.failed,
      stack: fault.expected || !(error instanceof Error) ? undefined : error.stack,
    };
  const said = error instanceof Error ? error : new Error(String(error));
  return {
    message: `Something unexpected happened: ${said.message}`,
    exitCode: exitCodes.failed,
    stack: said.stack,
  };
}
