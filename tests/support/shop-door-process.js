// The built server with the role `api` in a process of its own, so that a test can kill it.
import { once } from "node:events";

import { silentLog } from "../../dist/src/kernel/log/index.js";
import { createSystem } from "../../dist/src/main.js";
import { configFrom } from "../../dist/src/modules.js";

// Everything is loaded now; the settings come when the test needs it.
const [{ databaseUrl, home }] = await once(process, "message");
const environment = {
  MOLVA_HOME: home,
  MOLVA_PORT: "0",
  MOLVA_ENV: "development",
  DATABASE_URL: databaseUrl,
};
const system = await createSystem({
  config: configFrom(environment),
  environment,
  databaseUrl,
  roles: ["api"],
  log: silentLog,
});
await system.start();
process.send?.(system.url());
