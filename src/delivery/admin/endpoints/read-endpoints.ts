import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import { idAfter, type Page, type PageQuery, pageLimit, pageOf } from "../../../workspaces/index.ts";
import type { Endpoint } from "./endpoint-shape.ts";

export interface EndpointQuery extends PageQuery {
  readonly kind?: Endpoint["kind"] | undefined;
  readonly enabled?: boolean | undefined;
}

/** The endpoints of a workspace, oldest first, including disabled ones. */
export async function endpointPage(
  sql: Sql,
  workspaceId: string,
  { kind, enabled, limit = pageLimit.usual, after }: EndpointQuery = {},
): Promise<Page<Endpoint>> {
  const from = idAfter(after);
  const rows = await sql<Endpoint[]>`
    select ${columns(sql)} from delivery.workspace_endpoints e
    where e.workspace_id = ${workspaceId}
      ${kind ? sql`and e.kind = ${kind}` : sql``}
      ${enabled === undefined ? sql`` : sql`and e.enabled = ${enabled}`}
      ${from ? sql`and e.endpoint_id > ${from}` : sql``}
    order by e.endpoint_id
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ endpoint_id }) => [endpoint_id]);
}

export async function readEndpoint(
  sql: Sql | Transaction,
  workspaceId: string,
  endpointId: string,
): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`
    select ${columns(sql)} from delivery.workspace_endpoints e
    where e.workspace_id = ${workspaceId} and e.endpoint_id = ${endpointId}`;
  return row;
}

function columns(sql: Sql | Transaction) {
  return sql`e.endpoint_id, e.kind, e.meta ->> 'name' as name, e.meta ->> 'description' as description, e.enabled,
    e.mode, coalesce(e.first_id, e.endpoint_id) as address, e.signing_ref is not null as has_signing_secret,
    e.replaced_by, e.ends_at, e.last_used_at, e.secret_by_token, e.signing_by_token, e.source_id, e.ingress_rps::float8, e.max_payload_bytes, e.hash_drop_window_sec,
    coalesce(e.meta -> 'keep_bodies' = 'true', false) as keep_bodies, e.networks, e.created_at, e.updated_at`;
}
