import { type Clock, systemClock } from "../kernel/clock/index.ts";
import type { Config } from "../kernel/config/index.ts";
import { clockAhead, type Sql } from "../kernel/db/index.ts";

/** The time of the system that a command speaks to, which may have been moved outside production. */
export async function clockOf({ MOLVA_ENV }: Pick<Config, "MOLVA_ENV">, sql: Sql): Promise<Clock> {
  const ahead = MOLVA_ENV === "production" ? 0 : await clockAhead(sql);
  return ahead === 0 ? systemClock : { now: () => new Date(systemClock.now().getTime() + ahead) };
}
