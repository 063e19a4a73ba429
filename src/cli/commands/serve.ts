import { Option } from "commander";
import { migrationStatus, readMigrationSources, surviveLostConnections } from "../../kernel/db/index.ts";
import { createSystem } from "../../main.ts";
import { type Role, roles } from "../../module/index.ts";
import {
  type AddCommand,
  configOf,
  exitCodes,
  openDatabase,
  serverLogOf,
  type Terminal,
  UserError,
  untilAskedToStop,
  withSql,
} from "../../terminal/index.ts";
import { refuseUnreleased } from "../backup/refuse-unreleased.ts";
import { giveWay } from "../give-way.ts";
import { refusePublishedSecrets } from "../published.ts";
import { keepHeapSmall } from "../small-heap.ts";

/** `molva serve`: the server alone, for production; it starts neither twins nor demo data. */
export const addServe: AddCommand = (program, terminal) => {
  program
    .command("serve")
    .description("run the server: every role in one process, or the ones named")
    .addOption(
      new Option("--role <role...>", "the parts to play; repeat or separate by spaces")
        .choices(roles)
        .default([...roles], "all"),
    )
    .action(async (options: { role: Role[] }) => {
      demandEnvironment(terminal);
      keepHeapSmall();
      giveWay(options.role);
      const config = configOf(terminal);
      const { log, reports, endProcess } = await serverLogOf(terminal, config, { roles: options.role });
      surviveLostConnections(log, endProcess);
      const database = await openDatabase(config, { adopt: config.MOLVA_ENV !== "production" });
      try {
        await withSql(database.url, async (sql) => {
          const { pending, changedFunctions, refusal } = await migrationStatus(
            sql,
            await readMigrationSources(),
          );
          if (refusal) throw new UserError(refusal);
          if (pending.length + changedFunctions.length > 0)
            throw new UserError("The database is behind this release; run `molva migrate` first.");
          await refuseUnreleased(sql);
          if (config.MOLVA_ENV === "production") await refusePublishedSecrets(sql);
        });
        const system = await createSystem({
          config,
          environment: terminal.environment,
          databaseUrl: database.url,
          roles: options.role,
          log,
        });
        await system.start();
        log.info({ roles: options.role, url: system.url() }, "molva is ready");
        await untilAskedToStop();
        log.info("molva is stopping");
        await system.stop();
      } finally {
        await database.close();
        await reports.stop();
      }
    });
};

/** A server without MOLVA_ENV must not become a demo, whose secrets are printed in the documents. */
function demandEnvironment({ environment }: Terminal): void {
  const given = environment.MOLVA_ENV?.trim();
  if (given && given !== "demo") return;
  throw new UserError(
    `${given ? "The demo runs only under `molva up`" : "MOLVA_ENV is not set"}: \`molva serve\` needs MOLVA_ENV=production, ` +
      "or MOLVA_ENV=development on a machine of your own. To try Molva out, run `npm start`.",
    exitCodes.usage,
  );
}
