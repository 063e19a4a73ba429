/** A process like a server, which an error ends that nobody catches. */
import { openLog } from "../../src/configured/index.ts";
import { loadConfig } from "../../src/kernel/config/index.ts";
import { surviveLostConnections } from "../../src/kernel/db/index.ts";

const { log, endProcess } = await openLog(loadConfig(process.env), {
  ...{ level: "info", roles: ["api"], settings: [], environment: process.env },
});
surviveLostConnections(log, endProcess);
const error = new Error(`an uncaught ${process.argv[2]}`);
// Something that would go on for long.
setInterval(() => {}, 1_000);
setImmediate(() => {
  if (process.argv[2] === "exception") throw error;
  void Promise.reject(error);
});
