// Runs a measurement: `node bench/run.js queue --json`. Compiles it together with the sources it measures into a folder
// of its own, so that the product's build stays what it is. Types are checked by `npm run check`, not here.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [, , name = "", ...args] = process.argv;
const source = new URL(`${name}/main.ts`, import.meta.url);
if (!/^[a-z]+$/.test(name) || !existsSync(source)) {
  console.error(
    "Which measurement? One of: queue, latency, rate, memory, compile, albums, noisy, soak, shopbot, advisor, accounts, billing, seo, seobot, broadcast, eval.",
  );
  process.exit(2);
}

const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, "-p", "bench"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const { main } = await import(new URL(`../dist/bench/bench/${name}/main.js`, import.meta.url));
await main(args);
