import { limits } from "./advisor-limits.ts";
import type { AdvisorDeps } from "./deps.ts";
import { removeFiles } from "./media/remove-files.ts";

/** Deletes expired sessions, stored answers and files, and returns the quota of dead requests. */
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
