/** The product's API in a process of its own, with nothing but the advisor's limits set by the measurement. */

import { createLog } from "../../src/kernel/log/index.ts";
import { createSystem } from "../../src/main.ts";
import { configFrom } from "../../src/modules.ts";

interface Settings {
  readonly home: string;
  readonly databaseUrl: string;
  readonly modelUrl: string;
  readonly token: string;
  readonly dailyLimit: number;
}

const { home, databaseUrl, modelUrl, token, dailyLimit }: Settings = JSON.parse(process.argv[2] ?? "{}");
const environment = {
  MOLVA_HOME: home,
  MOLVA_PORT: "0",
  MOLVA_ENV: "development",
  MOLVA_LOG_LEVEL: "warn",
  DATABASE_URL: databaseUrl,
  OPENROUTER_BASE_URL: modelUrl,
  OPENROUTER_API_KEY: "sk-or-v1-bench-0000000000000000",
  BOT_BACKEND_TOKEN: token,
  FREE_DAILY_LIMIT: String(dailyLimit),
  COOLDOWN_SEC: "0",
};
const system = await createSystem({
  config: configFrom(environment),
  environment,
  databaseUrl,
  roles: ["api"],
  log: createLog({ level: "warn" }),
});
await system.start();
process.send?.(system.url());
process.once("disconnect", () => process.exit());
