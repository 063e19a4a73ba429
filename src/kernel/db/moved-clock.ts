/** Moving the time of all processes, outside production. */
import type { Sql } from "./connect.ts";

/** Processes whose clock was moved tell it here, after they have taken the new time over: `<from>/<to>` in milliseconds. */
export const clockMoved = "molva_clock_moved";
/** Asks all processes to look how far the clock is ahead. */
export const clockChannel = "molva_clock";

export async function clockAhead(sql: Sql): Promise<number> {
  const [row] = await sql<{ ms: number }[]>`
    select (extract(epoch from ahead) * 1000)::float8 as ms from molva.moved_clock`;
  return row?.ms ?? 0;
}

/** Moves the time on. Returns how far it is ahead now, in milliseconds. */
export async function moveClock(sql: Sql, byMs: number): Promise<number> {
  if (!(byMs > 0)) throw new RangeError("time goes only forward");
  await sql.begin(async (tx) => {
    await tx`
      insert into molva.moved_clock (ahead) values (${byMs} * interval '1 millisecond')
      on conflict (only_row) do update set ahead = moved_clock.ahead + excluded.ahead`;
    await tx`select pg_notify(${clockChannel}, '')`;
  });
  return clockAhead(sql);
}
