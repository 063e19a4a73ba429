import { createCore } from "../configured/index.ts";
import { systemClock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Core } from "../workspaces/index.ts";
import { type Common, inWords } from "./administer.ts";
import { configOf, logOf, type Terminal } from "./command.ts";
import { withDatabase } from "./database.ts";
import { workspaceOf } from "./lookup.ts";
import { runningTwins } from "./twins.ts";

/** Runs work on one workspace with everything that modules are made from; what it refuses is a sentence, not a stack. */
export function withCore<T>(
  terminal: Terminal,
  { workspace }: Common,
  work: (core: Core, workspaceId: string) => Promise<T>,
): Promise<T> {
  return withDatabase(configOf(terminal), (sql, databaseUrl) =>
    inWords(async () => {
      const workspaceId = await workspaceOf(sql, workspace);
      return coreFor(terminal, sql, databaseUrl, (core) => work(core, workspaceId));
    }),
  );
}

/** The same without a workspace, on a database that is open already. */
export async function coreFor<T>(
  terminal: Terminal,
  sql: Sql,
  databaseUrl: string,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  const config = configOf(terminal);
  const core = await createCore({
    ...{ config, environment: terminal.environment, sql, databaseUrl, clock: systemClock },
    log: logOf(terminal, config, "error"),
    twinsUrl: config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined,
  });
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}
