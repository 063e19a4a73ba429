/** A process of the product, with the roles it is told. */

import { createLog } from "../../src/kernel/log/index.ts";
import { createSystem } from "../../src/main.ts";
import type { Role } from "../../src/module/index.ts";
import { configFrom } from "../../src/modules.ts";

const { home, databaseUrl, maxApiRoot, role }: Settings = JSON.parse(process.argv[2] ?? "{}");

interface Settings {
  readonly home: string;
  readonly databaseUrl: string;
  readonly maxApiRoot: string;
  readonly role: Role;
}

const environment = {
  MOLVA_HOME: home,
  MOLVA_PORT: "0",
  DATABASE_URL: databaseUrl,
  MAX_API_ROOT: maxApiRoot,
  MOLVA_ENV: "development",
  MOLVA_BOT_CONCURRENCY: "200",
  MOLVA_LOG_LEVEL: "warn",
};
const system = await createSystem({
  config: configFrom(environment),
  environment,
  databaseUrl,
  roles: [role],
  log: createLog({ level: "warn" }),
});
await system.start();
process.send?.(system.url());
process.once("disconnect", () => process.exit());
