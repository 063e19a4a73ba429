// Installs, builds and, for tests, finds a browser: each only when it is needed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build, isBuilt } from "./build.js";
import { install, linkCommand, needsInstall } from "./install.js";
import { withLock } from "./lock.js";
import { createProgress } from "./progress.js";
import { root } from "./root.js";
import { setupErrorFrom } from "./setup-error.js";

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

/** Runs an action with what it needs and ends the process with one sentence when the machine is the cause. */
export async function runSetup(action) {
  const progress = createProgress({ quiet: process.argv.includes("--quiet") });
  try {
    await action({ root, progress });
  } catch (error) {
    const setupError = setupErrorFrom(root, error);
    if (!setupError) throw error;
    if (setupError.output) console.error(`\n${setupError.output.trim()}\n`);
    console.error(setupError.message);
    process.exitCode = 1;
  }
}

/** An installation without sources, such as the image, was built elsewhere: there is nothing to compare. */
export function isReady({ root, test }) {
  if (!existsSync(join(root, "src"))) return true;
  const built = isBuilt(root);
  return built && !needsInstall(root, { development: test });
}

/** Checks again what is needed: another setup may have done it while we waited. */
async function makeReady({ root, progress, test }) {
  if (needsInstall(root, { development: test || !isBuilt(root) }))
    await progress.step("Installing packages", () => install(root));
  await build({ root, progress });
}
