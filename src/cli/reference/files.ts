import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demo } from "../../delivery/index.ts";
import { openapi, type ProblemTable } from "../../http/index.ts";
import { loadConfig, renderConfigReference, renderEnvExample } from "../../kernel/config/index.ts";
import { dumpSchema, type Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { paths, projectRoot } from "../../kernel/paths/index.ts";
import { createSystem } from "../../main.ts";
import { seedWithRules } from "../../shopbot/index.ts";
import { renderErrorReference } from "./errors.ts";
import { renderEventReference } from "./events.ts";

/** Texts by their path in the project. */
export type Files = Readonly<Record<string, string>>;

/** Every committed file that is made from the code. The database must be migrated and is only read. */
export async function generatedFiles(sql: Sql): Promise<Files> {
  const { api, problems } = await describeServer();
  return {
    ".env.example": renderEnvExample(),
    "db/schema.sql": await dumpSchema(sql),
    "db/seed.sql": seedWithRules(
      await readFile(paths.seed, "utf8"),
      await readFile(paths.shopBot, "utf8"),
      demo.workspaceId,
    ),
    "docs/reference/config.md": renderConfigReference(),
    "docs/reference/errors.md": renderErrorReference(problems),
    "docs/reference/events.md": renderEventReference(),
    "docs/reference/openapi.json": api,
  };
}

/** The paths whose file on disk says something else, or is missing. */
export async function staleFiles(files: Files): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const committed = await readFile(join(projectRoot, path), "utf8").catch(() => undefined);
    if (committed !== text) stale.push(path);
  }
  return stale;
}

/** Nothing is connected to or listened on: building the server is enough to know its routes and codes. */
async function describeServer(): Promise<{ api: string; problems: ProblemTable }> {
  const { app, problems } = await createSystem({
    config,
    environment: {},
    databaseUrl: "postgres://127.0.0.1/unused",
    roles: ["api"],
    log: silentLog,
  });
  try {
    return { api: `${JSON.stringify(await openapi(app), null, 2)}\n`, problems };
  } finally {
    await app.close();
  }
}

/** The defaults, whatever the environment says. The key encrypts nothing; without one a file would be made. */
const config = loadConfig({ MOLVA_ENCRYPTION_KEYS: `${"A".repeat(43)}=` });
