/** The product alone in a process: takes runs from the queue and works on them. Tells its processor time and memory when asked. */
import { createLog } from "../../src/kernel/log/index.ts";
import { createSystem } from "../../src/main.ts";
import { configFrom } from "../../src/modules.ts";

export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly twinsUrl: string;
  readonly environment: Readonly<Record<string, string>>;
}

const { databaseUrl, twinsUrl, environment }: WorkerSettings = JSON.parse(process.argv[2] ?? "{}");
const system = await createSystem({
  ...{ config: configFrom(environment), environment, databaseUrl, twinsUrl, roles: ["jobs"] },
  log: createLog({ level: "warn" }),
});
await system.start();
process.send?.("started");
const cpuMs = () => {
  const { user, system: kernel } = process.cpuUsage();
  return (user + kernel) / 1000;
};
/** Collecting garbage for the figure of memory is no work of an article: its time is told apart. */
let measuring = 0;
process.on("message", () => {
  const worked = cpuMs();
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const megabytes = (bytes: number) => bytes / 1024 / 1024;
  process.send?.({
    cpuMs: worked - measuring,
    megabytes: megabytes(rss),
    live: megabytes(heapUsed + external),
  });
  measuring += cpuMs() - worked;
});
process.once("disconnect", async () => {
  await system.stop();
  process.exit();
});
