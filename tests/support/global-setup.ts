import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { connect, migrate, readMigrationSources } from "../../src/kernel/db/index.ts";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../src/kernel/postgres/index.ts";
import { databaseAddress } from "../../src/kernel/url/index.ts";
import { notDurable } from "./hold-postgres.ts";
import { chooseSeed, toRepeat } from "./seed.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server that every test file makes its own database on. */
    postgresUrl: string;
    /** A database there that is migrated and that nobody uses, to be copied. */
    migratedDatabase: string;
    /** Of all random inputs of this run. */
    seed: number;
  }
}

/** MOLVA_TEST_DATABASE_URL names a server to use; without it the run starts one of its own and removes it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const seed = chooseSeed(process.env.MOLVA_TEST_SEED);
  project.provide("seed", seed);
  console.log(toRepeat(seed));
  const close = await openServer(project);
  return async () => {
    if (project.vitest.state.getCountOfFailedTests() > 0) console.error(toRepeat(seed));
    await close();
  };
}

async function openServer(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.MOLVA_TEST_DATABASE_URL;
  if (given) return offer(project, given);
  const temporary = realpathSync(tmpdir());
  await sweepDeadRuns(temporary);
  const home = mkdtempSync(join(temporary, prefix));
  if (process.getuid?.() === 0) chmodSync(home, 0o711);
  const server = await startEmbeddedPostgres({ home, settings: { ...notDurable, max_connections: 300 } });
  const withdraw = await offer(project, server.url);
  return async () => {
    await withdraw();
    await server.stop();
    await discard(home);
  };
}

/** Tells the test files of the server, with one database migrated for all of them. */
async function offer(project: TestProject, postgresUrl: string): Promise<() => Promise<void>> {
  const name = `migrated_${randomBytes(6).toString("hex")}`;
  const admin = connect({ url: postgresUrl, max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = databaseAddress(postgresUrl)?.named(name) ?? "";
  const sql = connect({ url, max: 1 });
  await migrate(sql, await readMigrationSources());
  await sql.end();
  project.provide("postgresUrl", postgresUrl);
  project.provide("migratedDatabase", name);
  return async () => {
    await admin.unsafe(`drop database ${name}`);
    await admin.end();
  };
}

const prefix = "molva-test-server-";

/** A killed run leaves its server and its folder behind; a live run holds a lock. */
async function sweepDeadRuns(temporary: string): Promise<void> {
  const names = readdirSync(temporary).filter((name) => name.startsWith(prefix));
  for (const name of names) await discard(join(temporary, name)).catch(() => undefined); // another user's
}

async function discard(home: string): Promise<void> {
  if (await removeEmbeddedPostgres(home)) rmSync(home, { recursive: true, force: true });
}
