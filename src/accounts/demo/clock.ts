import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import { dayAt, instantAt } from "../plan/zone.ts";

/** How many times faster the demo's accounts live until they have caught up with the present. */
const faster = 30;
/** At least so much is lived through again at the first start. */
const leastMs = 10 * 3_600_000;

const key = "accounts.demo_clock";
const stored = z.object({ from: z.coerce.date(), began: z.coerce.date() });
type Course = z.output<typeof stored>;

/**
 * A clock that begins in the past and runs thirty times as fast until it is now; from then on it is the clock it is given.
 * So a day of publishing is seen in half an hour, and nothing ever bears a time that has not come.
 */
export function catchUp({ from, began }: Course, real: Clock): Clock {
  return {
    now() {
      const present = real.now().getTime();
      return new Date(Math.min(present, from.getTime() + (present - began.getTime()) * faster));
    },
  };
}

/** The demo's clock from this start on: from what was published last, or from the last morning that is long enough ago. */
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

/** The same clock for a command beside the demo; the real one when there is none. */
export async function demoClock(keyValue: KeyValue, real: Clock): Promise<Clock> {
  const text = await keyValue.get(key);
  const course = stored.safeParse(text === undefined ? undefined : JSON.parse(text));
  return course.success ? catchUp(course.data, real) : real;
}
