import { systemClock } from "../../src/kernel/clock/index.ts";
import { connect } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createMaxBot, createPlatforms, noMedia } from "../../src/platforms/index.ts";
import { createShopBot } from "../../src/shopbot/work/shop-bot.ts";

export interface ShopBotSettings {
  readonly databaseUrl: string;
  readonly maxApiRoot: string;
  readonly token: string;
  readonly leaseSeconds: number;
}

/** A shop bot with connections of its own; the answer stops it. */
export async function startShopBot(settings: ShopBotSettings): Promise<() => Promise<void>> {
  const { databaseUrl, maxApiRoot, token, leaseSeconds } = settings;
  const sql = connect({ url: databaseUrl, max: 4 });
  const http = createProviderClient({ defaultTimeoutMs: 30_000 });
  const bot = createShopBot({
    ...{ sql, http, clock: systemClock, log: silentLog },
    platforms: createPlatforms({ TELEGRAM_API_ROOT: "http://127.0.0.1:1", MAX_API_ROOT: maxApiRoot }),
    maxBot: createMaxBot({ apiRoot: maxApiRoot }),
    media: () => noMedia,
    token: async () => token,
    ...{ concurrency: 4, leaseSeconds },
  });
  await bot.start();
  return async () => {
    await bot.stop();
    await http.close();
    await sql.end({ timeout: 5 });
  };
}
