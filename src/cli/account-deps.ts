/** What the commands about accounts and objects share. */
import { InvalidArgumentError } from "commander";
import {
  type AccountRoutesDeps,
  accountParts,
  accountsCalled,
  type Called,
  chatListsCalled,
  chatsCalled,
  joinsCalled,
  type LoginDeps,
  objectsCalled,
  type Who,
} from "../accounts/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { byOf, type Common } from "./administer.ts";
import type { Terminal } from "./command.ts";
import { moment } from "./layout.ts";
import { only } from "./lookup.ts";
import { withCore } from "./with-core.ts";

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
  return withCore(terminal, options, async (core, workspaceId) => {
    const { isDemo, joinDemoClock, publishing: deps, login, driver } = accountParts(core);
    if (isDemo) await joinDemoClock();
    if (isDemo && !options.json)
      terminal.err(
        `Accounts of the demo live by a clock of their own: it is ${moment(deps.clock.now())} there.`,
      );
    const who = { ...byOf(options), owner: options.owner ?? "admin", isAdmin: true };
    try {
      return await work({ deps, login, sql: core.sql, workspaceId, who });
    } finally {
      await driver?.close();
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
