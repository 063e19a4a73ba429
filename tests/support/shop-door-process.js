// The built server with the role `api` in a process of its own, so that a test can kill it.
import { once } from "node:events";
import { loadConfig } from "../../dist/src/kernel/config/index.js";
import { silentLog } from "../../dist/src/kernel/log/index.js";
import { createSystem } from "../../dist/src/main.js";

// Everything is loaded by now; the settings come when it is needed.
const [{ databaseUrl, home }] = await once(process, "message");
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
