import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type Event, type EventFilter, eventColumns, eventFilter } from "../read/events.ts";

export interface Following {
  readonly clock: Clock;
  readonly filter?: Pick<EventFilter, "channel_id" | "result">;
  /** Stops following. */
  readonly signal: AbortSignal;
  readonly everyMs?: number;
  onEvent(event: Event): void;
  /** The database does not answer; following goes on. Called once per outage. */
  onTrouble(error: unknown): void;
  onRecovered(): void;
}

/**
 * An event has the start time of its transaction but becomes visible at its commit, so a later event may be seen first. Reading
 * this far back finds the earlier ones too.
 */
const lookBackMs = 10_000;
const mostAtOnce = 1_000;

/** Passes on every new event once, as it is written, until the signal. Survives lost connections. */
export async function followEvents(sql: Sql, workspaceId: string, following: Following): Promise<void> {
  const { clock, filter = {}, signal, everyMs = 500 } = following;
  const began = clock.now();
  const seen = new Map<string, number>();
  let lookFrom = began;
  let troubled = false;

  while (!signal.aborted) {
    try {
      const events = await sql<Event[]>`
        select ${eventColumns(sql)}
        from workspaces.events e
        left join delivery.channels c using (workspace_id, channel_id)
        where e.workspace_id = ${workspaceId} ${eventFilter(sql, { ...filter, since: lookFrom })}
          and not e.id = any (${[...seen.keys()]}::uuid[])
        order by e.ts, e.id limit ${mostAtOnce}`;
      if (troubled) following.onRecovered();
      troubled = false;
      for (const event of events) {
        seen.set(event.id, Date.parse(event.ts));
        following.onEvent(event);
      }
      const newest = Math.max(lookFrom.getTime(), ...seen.values());
      lookFrom = new Date(Math.max(began.getTime(), newest - lookBackMs));
      for (const [id, ts] of seen) if (ts < lookFrom.getTime()) seen.delete(id);
      if (events.length === mostAtOnce) continue;
    } catch (error) {
      if (signal.aborted) return;
      if (!troubled) following.onTrouble(error);
      troubled = true;
    }
    await delay(everyMs, undefined, { signal }).catch(() => {});
  }
}
