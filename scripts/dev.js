// `npm run dev`: PostgreSQL, the server and the twins, restarted when their files change, and the pages, which reload by
// themselves. What follows `--` goes to Node: `npm run dev -- --inspect` lets a debugger attach to the server.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "./dev/database.js";
import { servePages } from "./dev/pages.js";
import { createSystem } from "./dev/system.js";
import { watchServer } from "./dev/watch.js";
import { root } from "./setup/root.js";

if (existsSync(join(root, ".env"))) process.loadEnvFile(join(root, ".env"));

const stop = new Promise((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
});
const say = (text) => console.error(`dev: ${text}`);
const closing = [];
try {
  const database = await openDatabase(() => say("PostgreSQL ended by itself; start again"));
  closing.push(database.close);
  const system = createSystem({ databaseUrl: database.url, nodeArgs: process.argv.slice(2), say });
  closing.push(system.stop);
  const pages = await servePages();
  closing.push(pages.close);
  const watching = await watchServer({ changed: () => system.restart(), say });
  closing.push(watching.close);
  say(`the console reloads by itself at ${pages.url}, the twins' page at ${pages.url}playground.html`);
  await stop;
  say("stopping");
} finally {
  for (const close of closing.reverse()) await close();
}
