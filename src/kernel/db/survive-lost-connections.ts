import { codeOf } from "../errors/index.ts";
import type { Log } from "../log/index.ts";

/**
 * The driver runs a query of its own on every new connection and drops its promise (porsager/postgres#1192): if the
 * connection is lost at that moment, nobody can catch the error and the process would end. The same happens to a write that
 * the driver's timer makes just after a connection was closed. In both cases the caller gets its own error, so these two are
 * ignored; any other uncaught error still ends the process: by `end`, or at once without it.
 */
export function surviveLostConnections(
  log: Pick<Log, "warn">,
  end: (error: unknown) => void = rethrow,
): void {
  process.on("unhandledRejection", (error) => {
    if (!isLostConnection(error)) return end(error);
    log.warn({ err: error }, "a connection to the database was lost while it was being opened");
  });
  process.on("uncaughtException", (error) => {
    if (!isLateWrite(error)) return end(error);
    log.warn({ err: error }, "a connection to the database was closed before everything was written");
  });
}

/** Codes of the driver and of the server: class 08, a server that stops or starts, a cancelled statement. */
export function isLostConnection(error: unknown): boolean {
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|08...$|57P0.$|57014$)/.test(codeOf(error) ?? "");
}

/** The driver's timer found its socket gone. */
export function isLateWrite(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /at (Immediate\.)?nextWrite \(.*postgres.*connection\.js/.test(error.stack ?? "")
  );
}

function rethrow(error: unknown): never {
  throw error;
}
