import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

/** For how long publications are listed one by one. */
const keptDays = 90;
const atOnce = 2_000;

/** Deletes publications older than 90 days; their counts and the prints of their texts stay. Returns how many went. */
export async function purgePublications({
  sql,
  clock,
}: {
  readonly sql: Sql;
  readonly clock: Clock;
}): Promise<number> {
  const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
  let all = 0;
  for (;;) {
    const [{ gone }] = await sql<[{ gone: number }]>`
      select seo.purge_publications(${before}, ${atOnce}) as gone`;
    all += gone;
    if (gone < atOnce) return all;
  }
}
