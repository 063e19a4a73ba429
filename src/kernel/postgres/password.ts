import type { Binaries } from "./binaries.ts";
import { EmbeddedPostgresError, errorInOutput } from "./errors.ts";
import { runProgram } from "./programs.ts";
import type { RunAs } from "./run-as.ts";
import { superuser } from "./server-settings.ts";

/** Sets the superuser's password without knowing the old one, in single-user mode; no server may be running. */
export async function resetPassword(
  dataFolder: string,
  password: string,
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs },
): Promise<void> {
  const args = ["--single", "-D", dataFolder, "-c", "exit_on_error=on", "postgres"];
  const result = await runProgram(
    binaries.postgres,
    args,
    runAs,
    `alter role ${superuser} password '${password}'\n`,
  );
  if (result.status === 0) return;
  throw (
    errorInOutput(result.output, dataFolder) ??
    new EmbeddedPostgresError(
      "start_failed",
      `The password of the database in ${dataFolder} is lost and could not be set anew; move the folder away to start anew, or set DATABASE_URL to a PostgreSQL of yours.`,
      result.output,
    )
  );
}
