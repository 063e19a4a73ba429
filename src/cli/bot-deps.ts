import { maxBotOf, networkOf, openVault, platformsOf, variablesOf } from "../configured/index.ts";
import { systemClock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { createProviderClient } from "../kernel/outbound/index.ts";
import { createReplyCompiler } from "../shopbot/index.ts";
import { createCredentials } from "../workspaces/index.ts";
import { administer, type Common } from "./administer.ts";
import { configOf, logOf, type Terminal } from "./command.ts";
import { runningTwins } from "./twins.ts";

/** Turns replies into messages; needs neither database nor network. */
export function replyCompiler(terminal: Terminal) {
  return createReplyCompiler(platformsOf(configOf(terminal), terminal.environment, undefined));
}

/** Everything that a shop bot's owner may need, for as long as the work takes. */
export function withBot<T>(
  terminal: Terminal,
  options: Common,
  work: (deps: BotDeps, workspaceId: string) => Promise<T>,
): Promise<T> {
  return administer(terminal, options, async ({ sql }, workspaceId) => {
    const deps = await depsOf(terminal, sql);
    try {
      return await work(deps, workspaceId);
    } finally {
      await deps.http.close();
    }
  });
}

export type BotDeps = Awaited<ReturnType<typeof depsOf>>;

async function depsOf(terminal: Terminal, sql: Sql) {
  const config = configOf(terminal);
  const twinsUrl = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
  const vault = await openVault(config);
  return {
    sql,
    vault,
    clock: systemClock,
    log: logOf(terminal, config, "error"),
    compile: replyCompiler(terminal),
    maxBot: maxBotOf(config, terminal.environment, twinsUrl),
    token: createCredentials(sql, vault, variablesOf(config, terminal.environment)).token,
    http: createProviderClient({
      ...(await networkOf(config)),
      defaultTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    }),
  };
}
