/** The shop bot in a process of its own, so that tests can kill it: its settings come as one argument. */
import { z } from "zod";
import { systemClock } from "../../kernel/clock/index.ts";
import { connect } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createMaxBot, createPlatforms } from "../../platforms/index.ts";
import { createShopBot } from "../work/shop-bot.ts";

const settings = z
  .object({ databaseUrl: z.string(), maxApiRoot: z.string(), token: z.string(), leaseSeconds: z.number() })
  .parse(JSON.parse(process.argv[3] ?? ""));

const { databaseUrl, maxApiRoot, token, leaseSeconds } = settings;
const bot = createShopBot({
  sql: connect({ url: databaseUrl, max: 4 }),
  clock: systemClock,
  log: silentLog,
  platforms: createPlatforms({ telegramApiRoot: "http://127.0.0.1:1", maxApiRoot }),
  maxBot: createMaxBot({ apiRoot: maxApiRoot }),
  http: createProviderClient({ defaultTimeoutMs: 30_000 }),
  media: { open: async () => undefined },
  token: async () => token,
  concurrency: 4,
  leaseSeconds,
});
await bot.start();
process.send?.("ready");
