/** The product's dispatcher with its real media, adapters and storage, alone in a process; tells its memory when asked. */
import { createDispatcher, createMedia } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { connect } from "../../src/kernel/db/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createGuardedClient, createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createStorage } from "../../src/kernel/storage/index.ts";
import { createPlatforms, withTwins } from "../../src/platforms/index.ts";

export interface SenderSettings {
  readonly databaseUrl: string;
  readonly twinsUrl: string;
  readonly originHost: string;
  readonly credential: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly concurrency: number;
}

const settings: SenderSettings = JSON.parse(process.argv[2] ?? "{}");
const sql = connect({ url: settings.databaseUrl, max: 10 });
const log = createLog({ level: "error" });
const clock = systemClock;
const http = createProviderClient({ defaultTimeoutMs: 30_000 });
const guarded = createGuardedClient({ allowHosts: [settings.originHost, new URL(settings.twinsUrl).host] });
const storage = createStorage({ folder: settings.folder, urlBase: "http://bench", secret: "bench", clock });
const dispatcher = createDispatcher({
  sql,
  clock,
  log,
  http,
  concurrency: settings.concurrency,
  sendingLeaseSeconds: 300,
  sendTimeoutSeconds: 30,
  metrics: createMetrics(),
  platforms: createPlatforms(withTwins({}, settings.twinsUrl), { guarded }),
  media: createMedia({ sql, clock, storage, log, http: guarded, maxBytes: 50 * 1024 * 1024 }),
  credentials: { ofPlatform: async () => ({ kind: "ready", credential: settings.credential }) },
  payloads: { save: async () => "nowhere" },
});
await dispatcher.start();
process.send?.("started");
process.on("message", () => {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const megabytes = (bytes: number) => bytes / 1024 / 1024;
  process.send?.({ megabytes: megabytes(rss), live: megabytes(heapUsed + external) });
});
process.once("disconnect", async () => {
  await dispatcher.stop();
  await Promise.all([http.close(), guarded.close(), sql.end()]);
  process.exit();
});
