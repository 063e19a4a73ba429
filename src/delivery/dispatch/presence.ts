import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import { lastingConnection, type Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { joinRun, recoverRuns } from "./queue.ts";

/** Tells the other dispatchers that this one is alive, and takes over the deliveries of dead ones. */
export interface Presence {
  /** Resolves when this process has joined the others. */
  start(): Promise<void>;
  /** Whether the others have heard of it so recently that none of them considers it dead. */
  isKnown(): boolean;
  stop(): Promise<void>;
}

interface PresenceDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly runId: string;
  readonly sendTimeoutSeconds: number;
  /** Called after the first join and after every reconnection. */
  onJoined(): void;
}

const lookEveryMs = 1_000;
/** A second less than `delivery.run_grace`, which is how long others wait before they consider it dead. */
const knownForMs = 4_000;

export function createPresence({
  sql,
  clock,
  log,
  runId,
  sendTimeoutSeconds,
  onJoined,
}: PresenceDeps): Presence {
  const leaving = new AbortController();
  let line: Sql | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;
  let watching: Promise<void> | undefined;
  const isKnown = () => performance.now() - heardAt < knownForMs;

  async function join(connection: Sql): Promise<void> {
    await joinRun(connection, runId, clock.now());
    const wasKnown = isKnown();
    heardAt = performance.now();
    if (!wasKnown) onJoined();
  }

  /**
   * The lock belongs to the connection: on a new connection it is taken again, on the old one this checks that it still works.
   */
  async function watch(connection: Sql): Promise<void> {
    while (!leaving.signal.aborted) {
      try {
        await join(connection);
        const { sending, claimed } = await recoverRuns(connection, sendTimeoutSeconds, clock.now());
        if (sending + claimed > 0)
          log.warn({ sending, claimed }, "deliveries of a process that is gone were taken over");
      } catch (error) {
        if (!leaving.signal.aborted)
          log.error({ err: error }, "the dispatcher could not tell the others that it is alive");
      }
      await delay(lookEveryMs, undefined, { signal: leaving.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    async start() {
      line = lastingConnection(sql);
      await join(line);
      watching = watch(line);
    },
    isKnown,
    async stop() {
      leaving.abort();
      await line?.end({ timeout: 1 });
      await watching;
    },
  };
}
