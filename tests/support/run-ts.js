// Runs a TypeScript module in a process of its own: `node run-ts.js module.ts …arguments`. Tests use it for what
// must be killed, or run as another user, without touching the test's own process.
import { runnerImport } from "vite";

const [, , file] = process.argv;
if (!file) throw new Error("which module?");
await runnerImport(file, { configFile: false, logLevel: "error" });
