// Starts the command line, after making the clone ready if it is not.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isReady } from "./main.js";
import { root } from "./root.js";

export async function main() {
  if (!prepared()) return;
  const { run } = await import("../../dist/molva/main.js");
  process.exitCode = await run(process.argv.slice(2));
}

/** Setup runs in a process of its own, so that its settings and output do not mix with the command. */
function prepared() {
  if (isReady({ root, test: false })) return true;
  const setup = spawnSync(process.execPath, [join(root, "scripts", "setup.js"), "--quiet"], {
    stdio: ["ignore", 2, "inherit"],
  });
  process.exitCode = setup.status === 0 ? 0 : 1;
  return setup.status === 0;
}
