import type { Sql } from "../../kernel/db/index.ts";
import { pageKey } from "../links/index.ts";
import type { PageDay, Period } from "../sources/index.ts";
import type { Engine } from "./rules.ts";

export interface SiteOfProject {
  readonly workspaceId: string;
  readonly userId: number;
  readonly projectId: number;
  /** Without www. */
  readonly host: string;
}

export interface ReadFigures {
  readonly readAt: Date;
  /** Null: the account may not read the site. */
  readonly property: string | null;
  readonly problem?: string | undefined;
  readonly covered?: Period | null | undefined;
  readonly days?: readonly PageDay[] | undefined;
}

interface DayOfPage extends Omit<PageDay, "url"> {
  readonly page: string;
  readonly url: string;
}

/** Keeps what was read and how far the archive reaches now, together. What is read again takes the place of what was. */
export async function keepFigures(
  sql: Sql,
  engine: Engine,
  { workspaceId, projectId, host }: SiteOfProject,
  { readAt, property, problem, covered = null, days = [] }: ReadFigures,
): Promise<void> {
  const rows = JSON.stringify(summed(days, host));
  await sql.begin(async (tx) => {
    await tx`
      insert into seo.searched_pages (workspace_id, project_id, page, url)
      select distinct on (d.page) ${workspaceId}::uuid, ${projectId}::int, d.page, d.url
      from jsonb_to_recordset(${rows}::text::jsonb) as d (page text, url text)
      on conflict (workspace_id, project_id, page) do nothing`;
    await tx`
      insert into seo.page_days (workspace_id, page_id, engine, day, clicks, impressions, position)
      select p.workspace_id, p.id, ${engine}, d.day, d.clicks, d.impressions, d.position
      from jsonb_to_recordset(${rows}::text::jsonb) as d (page text, day date, clicks int, impressions int, position real)
      join seo.searched_pages p on p.workspace_id = ${workspaceId} and p.project_id = ${projectId} and p.page = d.page
      on conflict (workspace_id, page_id, engine, day) do update set
        clicks = excluded.clicks, impressions = excluded.impressions, position = excluded.position`;
    // After a gap the archive begins anew: days that nobody told are not days without readers.
    await tx`
      insert into seo.search_archives (workspace_id, project_id, engine, site, property, from_day, to_day, read_at, problem)
      values (${workspaceId}, ${projectId}, ${engine}, ${host}, ${property}, ${covered?.from ?? null}::text::date,
        ${covered?.to ?? null}::text::date, ${readAt}, ${problem ?? null})
      on conflict (workspace_id, project_id, engine, site) do update set
        property = excluded.property, read_at = excluded.read_at, problem = excluded.problem,
        from_day = case
          when excluded.from_day is null then search_archives.from_day
          when excluded.from_day <= search_archives.to_day + 1 then least(search_archives.from_day, excluded.from_day)
          else excluded.from_day end,
        to_day = greatest(search_archives.to_day, excluded.to_day)`;
  });
}

/** Addresses of the site that mean one page are one; days without anybody are left out. */
function summed(days: readonly PageDay[], host: string): readonly DayOfPage[] {
  const found = new Map<string, DayOfPage>();
  for (const each of days) {
    const page = pageKey(each.url);
    if (page === undefined || (each.clicks === 0 && each.impressions === 0)) continue;
    if (page.length > 2_000 || page.split(/[/?]/)[0] !== host) continue;
    const key = `${page} ${each.day}`;
    const before = found.get(key);
    const [clicks, impressions] = [
      (before?.clicks ?? 0) + each.clicks,
      (before?.impressions ?? 0) + each.impressions,
    ];
    found.set(key, { ...each, page, url: before?.url ?? each.url, clicks, impressions });
  }
  return [...found.values()];
}
