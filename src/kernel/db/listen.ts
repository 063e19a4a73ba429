import type { Sql } from "./connect.ts";

export interface Listener {
  close(): Promise<void>;
}

/**
 * Hears NOTIFY on a channel and survives reconnects. `onReady` runs after the first connection and after
 * every later one, because whatever was notified while the connection was down is lost: look for work then.
 */
export async function listen(
  sql: Sql,
  channel: string,
  handlers: { onNotify(payload: string): void; onReady?(): void },
): Promise<Listener> {
  const subscription = await sql.listen(channel, handlers.onNotify, handlers.onReady);
  return { close: () => subscription.unlisten() };
}
