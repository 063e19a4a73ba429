// Lists known vulnerabilities of the packages of an installation, from the registry. Without a reachable registry it says so and
// exits with 2; as a part of `npm run check` (--if-reachable) that is no failure. As a part of `npm test` (--only-tell) nothing is:
// a weakness that is published tonight must not turn the same commit red.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { root } from "./setup/root.js";

const unknown = 2;
const rule =
  "A high or critical one fails `npm run check`; packages that only builds and tests need are not asked about.";
/** npm would try again for minutes where there is no network. */
const answerWithinMs = 20_000;

/** What is said about npm's report, and the exit code. */
export function verdictOf(report, { ifReachable = false, onlyTell = false } = {}) {
  const counts = report?.metadata?.vulnerabilities;
  if (!counts)
    return {
      lines: [
        `audit: not done. The registry could not be asked: ${reasonOf(report)}.`,
        "Run it again where the registry of npm, or a mirror that knows `npm audit`, can be reached.",
      ],
      exitCode: ifReachable || onlyTell ? 0 : unknown,
    };
  const grave = counts.high + counts.critical;
  const weaknesses = Object.values(report.vulnerabilities ?? {}).map(
    ({ name, severity, range, fixAvailable }) =>
      `${severity}: ${name} ${range}${fixAvailable ? ", a fix is there" : ""}`,
  );
  return {
    lines: [
      ...weaknesses,
      `audit: ${counts.total} known weaknesses, ${grave} of them high or critical`,
      rule,
    ],
    exitCode: grave > 0 && !onlyTell ? 1 : 0,
  };
}

/** npm's own message, without the address of the registry. */
function reasonOf(report) {
  const said = report?.error?.summary || report?.message || "it gave no answer that can be read";
  return said
    .replace(/https?:\/\/\S+/g, "the registry")
    .split("\n")[0]
    .replace(/\.$/, "");
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function main() {
  const args = ["audit", "--omit=dev", "--json"];
  const { stdout } = spawnSync("npm", args, { cwd: root, encoding: "utf8", timeout: answerWithinMs });
  const { lines, exitCode } = verdictOf(parsed(stdout), {
    ifReachable: process.argv.includes("--if-reachable"),
    onlyTell: process.argv.includes("--only-tell"),
  });
  console.log(lines.join("\n"));
  process.exitCode = exitCode;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
