import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import { dayAt, instantAt } from "../plan/time-zone.ts";

/** Speed of the demo clock until it has caught up with real time. */
const faster = 30;
/** The demo clock starts at least this far in the past. */
const leastMs = 10 * 3_600_000;

const key = "accounts.demo_clock";
const stored = z.object({ from: z.coerce.date(), began: z.coerce.date() });
type ClockState = z.output<typeof stored>;

/**
 * A clock that starts in the past and runs at 30 times the speed until it reaches the present; then it is the real clock. A day of
 * publishing is seen in half an hour, and no event is in the future.
 */
function catchUp({ from, began }: ClockState, real: Clock): Clock {
  return {
    now() {
      const present = real.now().getTime();
      return new Date(Math.min(present, from.getTime() + (present - began.getTime()) * faster));
    },
  };
}

/** Starts the demo clock from the last publication, or from the last morning that is long enough ago. */
export async function startDemoClock(
  sql: Sql,
  keyValue: KeyValue,
  workspaceId: string,
  real: Clock,
): Promise<Clock> {
  const began = real.now();
  const morning = instantAt(
    dayAt(new Date(began.getTime() - leastMs), "Europe/Moscow"),
    "08:00",
    "Europe/Moscow",
  );
  const fresh =
    morning.getTime() > began.getTime() - leastMs ? new Date(morning.getTime() - 86_400_000) : morning;
  const [row] = await sql<[{ last: Date | null }]>`
    select max(published_at) as last from accounts.history where workspace_id = ${workspaceId} and account_id is not null`;
  const from = row.last && row.last > fresh ? row.last : fresh;
  const course = { from, began };
  await keyValue.set(key, JSON.stringify(course));
  return catchUp(course, real);
}

/** The running demo's clock, for a command beside it; the real clock if there is none. */
export async function demoClock(keyValue: KeyValue, real: Clock): Promise<Clock> {
  const text = await keyValue.get(key);
  const course = stored.safeParse(text === undefined ? undefined : JSON.parse(text));
  return course.success ? catchUp(course.data, real) : real;
}
