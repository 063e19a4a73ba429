import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../src/kernel/postgres/index.ts";
import { notDurable } from "./hold-postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server that every test file makes its own database on. */
    postgresUrl: string;
  }
}

/** MOLVA_TEST_DATABASE_URL names a server to use; without it the run starts one of its own and takes it away again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.MOLVA_TEST_DATABASE_URL;
  if (given) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const temporary = realpathSync(tmpdir());
  await sweepDeadRuns(temporary);
  const home = mkdtempSync(join(temporary, prefix));
  if (process.getuid?.() === 0) chmodSync(home, 0o711);
  const server = await startEmbeddedPostgres({ home, settings: { ...notDurable, max_connections: 300 } });
  project.provide("postgresUrl", server.url);
  return async () => {
    await server.stop();
    await discard(home);
  };
}

const prefix = "molva-test-server-";

/** A run that was killed leaves its server running and its folder behind; a run that lives holds a lock. */
async function sweepDeadRuns(temporary: string): Promise<void> {
  const names = readdirSync(temporary).filter((name) => name.startsWith(prefix));
  for (const name of names) await discard(join(temporary, name)).catch(() => undefined); // another user's
}

async function discard(home: string): Promise<void> {
  if (await removeEmbeddedPostgres(home)) rmSync(home, { recursive: true, force: true });
}
