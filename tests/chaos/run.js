// Runs a storm: `node tests/chaos/run.js --seed 7 --minutes 10`, or with `seo` first the one of schedules. Builds the product as its own command does, and
// compiles the storm into a folder of its own. Types are checked by `npm run check`, not here.
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const steps = [
  ["bin/molva.js", "--version"],
  ["node_modules/typescript/bin/tsc", "-p", "tests/chaos"],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
const built = new URL("../../dist/chaos/tests/chaos/", import.meta.url);
copyFileSync(new URL("misled.js", import.meta.url), new URL("misled.js", built));
const [first, ...rest] = process.argv.slice(2);
const isSeo = first === "seo";
const { main } = await import(new URL(isSeo ? "seo/main.js" : "main.js", built));
await main(isSeo ? rest : process.argv.slice(2));
