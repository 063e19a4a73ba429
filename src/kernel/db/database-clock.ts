import type { Clock } from "../clock/index.ts";
import type { Log } from "../log/index.ts";
import type { Service } from "../service/index.ts";
import type { Sql } from "./connect.ts";
import { type Listener, listen } from "./listen.ts";
import { clockChannel, clockMoved } from "./moved-clock.ts";

/** Harmful drift takes longer than this, and the clock of a machine that slept is corrected within it. */
const compareEveryMs = 15_000;
/** The fastest of a few answers gives the most accurate time. */
const questions = 5;

/**
 * The database's time. Processes on machines whose clocks differ, or are set by hand, agree on it, and so on slots, rates and
 * leases. It is read regularly; in between, the process's monotonic clock counts. Before the start it is the machine's time.
 * A movable clock is ahead by what `moveClock` says.
 */
export function createDatabaseClock(
  sql: Sql,
  log: Pick<Log, "warn">,
  { movable = false }: { movable?: boolean } = {},
): Clock & Service {
  let origin = Date.now() - performance.now();
  let known = false;
  let timer: NodeJS.Timeout | undefined;
  let listener: Listener | undefined;

  async function compare(): Promise<void> {
    const answers: { origin: number; unsureMs: number }[] = [];
    for (let asked = 0; asked < questions; asked++) {
      const before = performance.now();
      const [row] = await sql<[{ ms: number }]>`
        select (extract(epoch from clock_timestamp()) * 1000)::float8
          ${movable ? sql`+ coalesce((select extract(epoch from ahead) * 1000 from molva.moved_clock), 0)::float8` : sql``} as ms`;
      const unsureMs = (performance.now() - before) / 2;
      answers.push({ origin: row.ms - before - unsureMs, unsureMs });
    }
    const best = answers.reduce((one, other) => (other.unsureMs < one.unsureMs ? other : one));
    // Within the accuracy of the comparison, time goes on evenly.
    if (known && Math.abs(best.origin - origin) <= best.unsureMs) return;
    origin = best.origin;
    known = true;
  }

  /** Everything that waits for a time looks again once this process has the new one. */
  async function follow(): Promise<void> {
    const from = origin;
    await compare();
    const at = performance.now();
    if (origin > from) await sql.notify(clockMoved, `${Math.round(from + at)}/${Math.round(origin + at)}`);
  }

  return {
    name: "clock",
    now: () => new Date(origin + performance.now()),
    async start() {
      await compare();
      if (movable)
        listener = await listen(sql, clockChannel, {
          onNotify: () =>
            void follow().catch((error: unknown) => log.warn({ err: error }, "the clock could not be moved")),
        });
      timer = setInterval(() => {
        // While the database is unreachable, the last known offset stays.
        compare().catch((error: unknown) => log.warn({ err: error }, "the clock could not be compared"));
      }, compareEveryMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await listener?.close();
    },
  };
}
