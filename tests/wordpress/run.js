// Runs the adapter's contract tests against a real WordPress, and compares the twin with it: `npm run test:wordpress`. What is missing on this machine is said, with status 2.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { module } = await runnerImport(fileURLToPath(new URL("real-wordpress.ts", import.meta.url)), {
  configFile: false,
  logLevel: "error",
});
const missing = module.missingForWordPress();
if (missing) {
  console.error(missing);
  process.exit(2);
}
const uncomparable = module.missingForComparison();
if (uncomparable.length > 0)
  console.error(
    `The twin is not compared with WordPress: PHP lacks ${uncomparable.join(", ")} (php-mbstring, php-xml). The adapter is tested all the same.`,
  );
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/wordpress/vitest.config.ts"];
const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exit(status ?? 1);
