import type { IncomingHttpHeaders } from "node:http";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { ingestProblem } from "./problems.ts";

/** The door a request came through; it alone decides the tenant. */
export interface Endpoint {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly maxPayloadBytes: number;
  /** Bodies are kept as they came, for whoever has to find out what a sender really sends. */
  readonly keepsBodies: boolean;
}

/** Resolves the endpoint by the hash of its secret, and by nothing else of the request. */
export async function endpointOf(sql: Sql, headers: IncomingHttpHeaders): Promise<Endpoint> {
  const secret = secretOf(headers);
  if (!secret) throw ingestProblem("missing_endpoint_secret");
  const [row] = await sql<FoundEndpoint[]>`
    select workspace_id, endpoint_id, max_payload_bytes, coalesce(meta -> 'keep_bodies' = 'true', false) as keeps_bodies
    from delivery.find_endpoint('webhook_push', ${sha256Hex(secret)})`;
  if (!row?.workspace_id) throw ingestProblem("endpoint_auth_failed");
  return {
    workspaceId: row.workspace_id,
    endpointId: row.endpoint_id,
    maxPayloadBytes: row.max_payload_bytes,
    keepsBodies: row.keeps_bodies,
  };
}

interface FoundEndpoint {
  readonly workspace_id: string | null;
  readonly endpoint_id: string;
  readonly max_payload_bytes: number;
  readonly keeps_bodies: boolean;
}

function secretOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers["x-molva-secret"];
  const bearer = headers.authorization?.match(/^Bearer\s+(.+)$/i)?.[1];
  return (Array.isArray(own) ? own[0] : own)?.trim() || bearer?.trim() || undefined;
}
