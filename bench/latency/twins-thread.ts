import { parentPort } from "node:worker_threads";
import { startTwins } from "../../twins/index.ts";

/** The twins on a thread of their own, so that the sender's event loop does not delay what it measures. */
const twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
parentPort?.postMessage(twins.url);
parentPort?.once("message", async () => {
  await twins.close();
  parentPort?.close();
});
