import { createHash, randomUUID } from "node:crypto";
import type { Sql } from "../../kernel/db/index.ts";

/** One builder per entity: a test names only what matters to it. */

export async function aWorkspace(sql: Sql, given: { status?: string; name?: string } = {}): Promise<string> {
  const [row] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces ${sql({ name: "Испытание", ...given })} returning workspace_id`;
  return row.workspace_id;
}

export interface EndpointBuilder {
  secret?: string;
  enabled?: boolean;
  ingress_rps?: number;
  max_payload_bytes?: number;
  hash_drop_window_sec?: number;
}

export interface TestEndpoint {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly secret: string;
}

export async function anEndpoint(
  sql: Sql,
  workspaceId: string,
  given: EndpointBuilder = {},
): Promise<TestEndpoint> {
  const { secret = randomUUID(), ...rest } = given;
  const row = {
    workspace_id: workspaceId,
    kind: "webhook_push",
    secret_hash: createHash("sha256").update(secret).digest("hex"),
    ingress_rps: 0,
    ...rest,
  };
  const [made] = await sql<[{ endpoint_id: string }]>`
    insert into delivery.workspace_endpoints ${sql(row)} returning endpoint_id`;
  return { workspaceId, endpointId: made.endpoint_id, secret };
}

export interface ChannelBuilder {
  channel_id?: string;
  platform?: string;
  target_id?: string;
  title?: string | null;
  enabled?: boolean;
  rate_rps?: number | null;
  max_parallel?: number;
  paused_until?: Date | null;
  dedup_ttl_hours?: number;
  send_mode?: string;
  template_ref?: string;
  unknown_policy?: string;
  auth_ref?: string;
  rate_group?: string;
  settings?: Record<string, string | number | boolean>;
  tags?: string[];
  route_filter?: Record<string, string[]> | null;
}

let nextTarget = 1_000;

export async function aChannel(sql: Sql, workspaceId: string, given: ChannelBuilder = {}): Promise<string> {
  const { settings = {}, route_filter = null, ...rest } = given;
  const row = {
    workspace_id: workspaceId,
    platform: "telegram",
    target_id: `-100${nextTarget++}`,
    title: "Канал",
    auth_ref: "bot",
    rate_group: "bot",
    rate_rps: null,
    ...rest,
  };
  const [made] = await sql<[{ channel_id: string }]>`
    insert into delivery.channels ${sql({ ...row, settings: sql.json(settings), route_filter: route_filter ? sql.json(route_filter) : null })}
    returning channel_id`;
  return made.channel_id;
}

/** Enqueues a post through the SQL function, as n8n or psql would. */
export async function enqueue(
  sql: Sql,
  workspaceId: string,
  text: string,
  given: { now?: Date; tags?: string[]; payload?: Record<string, unknown> } = {},
): Promise<{
  message_id: string;
  queued: number;
  deduped: number;
  failed_permanent: number;
  skipped_inflight: number;
}> {
  const raw = { payload: { text, ...given.payload }, ...(given.tags ? { tags: given.tags } : {}) };
  const [row] = await sql`
    select delivery.enqueue_messages_and_deliveries(
      ${workspaceId}, null, 'webhook_push', ${sql.json(JSON.parse(JSON.stringify(raw)))}, ${given.now ?? new Date()}) as counts`;
  return row?.counts;
}
