import { createCore } from "../configured/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Core } from "../workspaces/index.ts";
import { type Common, inWords } from "./administer.ts";
import { clockOf } from "./clock.ts";
import { configOf, logOf } from "./command.ts";
import { withDatabase } from "./database.ts";
import { workspaceOf } from "./lookup.ts";
import { runningTwins } from "./running-twins.ts";
import type { Terminal } from "./terminal.ts";

/** Runs work on one workspace with the core. Problems are printed as a sentence, without a stack. */
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

/** The same without a workspace, on an open database. */
export async function coreFor<T>(
  terminal: Terminal,
  sql: Sql,
  databaseUrl: string,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  const config = configOf(terminal);
  const core = await createCore({
    ...{ config, environment: terminal.environment, sql, databaseUrl },
    clock: await clockOf(config, sql),
    log: logOf(terminal, config, "error"),
    twinsUrl: config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined,
  });
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}
