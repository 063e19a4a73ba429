/** What the commands about accounts and objects share. */
import { InvalidArgumentError } from "commander";
import {
  type AccountRoutesDeps,
  accountsCalled,
  type Called,
  chatListsCalled,
  chatsCalled,
  createGovernor,
  createUseAccount,
  demoClock,
  joinsCalled,
  type LoginDeps,
  objectsCalled,
  proxyOf,
  type Who,
} from "../accounts/index.ts";
import {
  accountDriverOf,
  accountTwinOf,
  allowedHosts,
  networkOf,
  openVault,
  platformsOf,
} from "../configured/index.ts";
import { systemClock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { createKeyValue } from "../kernel/kv/index.ts";
import { createGuardedSockets, createProviderClient } from "../kernel/outbound/index.ts";
import { administer, byOf, type Common } from "./administer.ts";
import { configOf, logOf, type Terminal } from "./command.ts";
import { moment } from "./layout.ts";
import { only } from "./lookup.ts";
import { runningTwins } from "./twins.ts";

export interface AccountOptions extends Common {
  readonly owner?: string;
}

export interface AtAccounts {
  readonly deps: AccountRoutesDeps;
  readonly login: LoginDeps;
  readonly sql: Sql;
  readonly workspaceId: string;
  readonly who: Who;
}

/** Everything that publishing from accounts may need, for as long as the work takes. Who has a shell here is an admin. */
export function withAccounts<T>(
  terminal: Terminal,
  options: AccountOptions,
  work: (at: AtAccounts) => Promise<T>,
): Promise<T> {
  return administer(terminal, options, async ({ sql }, workspaceId) => {
    const config = configOf(terminal);
    const log = logOf(terminal, config, "error");
    const twinsUrl = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
    const http = createProviderClient({
      ...(await networkOf(config)),
      defaultTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    });
    const keyValue = await createKeyValue({ sql, redisUrl: config.REDIS_URL, log });
    const vault = await openVault(config);
    const sockets = createGuardedSockets({ allowHosts: allowedHosts(config, twinsUrl) });
    const driver = accountDriverOf(config, { sql, vault, http, sockets, log }, twinsUrl);
    const inDemo = accountTwinOf(config, twinsUrl) !== undefined;
    const clock = inDemo ? await demoClock(keyValue, systemClock) : systemClock;
    if (inDemo && !options.json)
      terminal.err(`Accounts of the demo live by a clock of their own: it is ${moment(clock.now())} there.`);
    const governor = createGovernor({ sql, clock });
    const deps = {
      ...{ sql, log, clock, governor, pace: governor },
      bots: { sql, clock: systemClock, platforms: platformsOf(config, terminal.environment, twinsUrl) },
      use: createUseAccount({ sql, driver, proxyOf: (account) => proxyOf({ sql, vault }, account) }),
    };
    const login = { sql, clock: systemClock, vault, driver, planning: deps };
    const who = { ...byOf(options), owner: options.owner ?? "admin", isAdmin: true };
    try {
      return await work({ deps, login, sql, workspaceId, who });
    } finally {
      await driver?.close();
      await Promise.all([http.close(), keyValue.close()]);
    }
  });
}

const kinds = {
  account: accountsCalled,
  object: objectsCalled,
  chat: chatsCalled,
  list: chatListsCalled,
  "join task": joinsCalled,
} as const;

/** The id of the one thing that a person means. */
export async function idOf(
  { sql, workspaceId }: Pick<AtAccounts, "sql" | "workspaceId">,
  kind: keyof typeof kinds,
  typed: string,
): Promise<string> {
  const nameOf = ({ id, name }: Called) => `${id}  ${name}`;
  return only(kind, typed, await kinds[kind](sql, workspaceId, typed), nameOf).id;
}

/** Several things, in the order in which they were typed. */
export async function idsOf(
  at: Pick<AtAccounts, "sql" | "workspaceId">,
  kind: keyof typeof kinds,
  typed: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const one of typed) ids.push(await idOf(at, kind, one));
  return ids;
}

/** How a person may call a thing, for the help. */
export const naming = {
  account: "its id, the beginning of it, its phone or its title",
  object: "its id, the beginning of it, its reference or its title",
  chat: "its id, the beginning of it, its title, @name or Telegram's number",
} as const;

/** `on` or `off`; for an option's value. */
export function switchOf(typed: string): boolean {
  if (typed !== "on" && typed !== "off") throw new InvalidArgumentError("Give on or off.");
  return typed === "on";
}
