import { z } from "zod";
import { type MessengerDeps, testChannel } from "../../delivery/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import { readProject } from "../projects/projects.ts";
import type { ConnectionCheck, SeoConnection } from "./shape.ts";
import { findingWords } from "./words.ts";

/** The connections of a project, the newest first. */
export async function connectionPage(
  sql: Sql,
  whose: Whose,
  projectId: number,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<SeoConnection>> {
  await readProject(sql, whose, projectId);
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<SeoConnection[]>`
    ${connections(sql, whose)} and c.project_id = ${projectId}
      ${from === undefined ? sql`` : sql`and c.id < ${from}`}
    order by c.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readConnection(
  sql: Sql | Transaction,
  whose: Whose,
  connectionId: number,
): Promise<SeoConnection> {
  const [connection] = await sql<SeoConnection[]>`${connections(sql, whose)} and c.id = ${connectionId}`;
  if (!connection) throw notFound("connection", connectionId);
  return connection;
}

/** How many pages of the project's sites articles may link to; undefined if no map was read. */
export async function linksFound(
  sql: Sql,
  { workspaceId, userId }: Whose,
  projectId: number,
): Promise<number | undefined> {
  const [found] = await sql<{ links: number | null }[]>`
    select max((c.metadata ->> 'links_found')::int) as links
    from seo.platform_connections c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.workspace_id = ${workspaceId} and p.user_id = ${userId} and c.project_id = ${projectId}`;
  return found?.links ?? undefined;
}

/** Asks the platform whether the connection may publish; one that had failed and works takes posts again. */
export async function checkConnection(
  deps: MessengerDeps,
  whose: Whose,
  connectionId: number,
): Promise<ConnectionCheck> {
  const { channel_id, platform_type, identifier } = await readConnection(deps.sql, whose, connectionId);
  if (channel_id === null) {
    const said = { ru: "Подключите платформу заново.", en: "It has to be connected again." };
    return { ok: false, finding: "disconnected", ...said };
  }
  const { ok, steps } = await testChannel(deps, whose.workspaceId, channel_id);
  const wrong = steps.find(({ finding }) => finding !== "ok");
  const finding = ok ? "ok" : (wrong?.finding ?? "unreachable");
  return { ok, finding, ...findingWords(platform_type, finding, { target: identifier, said: wrong?.said }) };
}

function connections(sql: Sql | Transaction, { workspaceId, userId }: Whose) {
  return sql`
    select c.id, c.project_id, c.platform_type, c.status, c.identifier, coalesce(d.title, c.metadata ->> 'title') as title,
      c.metadata - 'links_found' as metadata,
      case when c.platform_type = 'wordpress' then jsonb_build_object('links_found', c.metadata -> 'links_found', 'colors', b.colors,
        'performance', a.performance, 'seo_score', a.seo_score) end as site,
      c.channel_id, d.connection_error as error, c.created_at
    from seo.platform_connections c
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    -- One row of each per project; another site of the project has replaced them if the address differs.
    left join seo.site_brandings b on b.workspace_id = c.workspace_id and b.project_id = c.project_id
      and b.url in (c.identifier, 'https://' || c.identifier)
    left join seo.site_audits a on a.workspace_id = c.workspace_id and a.project_id = c.project_id
      and a.url in (c.identifier, 'https://' || c.identifier)
    left join delivery.channels d on d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
    where c.workspace_id = ${workspaceId} and p.user_id = ${userId}`;
}
