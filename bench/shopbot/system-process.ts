/** The product's server and bot in one process, as a small shop runs them. */
import { loadConfig } from "../../src/kernel/config/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { createSystem } from "../../src/main.ts";

const { home, databaseUrl, maxApiRoot }: Record<string, string> = JSON.parse(process.argv[2] ?? "{}");
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
  config: loadConfig(environment),
  environment,
  databaseUrl: databaseUrl ?? "",
  roles: ["api", "bots"],
  log: createLog({ level: "warn" }),
});
await system.start();
process.send?.(system.url());
process.once("disconnect", () => process.exit());
