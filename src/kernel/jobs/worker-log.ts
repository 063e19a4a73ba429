import { Logger } from "graphile-worker";
import type { Log } from "../log/index.ts";

/** graphile-worker's own messages. What it attaches to them holds whole jobs, payloads included, and is left out. */
export function workerLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    // Failed tasks are logged where they are run, with the error and without its long form.
    if (meta?.failure) return;
    const fields = { worker: scope.label };
    if (level === "error") log.error(fields, message);
    else if (level === "warning") log.warn(fields, message);
    else log.debug(fields, message);
  });
}
