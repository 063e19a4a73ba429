import { spawn } from "node:child_process";

/** Runs a program to its end and keeps what it prints. */
export function run(command, args, { cwd, env = process.env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output }));
  });
}
