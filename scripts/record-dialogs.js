// `npm run dialogs:record -- new-project.md`: plays scripts of tests/dialogs and writes what the bot shows; all without a name.
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { root } from "./setup/root.js";

const names = process.argv.slice(2).map((path) => basename(path, ".md"));
const chosen = names.length > 0 ? ["-t", `\\b(?:${names.join("|")})\\.md`] : [];
const { status } = spawnSync("npx", ["vitest", "run", "tests/dialogs/replay.test.ts", ...chosen], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, MOLVA_RECORD: "1" },
});
process.exitCode = status ?? 1;
