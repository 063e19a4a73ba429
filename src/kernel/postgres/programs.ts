import { spawn } from "node:child_process";
import type { RunAs } from "./run-as.ts";

/** Only what PostgreSQL needs: PG* and locale variables of the caller would change its behaviour. */
export const programEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Runs one of PostgreSQL's programs to its end, in a process group of its own: Ctrl-C is for us to handle. */
export function runProgram(
  program: string,
  args: readonly string[],
  runAs: RunAs,
  input = "",
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...runAs.ids,
      cwd: "/",
      env: programEnvironment,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    // The program may end without reading its input; its exit status says more than a broken pipe.
    child.stdin.on("error", () => undefined).end(input);
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output }));
  });
}
