/** A process that charges for subscriptions, or begins a purchase by card, so that a test can kill it on the way. */
import { once } from "node:events";
import { renewDue } from "../../src/billing/yookassa/renew.ts";
import { type CardTask, cardDepsOf, tapPay } from "../../src/billing/yookassa/testing/card-deps.ts";

// Everything is loaded by now; what to do comes when it is needed.
process.send?.("loaded");
const [task]: CardTask[] = await once(process, "message");
if (!task) throw new Error("what is to be done?");
const { deps, close } = cardDepsOf(task);
const done = task.what === "renew" ? await renewDue(deps) : await tapPay(deps, task);
process.send?.({ done });
await close();
process.disconnect?.();
