/** What the commands about accounts and objects share. */
import { type Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import {
  assigned,
  byOf,
  type Common,
  checked,
  fieldsHelp,
  moment,
  only,
  type Paged,
  paging,
  print,
  printPage,
  shown,
  type Terminal,
  withCore,
} from "../../terminal/index.ts";
import type { Page } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import type { AccountRoutesDeps } from "../admin/routes/owners-routes.ts";
import type { LoginDeps } from "../login/login-deps.ts";
import { accountParts } from "../parts.ts";
import {
  accountsCalled,
  type Called,
  chatListsCalled,
  chatsCalled,
  joinsCalled,
  objectsCalled,
} from "../read/find-by-name.ts";

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

/** Ways to add a command about accounts: each does one thing and prints the result. */
export function accountCommands(terminal: Terminal) {
  async function run<T>(
    options: AccountOptions,
    work: (at: AtAccounts) => Promise<T>,
    text: (result: T) => string,
  ): Promise<void> {
    const result = await withAccounts(terminal, options, work);
    print(terminal, options, result, () => text(result));
  }

  return {
    run,

    /** A command about the one thing that its first argument names. */
    one<T extends object, Options extends AccountOptions>(
      command: Command,
      kind: Kind,
      work: (at: AtAccounts, id: string, options: Options) => Promise<T>,
      text: (result: T, typed: string) => string = shown,
    ): void {
      command.argument(argumentOf(kind), naming[kind]).action((typed: string, options: Options) =>
        run(
          options,
          async (at) => work(at, await idOf(at, kind, typed), options),
          (result) => text(result, typed),
        ),
      );
    },

    /** A command that changes the fields of one thing. */
    change<Schema extends z.ZodObject, T extends object>(
      command: Command,
      kind: Kind,
      { schema, about }: { readonly schema: Schema; readonly about: string },
      work: (at: AtAccounts, id: string, changes: z.output<Schema>) => Promise<T>,
    ): void {
      command
        .argument(argumentOf(kind), naming[kind])
        .argument("<field=value...>", about)
        .addHelpText("after", fieldsHelp(schema.shape))
        .action(async (typed: string, fields: string[], options: AccountOptions) => {
          const changes = checked(schema, assigned(schema, fields));
          await run(options, async (at) => work(at, await idOf(at, kind, typed), changes), shown);
        });
    },

    list<Item, Options extends AccountOptions & Paged>(
      command: Command,
      usual: number | undefined,
      page: (at: AtAccounts, options: Options) => Promise<Page<Item>>,
      table: (items: readonly Item[]) => string,
    ): void {
      paging(command, usual).action(async (options: Options) => {
        const found = await withAccounts(terminal, options, (at) => page(at, options));
        printPage(terminal, options, found, table);
      });
    },
  };
}

const kinds = {
  account: accountsCalled,
  object: objectsCalled,
  chat: chatsCalled,
  list: chatListsCalled,
  "join task": joinsCalled,
} as const;

type Kind = keyof typeof kinds;

const argumentOf = (kind: Kind) => `<${kind === "join task" ? "task" : kind}>`;

/** The id of the one thing that a person means. */
export async function idOf(
  { sql, workspaceId }: Pick<AtAccounts, "sql" | "workspaceId">,
  kind: Kind,
  typed: string,
): Promise<string> {
  const nameOf = ({ id, name }: Called) => `${id}  ${name}`;
  return only(kind, typed, await kinds[kind](sql, workspaceId, typed), nameOf).id;
}

/** Several things, in the order in which they were typed. */
export async function idsOf(
  at: Pick<AtAccounts, "sql" | "workspaceId">,
  kind: Kind,
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
  list: "its id or its name",
  "join task": "its id or the beginning of it",
} as const satisfies Record<Kind, string>;

/** `on` or `off`; for an option's value. */
export function switchOf(typed: string): boolean {
  if (typed !== "on" && typed !== "off") throw new InvalidArgumentError("Give on or off.");
  return typed === "on";
}
