import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { watchedSql } from "../../../tests/support/watched-sql.ts";
import { startTwins } from "../../../twins/index.ts";
import { manualTimer } from "../../kernel/worker/index.ts";
import { startShopHarness } from "../testing/harness.ts";
import { createShopBot } from "./shop-bot.ts";

it("asks the database nothing while no customer writes, and answers at once when one does", async () => {
  const twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  const shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url, start: false });
  const time = manualTimer();
  const { sql, queries } = watchedSql(shop.sql);
  const bot = createShopBot({ ...shop.deps, sql, timer: time.timer });
  await bot.start();
  const rest = () => expect.poll(() => time.waiting());
  await rest().toEqual([15_000, 15_000, 60_000]);

  queries.length = 0;
  for (let second = 0; second < 14; second++) {
    time.advance(1_000);
    await turnOfTheLoop();
  }
  expect(queries).toEqual([]);
  time.advance(1_000);
  await rest().toEqual([15_000, 15_000, 45_000]);
  // The safety net: what has come in, within its transaction, what may leave, and what may leave later.
  expect(queries).toHaveLength(5);

  const chatId = await shop.open();
  await expect.poll(async () => (await shop.said(chatId)).length).toBe(1);
  await rest().toEqual([15_000, 15_000, 45_000]);

  await bot.stop();
  await sql.end();
  await shop.stop();
  await twins.close();
});
