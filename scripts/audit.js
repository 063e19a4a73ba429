// Lists known vulnerabilities of the packages of an installation, from the registry. Without a reachable registry it says so and
// exits with 2; as a part of `npm run check` (--if-reachable) that is no failure.
import { spawnSync } from "node:child_process";
import { root } from "./setup/root.js";

const unknown = 2;

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: root, encoding: "utf8" });
const report = parsed(stdout);
const counts = report?.metadata?.vulnerabilities;
if (!counts) {
  console.error(`audit: not done. The registry could not be asked: ${reasonOf(report)}.`);
  console.error(
    "Run it again where the registry of npm, or a mirror that knows `npm audit`, can be reached.",
  );
  process.exitCode = process.argv.includes("--if-reachable") ? 0 : unknown;
} else {
  for (const { name, severity, range, fixAvailable } of Object.values(report.vulnerabilities ?? {}))
    console.log(`${severity}: ${name} ${range}${fixAvailable ? ", a fix is there" : ""}`);
  console.log(
    `audit: ${counts.total} known weaknesses, ${counts.high + counts.critical} of them high or critical`,
  );
  process.exitCode = counts.high + counts.critical > 0 ? 1 : 0;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** npm's own message, without the address of the registry. */
function reasonOf(report) {
  const said = report?.error?.summary || report?.message || "it gave no answer that can be read";
  return said
    .replace(/https?:\/\/\S+/g, "the registry")
    .split("\n")[0]
    .replace(/\.$/, "");
}
