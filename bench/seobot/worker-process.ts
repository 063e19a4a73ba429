/** The product's jobs in a process of their own, with the twins as providers. */
import { giveWay } from "../../src/cli/give-way.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { createSystem } from "../../src/main.ts";
import type { Role } from "../../src/module/index.ts";
import { configFrom } from "../../src/modules.ts";

export interface BotSettings {
  readonly databaseUrl: string;
  readonly twinsUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
}

const { databaseUrl, twinsUrl, environment, roles }: BotSettings = JSON.parse(process.argv[2] ?? "{}");
const system = await createSystem({
  ...{ config: configFrom(environment), environment, databaseUrl, twinsUrl, roles },
  log: createLog({ level: "warn" }),
});
await system.start();
giveWay(roles);
process.send?.("started");
process.once("disconnect", async () => {
  await system.stop();
  process.exit();
});
