import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

/** As long as publications are listed. A slot has to be known as long as its date may come again in another zone: two days. */
const keptDays = 90;

/** Forgets slots of long ago. Uses autopublications_by_time. */
export async function purgeAutopublications({
  sql,
  clock,
}: {
  readonly sql: Sql;
  readonly clock: Clock;
}): Promise<void> {
  const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
  await sql`delete from seo.autopublications where fired_at < ${before} and ended_at is not null`;
}
