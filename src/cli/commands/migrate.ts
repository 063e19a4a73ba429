import { migrationStatus, readMigrationSources } from "../../kernel/db/index.ts";
import { type AddCommand, configOf, counted, print, UserError, withDatabase } from "../../terminal/index.ts";
import { asOwner, migrateDatabase } from "../migrating.ts";

/** `molva migrate [status]`: brings the database to this release, or says what that would do. */
export const addMigrate: AddCommand = (program, terminal) => {
  const command = program
    .command("migrate")
    .description("bring the database to this release")
    .option("--json", "one line of JSON")
    .action(async (options: { json?: boolean }) => {
      const config = configOf(terminal);
      const report = await withDatabase(asOwner(config), (_sql, url) => migrateDatabase(config, url));
      print(terminal, options, report, () =>
        report.applied.length + report.functions.length + report.dropped.length === 0
          ? "The database is up to date."
          : [
              ...report.applied.map((name) => `applied  ${name}`),
              ...(report.functions.length > 0
                ? [`renewed  ${counted(report.functions.length, "function file")}`]
                : []),
              ...report.dropped.map((name) => `dropped  ${name}`),
            ].join("\n"),
      );
    });

  command
    .command("status")
    .description("applied and pending migrations")
    .option("--json", "one line of JSON")
    .action(async (_options: unknown, self: { optsWithGlobals(): { json?: boolean } }) => {
      const options = self.optsWithGlobals();
      const status = await withDatabase(asOwner(configOf(terminal)), async (sql) =>
        migrationStatus(sql, await readMigrationSources()),
      );
      print(
        terminal,
        options,
        status,
        () =>
          [
            ...status.applied.map(({ name, appliedAt }) => `applied  ${name}  ${appliedAt.toISOString()}`),
            ...status.pending.map((name) => `waits    ${name}`),
            ...(status.changedFunctions.length > 0
              ? [`waits    ${counted(status.changedFunctions.length, "function file")}`]
              : []),
          ].join("\n") || "Nothing is applied and nothing waits.",
      );
      if (status.refusal) throw new UserError(status.refusal);
    });
};
