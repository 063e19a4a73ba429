import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Sources } from "../sources/index.ts";
import { learnAt } from "./learn-later.ts";

/** Between two sites, so that all of them together neither fill the queue nor meet the limit of the source. */
const spreadMs = 3_000;
/** As many as have their turn within a night. */
const mostSites = 10_000;

/** Has the pages of every connected site read anew, one after the other, so that articles link to new ones. Tells how many. */
export async function readMapsAgain(
  { sql, clock, sources }: { readonly sql: Sql; readonly clock: Clock; readonly sources: Sources },
  most = mostSites,
): Promise<number> {
  if (!sources.isOn("firecrawl")) return 0;
  const sites = await sql<{ workspace_id: string; user_id: number; connection_id: number }[]>`
    select c.workspace_id, p.user_id::float8 as user_id, c.id as connection_id
    from seo.platform_connections c
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.platform_type = 'wordpress' and c.status = 'active'
    order by c.workspace_id, c.id
    limit ${most}`;
  const now = clock.now().getTime();
  for (const [index, site] of sites.entries())
    await learnAt(
      sql,
      { ...site, part: "site_map", attempt: 0, fresh: true },
      new Date(now + index * spreadMs),
    );
  return sites.length;
}
