import { run } from "../../src/cli/main.ts";
import { createCore } from "../../src/configured/index.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import { generateKey } from "../../src/kernel/crypto/index.ts";
import { connect } from "../../src/kernel/db/index.ts";
import { silentLog as log } from "../../src/kernel/log/index.ts";
import { configFrom } from "../../src/modules.ts";
import type { Core } from "../../src/workspaces/index.ts";
import { databaseWithJobs, type TestDatabase, testDatabase } from "./database.ts";
import { tempFolder } from "./temp-folder.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A machine with Molva on it: a home, a database and the settings for both. */
export interface Machine {
  readonly home: string;
  readonly database: TestDatabase;
  readonly environment: Readonly<Record<string, string>>;
  molva(...args: string[]): Promise<Ran>;
  /** The same with other settings. */
  with(settings: Readonly<Record<string, string>>): Machine;
  core(): Promise<Core & { close(): Promise<void> }>;
  drop(): Promise<void>;
}

/** The keys of the installation and of its backups. */
export const keys = { MOLVA_ENCRYPTION_KEYS: generateKey(), MOLVA_BACKUP_KEY: generateKey() };

/** Migrated, with a job queue, and with nothing in it. */
export const aMachine = async (settings: Readonly<Record<string, string>> = {}) =>
  machineOn(await databaseWithJobs(), settings);

/** A database without a single table, and an empty home. */
export const anEmptyMachine = async (settings: Readonly<Record<string, string>> = {}) =>
  machineOn(await testDatabase({ empty: true }), settings);

export function machineOn(
  database: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
  home = tempFolder("machine"),
): Machine {
  const environment = {
    ...{ MOLVA_HOME: home, DATABASE_URL: database.url, MOLVA_PORT: "0", MOLVA_TWIN_PORT: "0" },
    ...keys,
    ...settings,
  };
  return {
    ...{ home, database, environment },
    async molva(...args) {
      const out: string[] = [];
      const err: string[] = [];
      const world = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
      const code = await run(args, { ...world, environment, isTerminal: false });
      return { code, out: out.join("\n"), err: err.join("\n") };
    },
    with: (other) => machineOn(database, { ...settings, ...other }, home),
    core: () =>
      createCore({
        config: configFrom(environment),
        ...{ environment, twinsUrl: undefined, sql: database.sql, databaseUrl: database.url, clock, log },
      }),
    drop: () => database.drop(),
  };
}

/** Whether a database has no schema but those of every new one. */
export async function hasNothing({ url }: TestDatabase): Promise<boolean> {
  const sql = connect({ url, max: 1 });
  const [row] = await sql<[{ schemas: number }]>`
    select count(*)::int as schemas from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')`;
  await sql.end();
  return row.schemas === 0;
}
