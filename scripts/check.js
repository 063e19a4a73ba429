// Runs all static checks at once and shows what fails. The registry is asked about known vulnerabilities of packages if it can be
// reached; with `--audit` (`npm run check`) a grave one is a failure, without (`npm test`) it is only told.
import { join } from "node:path";
import { root } from "./setup/root.js";
import { run } from "./setup/run.js";

const bin = (name) => join(root, "node_modules", name);
const script = (name) => join(root, "scripts", name);
/** Results for unchanged files are cached. */
const types = (part) => [
  ...[bin("typescript/bin/tsc"), "--noEmit"],
  ...["--incremental", "--tsBuildInfoFile", join(root, "dist", `.types-${part}.tsbuildinfo`)],
];
const checks = [
  { name: "types", args: types("server") },
  { name: "types of the pages", args: [...types("pages"), "-p", "console"] },
  { name: "lint", args: [bin("@biomejs/biome/bin/biome"), "check", "."] },
  { name: "borders", args: [script("borders.js")] },
  { name: "patterns", args: [script("patterns.js")] },
  { name: "licences", args: [script("licences.js")] },
  { name: "coverage", args: [script("coverage.js")] },
  {
    name: "audit",
    args: [script("audit.js"), process.argv.includes("--audit") ? "--if-reachable" : "--only-tell"],
    // What it found is told whether it fails or not.
    tells: true,
  },
];

const began = performance.now();
const results = await Promise.all(
  checks.map(async ({ name, args, tells }) => ({
    name,
    tells,
    ...(await run(process.execPath, args, { cwd: root })),
  })),
);
const failed = results.filter(({ status }) => status !== 0);
for (const { output } of results.filter(({ tells, status }) => tells && status === 0))
  console.log(output.trim());
for (const { name, output } of failed) console.error(`\n${name}:\n${output.trim()}\n`);
const seconds = Math.round((performance.now() - began) / 1000);
const names = (some) => some.map(({ name }) => name).join(", ");
if (failed.length > 0) console.error(`check: ${names(failed)} failed`);
else console.log(`check: ${names(results)} are in order (${seconds} s)`);
process.exitCode = failed.length > 0 ? 1 : 0;
