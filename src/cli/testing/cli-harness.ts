import { afterAll, beforeAll, beforeEach } from "vitest";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import type { OwnDatabase } from "../../delivery/testing/own-database.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { AddCommand } from "../../terminal/index.ts";
import { type Ran, runCommand } from "./run-command.ts";

export interface CliHarness {
  /** A folder of this file's own. */
  readonly home: string;
  readonly sql: Sql;
  readonly databaseUrl: string;
  /** A new one for every test. */
  readonly workspace: string;
  /** Runs a command line, in the test's workspace. */
  molva(...args: string[]): Promise<Ran>;
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  /** The newest event, or the newest of one action. */
  lastEvent(action?: string): Promise<{ action: string; meta: Record<string, unknown> } | undefined>;
}

export interface CliHarnessOptions {
  readonly home: string;
  readonly openDatabase: () => Promise<OwnDatabase>;
  readonly commands: Readonly<Record<string, AddCommand>>;
  /** Read when a command runs, so that it may be filled before the first test. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Commands against a database of their own; to be called once, at the top of a test file. */
export function cliHarness({ home, openDatabase, commands, environment }: CliHarnessOptions): CliHarness {
  let database: OwnDatabase;
  let workspace: string;

  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    workspace = await aWorkspace(database.sql, { name: `Рабочее место ${Math.random()}` });
  });

  function molva(...args: string[]): Promise<Ran> {
    const [first = ""] = args;
    const add = commands[first];
    if (!add) throw new Error("which command?");
    const where = first === "workspace" ? [] : ["--workspace", workspace];
    return runCommand(add, [...args, ...where], {
      MOLVA_WORKSPACE_VARIABLES: "NEXT_BOT=*,BOT=*,B=*",
      ...environment,
      MOLVA_HOME: home,
      DATABASE_URL: database.url,
    });
  }

  return {
    home,
    get sql() {
      return database.sql;
    },
    get databaseUrl() {
      return database.url;
    },
    get workspace() {
      return workspace;
    },
    molva,
    json: async (...args) => JSON.parse((await molva(...args, "--json")).out),
    async lastEvent(action) {
      const [event] = await database.sql<{ action: string; meta: Record<string, unknown> }[]>`
        select action, meta from workspaces.events where workspace_id = ${workspace} and action = coalesce(${action ?? null}, action)
        order by ts desc, id desc limit 1`;
      return event;
    },
  };
}
