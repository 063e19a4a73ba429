// The built advisor in a process of its own, so that a test can have several and kill one: `node advisor-process.js '{…}'`.
import { silentLog } from "../../dist/src/kernel/log/index.js";
import { createSystem } from "../../dist/src/main.js";
import { configFrom } from "../../dist/src/modules.js";

const { databaseUrl, home, twinsUrl, settings } = JSON.parse(process.argv[2] ?? "{}");
const environment = {
  MOLVA_HOME: home,
  MOLVA_PORT: "0",
  MOLVA_ENV: "development",
  DATABASE_URL: databaseUrl,
  ...settings,
};
const system = await createSystem({
  config: configFrom(environment),
  environment,
  databaseUrl,
  roles: ["api"],
  log: silentLog,
  twinsUrl,
});
await system.start();
process.send?.(system.url());
process.once("disconnect", () => process.exit());
