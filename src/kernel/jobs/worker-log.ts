import { Logger } from "graphile-worker";
import type { Log } from "../log/index.ts";

/** Logs graphile-worker's messages without their metadata, which holds whole jobs and their payloads. */
export function workerLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    // Failed tasks are logged where they run, with their error.
    if (meta?.failure) return;
    const fields = { worker: scope.label };
    if (level === "error") log.error(fields, message);
    else if (level === "warning") log.warn(fields, message);
    else log.debug(fields, message);
  });
}
