import { seedDemo, unmirroredLines } from "../../delivery/index.ts";
import { migrationStatus, readMigrationSources } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  configOf,
  coreFor,
  counted,
  exitCodes,
  print,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";

/** `molva seed`: the demo workspace; safe to repeat. */
export const addSeed: AddCommand = (program, terminal) => {
  program
    .command("seed")
    .description("fill the demo workspace: 40 channels, an endpoint, a few posts when the twins run")
    .option("--json", "one line of JSON")
    .action(async (options: { json?: boolean }) => {
      const config = configOf(terminal);
      if (config.MOLVA_ENV !== "demo")
        throw new UserError(
          `Demo data has published secrets, which open nothing with MOLVA_ENV=${config.MOLVA_ENV}. ` +
            "For data of your own: `molva workspace add <name>`, then `molva endpoint add <name>` and `molva channel add`.",
          exitCodes.usage,
        );
      const report = await withDatabase(config, async (sql, url) => {
        if ((await migrationStatus(sql, await readMigrationSources())).pending.length > 0)
          throw new UserError("The database has no tables yet; run `molva migrate` first.");
        return coreFor(terminal, sql, url, seedDemo);
      });
      print(terminal, options, report, () =>
        [
          report.posts > 0
            ? `The demo workspace has ${counted(report.channels, "channel")}; ${counted(report.posts, "post is", "posts are")} on the way.`
            : `The demo workspace has ${counted(report.channels, "channel")}.`,
          ...unmirroredLines(report.unmirrored),
        ].join("\n"),
      );
    });
};
