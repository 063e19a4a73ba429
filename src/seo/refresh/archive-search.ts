/** Copies every night what search engines tell about the pages of connected sites. */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Payer, Period, Property, Sources } from "../sources/index.ts";
import { keepFigures, type SiteOfProject } from "./keep-figures.ts";
import { propertyOf } from "./property-of.ts";
import { type Engine, engines, keptDays } from "./rules.ts";
import { sourceOf } from "./share.ts";

export interface ArchiveDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly sources: Pick<Sources, "searchconsole" | "webmaster" | "isOn" | "readers">;
}

/** Figures are final after this many days. */
const finalAfterDays = 3;
/** Days that are read again, because engines correct them. */
const readAgainDays = 2;
const dayMs = 86_400_000;

export interface Archived {
  readonly sites: number;
  readonly days: number;
}

/** Reads the sites of everybody, one after another; a site that fails leaves the others alone. */
export async function archiveSearch(deps: ArchiveDeps): Promise<Archived> {
  const { sql, clock, log, sources } = deps;
  const done = { sites: 0, days: 0 };
  const connected = await connectedSites(sql);
  for (const engine of engines.filter((each) => sources.isOn(sourceOf[each]))) {
    const [first] = connected;
    if (!first) break;
    const properties = await sources[sourceOf[engine]].properties(payerOf(first));
    if (!properties.ok) continue;
    for (const site of connected) {
      try {
        const days = await archiveSite(deps, engine, site, properties.value);
        done.sites += 1;
        done.days += days;
      } catch (error) {
        log.error({ engine, site: site.host, err: error }, "figures of a site were not archived");
      }
    }
  }
  await sql`delete from seo.page_days where day < ${dayOf(clock.now().getTime() - keptDays * dayMs)}::text::date`;
  return done;
}

/** Returns how many days of pages were kept. */
async function archiveSite(
  deps: ArchiveDeps,
  engine: Engine,
  site: SiteOfProject,
  properties: readonly Property[],
): Promise<number> {
  const { sql, clock, sources } = deps;
  const now = clock.now();
  const property = propertyOf(site.host, properties);
  const known = await archivedOf(sql, engine, site);
  if (!property) {
    await keepFigures(sql, engine, site, { readAt: now, property: null });
    return 0;
  }
  const asked = toRead(known?.to ?? null, now);
  const answer = await sources[sourceOf[engine]].pageDays(property, asked, payerOf(site));
  if (!answer.ok) {
    await keepFigures(sql, engine, site, { readAt: now, property: property.id, problem: answer.reason });
    return 0;
  }
  const { covered, days } = answer.value;
  await keepFigures(sql, engine, site, { readAt: now, property: property.id, covered, days });
  return days.length;
}

/** From where the archive ends, or all that can be of use. */
export function toRead(archivedTo: string | null, now: Date): Period {
  const to = dayOf(now.getTime() - finalAfterDays * dayMs);
  const all = dayOf(now.getTime() - keptDays * dayMs);
  const next = archivedTo === null ? all : dayOf(Date.parse(archivedTo) - (readAgainDays - 1) * dayMs);
  const [, from = all] = [next, all].toSorted();
  const [first = to] = [from, to].toSorted();
  return { from: first, to };
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const payerOf = ({ workspaceId, userId }: SiteOfProject): Payer => ({
  ...{ workspaceId, userId, operation: "search_archive" },
});

/** Whoever has connected a site can publish on it: it is theirs, and its figures may be shown to them. */
async function connectedSites(sql: Sql): Promise<readonly SiteOfProject[]> {
  const rows = await sql<(SiteOfProject & { identifier: string })[]>`
    select distinct on (c.workspace_id, c.project_id, c.identifier)
      c.workspace_id as "workspaceId", p.user_id::float8 as "userId", c.project_id as "projectId", c.identifier
    from seo.platform_connections c
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.platform_type = 'wordpress' and c.status = 'active'
    order by c.workspace_id, c.project_id, c.identifier`;
  return rows.map(({ identifier, ...site }) => ({ ...site, host: hostOf(identifier) }));
}

/** A connection is named by its host, after which a folder may follow. */
const hostOf = (identifier: string) =>
  identifier
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .split("/", 1)
    .join("");

async function archivedOf(sql: Sql, engine: Engine, { workspaceId, projectId, host }: SiteOfProject) {
  const [row] = await sql<{ to: string | null }[]>`
    select a.to_day::text as to from seo.search_archives a
    where a.workspace_id = ${workspaceId} and a.project_id = ${projectId} and a.engine = ${engine} and a.site = ${host}`;
  return row;
}
