import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../setup/root.js";

/** `molva up` from the current bundle. Restarts run one after another; changes during a restart cause one more. */
export function createSystem({ databaseUrl, nodeArgs, say }) {
  let child;
  let ended = Promise.resolve();
  let restarting;
  let again = false;
  let stopped = false;

  function start() {
    child = spawn(
      process.execPath,
      ["--enable-source-maps", ...nodeArgs, join(root, "scripts/dev/molva.js"), "up"],
      {
        cwd: root,
        env: { ...process.env, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    const started = child;
    ended = new Promise((resolve) => started.once("exit", resolve));
    ended.then((code) => {
      if (child === started && !stopped && !restarting)
        say(`the server ended with code ${code}; the next change starts it again`);
    });
  }

  async function end() {
    child?.kill("SIGTERM");
    await ended;
  }

  async function restart() {
    do {
      again = false;
      if (child) say("restarting");
      await end();
      if (!stopped) start();
    } while (again);
    restarting = undefined;
  }

  return {
    restart() {
      again = restarting !== undefined;
      restarting ??= restart();
    },
    async stop() {
      stopped = true;
      await end();
      await restarting;
    },
  };
}
