import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { type Topic, topics, topicsOf } from "./topics.ts";

export interface FeedDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs?: number;
}

export type Listener = (changed: readonly Topic[]) => void;

export interface ChangeFeed {
  /** Tells of everything that happens in the workspace from now on. Returns how to stop listening. */
  join(workspaceId: string, listener: Listener): Promise<() => void>;
  /** How many workspaces are followed. */
  followed(): number;
}

interface Follower {
  readonly listeners: Set<Listener>;
  readonly stop: AbortController;
  readonly begun: Promise<void>;
}

/**
 * Follows the events of workspaces for all listeners of a process: one follower for a workspace, for as long as somebody listens. It
 * asks once a second and holds no connection in between.
 */
export function createChangeFeed({ sql, clock, log, everyMs = 1_000 }: FeedDeps): ChangeFeed {
  const followers = new Map<string, Follower>();

  function follow(workspaceId: string): Follower {
    const listeners = new Set<Listener>();
    const stop = new AbortController();
    const look = () => countEvents(sql, workspaceId, clock.now());
    const tell: Listener = (changed) => {
      for (const listener of listeners) listener(changed);
    };
    // What is there already is not news.
    const first = look();
    void first.then((seen) => watch(seen, look, tell, stop.signal)).catch(() => {});
    return { listeners, stop, begun: first.then(() => {}) };
  }

  async function watch(
    before: Counts,
    look: () => Promise<Counts>,
    tell: Listener,
    signal: AbortSignal,
  ): Promise<void> {
    let seen = before;
    let troubled = false;
    for (;;) {
      await delay(everyMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        const found = await look();
        // During an outage more may have happened than is still looked at.
        const changed = troubled ? topics : newIn(found, seen);
        troubled = false;
        seen = found;
        if (changed.length > 0 && !signal.aborted) tell(changed);
      } catch (error) {
        if (!troubled) log.warn({ err: error }, "the events of a workspace could not be followed");
        troubled = true;
      }
    }
  }

  return {
    async join(workspaceId, listener) {
      const follower = followers.get(workspaceId) ?? follow(workspaceId);
      followers.set(workspaceId, follower);
      follower.listeners.add(listener);
      const leave = () => {
        follower.listeners.delete(listener);
        if (follower.listeners.size > 0) return;
        follower.stop.abort();
        if (followers.get(workspaceId) === follower) followers.delete(workspaceId);
      };
      try {
        await follower.begun;
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    followed: () => followers.size,
  };
}

interface Count {
  readonly action: string;
  readonly object: string | null;
  readonly count: number;
}
type Counts = ReadonlyMap<string, Count>;

const stretchSeconds = 10;

/**
 * The events of the last ten to twenty seconds, counted by stretches of ten. An event has the time at which its transaction began and
 * is seen when that ends, so counts of a stretch still grow after it. Uses the primary key.
 */
async function countEvents(sql: Sql, workspaceId: string, now: Date): Promise<Counts> {
  const from = new Date((Math.floor(now.getTime() / 1000 / stretchSeconds) - 1) * stretchSeconds * 1000);
  const rows = await sql<(Count & { stretch: string })[]>`
    select (extract(epoch from e.ts)::bigint / ${stretchSeconds})::text as stretch, e.action, e.meta ->> 'object' as object,
      count(*)::int as count
    from workspaces.events e
    where e.workspace_id = ${workspaceId} and e.ts >= ${from}
    group by 1, 2, 3`;
  return new Map(rows.map((row) => [`${row.stretch} ${row.action} ${row.object ?? ""}`, row]));
}

/** The topics whose counts have grown, and the trail of events itself. */
function newIn(found: Counts, seen: Counts): Topic[] {
  const grown = [...found].filter(([key, { count }]) => count > (seen.get(key)?.count ?? 0));
  if (grown.length === 0) return [];
  const changed = new Set<Topic>(["events"]);
  for (const [, { action, object }] of grown)
    for (const topic of topicsOf(action, object)) changed.add(topic);
  return [...changed];
}
