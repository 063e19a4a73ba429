/** A shop bot in a process of its own, so that a test can kill it. */
import { once } from "node:events";
import { startShopBot } from "./shop-bot.ts";

// Everything is loaded now; the settings come when the test needs it.
const [settings] = await once(process, "message");
await startShopBot(settings);
process.send?.("ready");
