import type { AdvisorDeps } from "./deps.ts";
import { limits } from "./limits.ts";
import { removeFiles } from "./media/remove-files.ts";

/** Deletes what time has run out for: talks, stored answers, files; and gives back what dead processes held. */
export async function advisorUpkeep(
  deps: Pick<AdvisorDeps, "sql" | "storage" | "clock"> & {
    settings: Pick<AdvisorDeps["settings"], "freeTtlSec">;
  },
): Promise<void> {
  const { sql, clock, settings } = deps;
  const seconds = (count: number) => `${count} seconds`;
  await sql`
    select advisor.upkeep(${seconds(settings.freeTtlSec)}::text::interval, '7 days',
      ${seconds(limits.staleMs / 1000)}::text::interval, '7 days', ${clock.now()})`;
  await removeFiles(deps);
}
