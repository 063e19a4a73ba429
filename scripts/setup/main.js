// Installs, builds and, for tests, finds a browser: each only when it is needed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build, isBuilt } from "./build.js";
import { faultOfError } from "./fault.js";
import { install, linkCommand, needsInstall } from "./install.js";
import { withLock } from "./lock.js";
import { createProgress } from "./progress.js";
import { root } from "./root.js";

export function main() {
  return runSetup((deps) => setUp({ ...deps, test: process.argv.includes("--test") }));
}

export async function setUp({ root, progress, test = false }) {
  if (!isReady({ root, test })) await withLock(root, progress, () => makeReady({ root, progress, test }));
  linkCommand(root);
  if (test) {
    const { ensureChromium } = await import("../../tests/support/chromium.js");
    await ensureChromium((unpack) => progress.step("Unpacking a browser for the tests", unpack));
  }
}

/** Runs an action with what it needs and ends the process with one sentence when this machine is at fault. */
export async function runSetup(action) {
  const progress = createProgress({ quiet: process.argv.includes("--quiet") });
  try {
    await action({ root, progress });
  } catch (error) {
    const fault = faultOfError(root, error);
    if (!fault) throw error;
    if (fault.output) console.error(`\n${fault.output.trim()}\n`);
    console.error(fault.message);
    process.exitCode = 1;
  }
}

/** An installation without sources, such as the image, was made elsewhere: there is nothing to compare it with. */
export function isReady({ root, test }) {
  if (!existsSync(join(root, "src"))) return true;
  const built = isBuilt(root);
  return built && !needsInstall(root, { development: test });
}

/** Looks again at what is needed: another setup may have done it while we waited. */
async function makeReady({ root, progress, test }) {
  if (needsInstall(root, { development: test || !isBuilt(root) }))
    await progress.step("Installing packages", () => install(root));
  await build({ root, progress });
}
