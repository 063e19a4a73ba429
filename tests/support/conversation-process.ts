/** A bot that counts in a process of its own, so that a test can kill it. */
import { once } from "node:events";
import { startCountingBot } from "./counting-bot.ts";

// Everything is loaded now; the settings come when the test needs it.
await import("grammy");
const [settings] = await once(process, "message");
await startCountingBot(settings);
process.send?.("ready");
