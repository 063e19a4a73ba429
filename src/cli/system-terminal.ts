import { readEnvironment } from "../kernel/config/index.ts";
import type { World } from "../terminal/index.ts";
import { askAt } from "./ask.ts";

export function systemTerminal(): World {
  // The reader has closed the pipe (`molva tail | head`): Node reports an error where other programs get SIGPIPE.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.kill(process.pid, "SIGTERM");
  });
  return {
    environment: readEnvironment(),
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    isTerminal: process.stdout.isTTY === true,
    ask: askAt(process.stdin, process.stderr),
  };
}
