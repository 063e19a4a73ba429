// The built server with the role `api` in a process of its own, so that a test can kill it: `node shop-door-process.js '{…}'`.
import { loadConfig } from "../../dist/src/kernel/config/index.js";
import { silentLog } from "../../dist/src/kernel/log/index.js";
import { createSystem } from "../../dist/src/main.js";

const { databaseUrl, home } = JSON.parse(process.argv[2] ?? "{}");
const environment = {
  MOLVA_HOME: home,
  MOLVA_PORT: "0",
  MOLVA_ENV: "development",
  DATABASE_URL: databaseUrl,
};
const system = await createSystem({
  config: loadConfig(environment),
  environment,
  databaseUrl,
  roles: ["api"],
  log: silentLog,
});
await system.start();
process.send?.(system.url());
