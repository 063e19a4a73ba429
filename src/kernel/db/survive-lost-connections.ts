import type { Log } from "../log/index.ts";

/**
 * The driver asks a question of its own on every new connection and drops its promise (porsager/postgres#1192): when the
 * connection is lost in that moment, nobody can catch the error and the process would end. Whoever waited for the
 * connection hears of it all the same. And what it wanted to write a moment after a connection was closed, it writes to
 * nothing; whoever asked has been told of the close. Anything else that nobody caught still ends the process.
 */
export function surviveLostConnections(log: Pick<Log, "warn">): void {
  process.on("unhandledRejection", (error) => {
    if (!isLostConnection(error)) throw error;
    log.warn({ err: error }, "a connection to the database was lost while it was being opened");
  });
  process.on("uncaughtException", (error) => {
    if (!isLateWrite(error)) throw error;
    log.warn({ err: error }, "a connection to the database was closed before everything was written");
  });
}

/** The driver's words for it, and the server's: class 08, a server that ends or starts, a statement that was called off. */
export function isLostConnection(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|08...$|57P0.$|57014$)/.test(code);
}

/** The driver's own timer found no socket any more. */
export function isLateWrite(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /at (Immediate\.)?nextWrite \(.*postgres.*connection\.js/.test(error.stack ?? "")
  );
}
