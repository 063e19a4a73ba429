import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demo, factsInSql } from "../../delivery/index.ts";
import { openapi, type ProblemTable } from "../../http/index.ts";
import { renderConfigReference, renderEnvExample } from "../../kernel/config/index.ts";
import { dumpSchema, type Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { paths, projectRoot } from "../../kernel/paths/index.ts";
import { createSystem } from "../../main.ts";
import { configFrom, modules, settingsOfModules } from "../../modules.ts";
import { platformDefinitions } from "../../platforms/index.ts";
import { seedWithRules } from "../../shopbot/index.ts";
import { renderErrorReference } from "./errors.ts";
import { renderEventReference } from "./events.ts";
import { renderFlowReference } from "./flows.ts";
import { renderMetricReference } from "./metrics.ts";

/** Texts by their path in the project. */
export type Files = Readonly<Record<string, string>>;

/** Every committed file that is generated from the code. The database must be migrated and is only read. */
export async function generatedFiles(sql: Sql): Promise<Files> {
  const { api, problems } = await describeServer();
  const settings = settingsOfModules();
  return {
    ...generatedSql(),
    ".env.example": renderEnvExample(settings),
    "db/schema.sql": await dumpSchema(sql),
    "db/seed.sql": seedWithRules(
      await readFile(paths.seed, "utf8"),
      await readFile(paths.shopBot, "utf8"),
      demo.workspaceId,
    ),
    "docs/reference/config.md": renderConfigReference(settings),
    "docs/reference/errors.md": renderErrorReference(problems),
    "docs/reference/events.md": renderEventReference(),
    "docs/reference/metrics.md": renderMetricReference(modules),
    "docs/reference/openapi.json": api,
    "docs/reference/seo-flows.md": renderFlowReference("SEO Master's bot", flowsOfModule("seo")),
  };
}

function flowsOfModule(name: string) {
  const { flows = [], screens = [] } = modules.find((each) => each.name === name) ?? {};
  return { flows, screens };
}

/** Those that migrations need: they must be written before the others are generated. */
export function generatedSql(): Files {
  return factsInSql(platformDefinitions);
}

/** The paths whose file on disk is different or missing. */
export async function staleFiles(files: Files): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const committed = await readFile(join(projectRoot, path), "utf8").catch(() => undefined);
    if (committed !== text) stale.push(path);
  }
  return stale;
}

/** No connections and no listening: building the server is enough to know its routes and codes. */
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

/** The defaults, without the environment. The key encrypts nothing; without one, a key file would be created. */
const config = configFrom({ MOLVA_ENCRYPTION_KEYS: `${"A".repeat(43)}=` });
