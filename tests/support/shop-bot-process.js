// The built shop bot in a process of its own, so that a test can kill it.
import { once } from "node:events";
import { systemClock } from "../../dist/src/kernel/clock/index.js";
import { connect } from "../../dist/src/kernel/db/index.js";
import { silentLog } from "../../dist/src/kernel/log/index.js";
import { createProviderClient } from "../../dist/src/kernel/outbound/index.js";
import { createMaxBot, createPlatforms, noMedia } from "../../dist/src/platforms/index.js";
import { createShopBot } from "../../dist/src/shopbot/work/shop-bot.js";

// Everything is loaded now; the settings come when the test needs it.
const [{ databaseUrl, maxApiRoot, token, leaseSeconds }] = await once(process, "message");
const bot = createShopBot({
  sql: connect({ url: databaseUrl, max: 4 }),
  clock: systemClock,
  log: silentLog,
  platforms: createPlatforms({ TELEGRAM_API_ROOT: "http://127.0.0.1:1", MAX_API_ROOT: maxApiRoot }),
  maxBot: createMaxBot({ apiRoot: maxApiRoot }),
  http: createProviderClient({ defaultTimeoutMs: 30_000 }),
  media: () => noMedia,
  token: async () => token,
  concurrency: 4,
  leaseSeconds,
});
await bot.start();
process.send?.("ready");
