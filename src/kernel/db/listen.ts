import type { Sql } from "./connect.ts";

export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens for NOTIFY on a channel and reconnects when the connection is lost. `onReady` runs after every connection, because
 * notices sent while it was down are lost: look for work then.
 */
export async function listen(
  sql: Sql,
  channel: string,
  handlers: { onNotify(payload: string): void; onReady?(): void },
): Promise<Listener> {
  const subscription = await sql.listen(channel, handlers.onNotify, handlers.onReady);
  return { close: () => subscription.unlisten() };
}
