import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connect, type Sql } from "../../src/kernel/db/index.ts";
import { runWorkerMigrations } from "../../src/kernel/jobs/index.ts";
import { databaseAddress } from "../../src/kernel/url/index.ts";

export interface TestDatabase {
  readonly url: string;
  readonly sql: Sql;
  drop(): Promise<void>;
}

/** A database of its own on the run's shared server: a copy of the migrated one, unless asked for an empty one. */
export async function testDatabase(options: { empty?: boolean; max?: number } = {}): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = connect({ url: server, max: 1 });
  const template = options.empty ? "template1" : inject("migratedDatabase");
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  const url = databaseAddress(server)?.named(name) ?? "";
  // Tests with large files keep the process busy on a machine that is busy already.
  const sql = connect({ url, max: options.max ?? 10, connectTimeoutSeconds: 120 });
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 5 });
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** A migrated database in which jobs can be put into the queue. */
export async function databaseWithJobs(options: { max?: number } = {}): Promise<TestDatabase> {
  const database = await testDatabase(options);
  await runWorkerMigrations(database.url);
  await database.sql`select workspaces.ensure_event_partitions()`;
  return database;
}
